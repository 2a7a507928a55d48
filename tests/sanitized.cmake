# Made by scripts/sanitized: the cases that AddressSanitizer's build leaves out, as its others run nearly
# all branches of the code that these run; and the entries of which it would run none.
set(covered
    checker/lts/explore
    checker/readings_agreement
    emit/semantics
    kernel/causality
    kernel/happens_before
    kernel/native
    kernel/needed
    kernel/ptx/phases
    kernel/ptx/refusals
    kernel/same_writes
    kernel/symmetry
    kernel/test/assumption
    kernel/test/struct_arguments)
set(covered_checker_behaviour
    "checker/behaviour: tests with one behaviour have equal verdicts under all models")
set(covered_checker_labelled_graph
    "checker/labelled_graph: a step view is the transition system with its fair sets"
    "checker/labelled_graph: an event view terminates threads one by one and then the whole")
set(covered_checker_readings
    "checker/readings: only accesses of all threads by one step leave no room for others")
set(covered_checker_sweep_closed_part
    "checker/sweep/closed_part: random AXB tests? against trying all parts")
set(covered_checker_sweep_packed_program
    "checker/sweep/packed_program: random AXB tests are the same packed? step for step")
set(covered_checker_sweep_sweep
    "checker/sweep/sweep: random tests as by the definitions"
    "checker/sweep/sweep: the published tests"
    "checker/sweep/sweep: large members of families have the verdicts of small ones")
set(covered_checker_witness_witness
    "checker/witness/witness: where the search for a smallest cycle gives up any fair one is shown")
set(covered_cli_app
    "cli/app: the help of every command says what it does and shows an example")
set(covered_cli_check_files
    "cli/check: files without a kernel are passed over in a folder? and no others")
set(covered_cli_check
    "cli/check: a folder without tests is bad input and others are decided"
    "cli/check: notes of several files name them? and say once what is so of several")
set(covered_cli_devices
    "cli/devices: operations of subgroups on C++ threads")
set(covered_cli_explain
    "cli/explain: without a model? one under which the test need not end")
set(covered_cli_figures
    "cli/figures: presets fill in what is not given")
set(covered_cli_findings
    "cli/findings: parts of proofs join to what one run writes")
set(covered_cli_idioms
    "cli/idioms: every idiom expects verdicts for 2? 3 and 4 threads? and has them"
    "cli/idioms: the table in the documentation is what headway says")
set(covered_cli_kernel_answers
    "cli/kernel_answers: a lane that the default block lacks is no fault of the kernel"
    "cli/kernel_answers: what goes wrong counts for more than what is open"
    "cli/kernel_answers: directives may stand behind a byte order mark"
    "cli/kernel_answers: a kernel takes no command more time than it has")
set(covered_cli_kernels
    "cli/kernels: messages about standard input name it and show its lines"
    "cli/kernels: headers of standard input lie where headway runs"
    "cli/kernels: -x says the language of a file of any name"
    "cli/kernels: no line for people is longer than 200 places")
set(covered_cli_promise
    "cli/promise: of a hang it is said who waits where for whom? and what would help"
    "cli/promise: what ends as the text promises is said in a sentence"
    "cli/promise: rows of the language's own text? and those of the literature on demand"
    "cli/promise: what is required of all is an expectation? but where a test has its own"
    "cli/promise: among several files a kernel is called by its file? too")
set(covered_cli_report
    "cli/report: a kernel with its lines? its verdicts and an execution"
    "cli/report: a folder of tests and of kernels shows both? by names of their own")
set(covered_cli_residency
    "cli/residency: of workgroups of several threads it is said how many workgroups"
    "cli/residency: workgroups of one thread are workgroups? too"
    "cli/residency: of what goes wrong no more is said than that")
set(covered_cli_run
    "cli/run: an interruption ends the campaign and keeps the file"
    "cli/run: a test that cannot be compiled is an error? not a hang"
    "cli/run: what goes wrong does not run unless it is forced"
    "cli/run: how threads look at memory is recorded"
    "cli/run: damaged results are refused and left alone"
    "cli/run: folders of runs that were killed are removed? and those in use are not")
set(covered_cli_scale
    "cli/scale: expectations of large members are met? and symmetry is said"
    "cli/scale: reductions leave the verdicts and change the statistics"
    "cli/scale: an interruption leaves what is known")
set(covered_cli_verify_launch
    "cli/verify_launch: any size is any in the dimensions that a kernel looks at"
    "cli/verify_launch: a default of one dimension is told where a kernel looks at two"
    "cli/verify_launch: a counterexample is of two threads"
    "cli/verify_launch: runs take arguments that differ from each other"
    "cli/verify_launch: a kernel for rows and columns is launched in both")
set(covered_cli_verify
    "cli/verify: --keep proves only what has changed? and nothing from a damaged file"
    "cli/verify: a table says when nobody looked at the ends of arrays"
    "cli/verify: what is violated is the exit status? whatever else is open"
    "cli/verify: files say what is asked? the command line adds to it"
    "cli/verify: an option takes one value each time? and what stands behind it is a path"
    "cli/verify: what nobody looks at is told? and an error where that is all")
set(covered_consistency_distinguish_distinguish
    "consistency/distinguish: a test that is found holds under one model and not the other"
    "consistency/distinguish: three statements of C do not tell TSO from RC11"
    "consistency/distinguish: a model is not told from itself? nor PTX from PTX with proxies")
set(covered_consistency_machines
    "consistency/machines: total store order is what buffers of stores do")
set(covered_consistency_progress
    "consistency/progress: locks that spin by exchanging")
set(covered_consistency_repair_repair
    "consistency/repair: the answers are the weakest of all choices? and stronger is no worse")
set(covered_consistency_vulkan
    "consistency/vulkan: a stronger order? scope or semantics never allows more")
set(covered_every_key
    "every/key: places of threads in a row have keys of their own")
set(covered_every_symbolic
    "every/linear: what is called impossible has no solution")
set(covered_kernel_clang_arguments
    "kernel/clang/arguments: a parameter that has a name is used")
set(covered_kernel_clang_compile
    "kernel/clang/compile: a kernel of each kind? and where its steps stand"
    "kernel/clang/compile: both sides of a CUDA program"
    "kernel/clang/compile: the user's flags? whatever they say of optimization"
    "kernel/clang/compile: versions of OpenCL C"
    "kernel/clang/compile: all errors that clang has? up to five"
    "kernel/clang/compile: nothing is left behind"
    "kernel/clang/compile: a macro of the user's changes nothing that is always there")
set(covered_kernel_clang_foreign
    "kernel/clang/foreign: bitcode is read as its assembly is? with the names of variables"
    "kernel/clang/foreign: what bitcode has been damaged is refused? and brings nothing down")
set(covered_kernel_clang_headers
    "kernel/clang/headers: what OpenCL C has is read"
    "kernel/clang/headers: the headers that programs include are there"
    "kernel/clang/headers: a host program calls what is known of it? and no more")
set(covered_kernel_components
    "kernel/components: what is loaded of one is not loaded of the others")
set(covered_kernel_directives
    "kernel/directives: a launch of a kernel that is not there is an error")
set(covered_kernel_explain
    "kernel/explain: a variable that nothing has written holds what it was defined with"
    "kernel/explain: what is taken for granted? and what is doubtful? is said as by check"
    "kernel/explain: the steps of a large launch have the numbers of its threads"
    "kernel/explain: lines that no thread reaches are named? in words and in JSON"
    "kernel/explain: where check and verify differ? both say why"
    "kernel/explain: of a host program what is violated stands first")
set(covered_kernel_host_beside
    "kernel/host_beside: variables of a kernel are gone when it has ended"
    "kernel/host_beside: the default stream is a thread's own where the compiler is told so"
    "kernel/host_beside: memory that something may still use is not given back"
    "kernel/host_beside: what ends before its kernels says nothing of these")
set(covered_kernel_host_cpp
    "kernel/host_cpp: strings? arrays? maps and tuples are those of C++"
    "kernel/host_cpp: files may be there or not? and random numbers are any of their range"
    "kernel/host_cpp: what depends on a fetch from a texture is possible? not violated")
set(covered_kernel_host_errors
    "kernel/host_errors: several calls may fail in a run"
    "kernel/host_errors: answers say what they take for granted? and nothing else")
set(covered_kernel_host
    "kernel/host: what a kernel computes comes back to the host"
    "kernel/host: a launch of too many threads writes beyond the buffer"
    "kernel/host: races and their absence"
    "kernel/host: every outcome of a kernel is looked at"
    "kernel/host: unknown values are any that the assumptions leave"
    "kernel/host: unknown values have the widths of their own? whatever other ways draw"
    "kernel/host: strings are what the C library makes of them"
    "kernel/host: what is not known is refused"
    "kernel/host: what is read from the outside is unknown"
    "kernel/host: copies go on beside the host where its memory is pinned"
    "kernel/host: threads race on memory of the host that the device reaches"
    "kernel/host: rows are copied by their pitches"
    "kernel/host: bytes in words and bfloat16 are computed"
    "kernel/host: the grid meets in cooperative launches alone"
    "kernel/host: what a program made is gone behind a reset"
    "kernel/host: streams and events that are destroyed are not used"
    "kernel/host: memory is given back as it was made")
set(covered_kernel_inner_bounds
    "kernel/inner_bounds: so are they in shaders"
    "kernel/inner_bounds: what only points behind an array? or is none? is right"
    "kernel/bounds: data that may be anything are no fault where nobody gave a size")
set(covered_kernel_library
    "kernel/library: every kernel is read? and its directives are about it")
set(covered_kernel_machine
    "kernel/machine: writes of different values to one place race? of equal ones do not"
    "kernel/machine: a barrier orders what threads of its workgroup do? and no others"
    "kernel/machine: a lock without fences orders nothing? with fences it does"
    "kernel/machine: fences of a block do not order threads of another one"
    "kernel/machine: a barrier that not all threads reach is divergence"
    "kernel/machine: unknown data are followed both ways? and joined"
    "kernel/machine: an index out of unknown data is held to the bounds"
    "kernel/machine: a branch on memory that was never written is an error"
    "kernel/machine: what unknown divisors may be is looked at"
    "kernel/machine: an error shows where a launch begins in too many ways to look at all"
    "kernel/machine: a loop that waits by plain loads becomes steps? and races with its writer"
    "kernel/machine: sums whose order nobody sees are taken in one order"
    "kernel/machine: what happens behind thousands of barriers is seen"
    "kernel/machine: a deadline ends a loop that nobody else sees"
    "kernel/machine: a fence of a block takes nothing from an earlier one of the device"
    "kernel/machine: a fence behind a barrier acquires what was read in front of it"
    "kernel/machine: a write races with every earlier one of another value? not the last alone"
    "kernel/machine: a fence that data decide about orders nothing where it is passed by"
    "kernel/machine: what goes wrong for some data hides nothing of other data"
    "kernel/machine: a race that is for want of fences says so? another one does not"
    "kernel/machine: subgroups that come to a barrier one after the other all come there"
    "kernel/machine: threads of a subgroup wait for good only where none of them goes on"
    "kernel/machine: the value of a lane that takes no part is an error of the shuffle"
    "kernel/machine: fences of CUDA synchronize in their order? by C++'s rules they do not"
    "kernel/machine: an error names the data and the arguments that lead there")
set(covered_kernel_open_results
    "kernel/open_results: a lane that the subgroup lacks gives nothing")
set(covered_kernel_ptx_barriers
    "kernel/ptx/barriers: counts that do not fit are named"
    "kernel/ptx/barriers: threads of a warp come to an aligned one together")
set(covered_kernel_ptx_copies
    "kernel/ptx/copies: what is not copied is zero")
set(covered_kernel_ptx_twins
    "kernel/ptx/twins: hints for caches make no access one that others may wait for")
set(covered_kernel_ptx_values
    "kernel/ptx/values: shifts by the width or more leave nothing but the sign"
    "kernel/ptx/values: addresses of shared memory are followed back to their variable"
    "kernel/ptx/values: what is computed nearly is no known value? but the same one"
    "kernel/ptx/values: one thread of a warp is elected")
set(covered_kernel_refusals
    "kernel/refusals: operations on streams that are not modelled are refused"
    "kernel/refusals: widths of shuffles that CUDA says nothing of")
set(covered_kernel_results
    "kernel/results: what is written to buffers has been set"
    "kernel/results: so is memory beside writes of one value? which are no race"
    "kernel/results: what is only carried along? or does not matter? may be anything"
    "kernel/results: results of kernels that host programs launch have been set"
    "kernel/results: what an answer takes for granted of variables and pointers is said"
    "kernel/results: that buffers do not overlap is said of those that nobody gives"
    "kernel/results: a tile that is made for more threads than the default has is no error")
set(covered_kernel_shader_orders
    "kernel/shader_orders: barriers and fences order the memory that they are for"
    "kernel/shader_orders: what one workgroup tells another one"
    "kernel/shader_orders: barriers of HLSL? and buffers that are named otherwise")
set(covered_kernel_shaders
    "kernel/shaders: an array is as long as its buffer")
set(covered_kernel_spirv_hlsl
    "kernel/spirv/hlsl: globallycoherent is said of a variable? not of its type")
set(covered_kernel_test_default_launch
    "kernel/default_launch: the answer? a note and JSON say what range it is about"
    "kernel/default_launch: loops to a bound that nobody gives end"
    "kernel/default_launch: beyond a limit? there is a proof? or values are asked for"
    "kernel/default_launch: the directive of a note? in the file? says what the note does"
    "kernel/default_launch: where all data is too much? the answer is about some? and says so"
    "kernel/default_launch: what goes wrong by some data is told"
    "kernel/default_launch: data of which a size is given is not replaced"
    "kernel/default_launch: the launch that is offered goes wrong as the one looked at"
    "kernel/default_launch: a directive is offered on a line of its own? whatever its length"
    "kernel/default_launch: what is given is not called a default")
set(covered_kernel_test_launch_key
    "kernel/test/launch_key: launches of one kernel with other data are told apart")
set(covered_kernel_test_program
    "kernel/test/program: a step that was taken before leads where it would lead anew"
    "kernel/test/program: steps that open barriers? or end threads for others? are not kept")
set(covered_kernel_test_warnings
    "kernel/test/warnings: a lock that is released behind its loop hangs in lockstep"
    "kernel/test/warnings: a lock that is released in each round of its loop does not"
    "kernel/test/warnings: nor do one thread of each subgroup? or one after the other"
    "kernel/test/warnings: a flag set on the other side of a branch may come second"
    "kernel/test/warnings: a barrier that other launches may part is told from one for all"
    "kernel/test/warnings: what all threads read of one place keeps them together"
    "kernel/test/warnings: a spin on a plain load is told? also where it races at once")
set(covered_kernel_values
    "kernel/values: what a loop of unknown rounds has counted is known behind it"
    "kernel/values: what is read by __ldg is not written"
    "kernel/values: atomic accesses of two widths to one word race"
    "kernel/values: threads that name different ones to a broadcast of Vulkan get anything"
    "kernel/values: constant memory holds what it is initialized with? which is said")
set(covered_lang_axb_litmus_parser
    "lang/axb/litmus_parser: a line of ten megabytes takes little time and a short message"
    "lang/axb/litmus_parser: many lines take little time")
set(covered_lang_axb_placed
    "lang/axb/placed: the checker and the oracle agree under all pairs of models")
set(covered_lang_axb_printer
    "lang/axb/printer: random tests are read back as they were")
set(covered_lang_idiom_key
    "lang/idiom/key: a program can be read off its key")
set(covered_lang_idiom_tables
    "lang/idiom/tables: a program that is too large has none? and says why")
set(covered_models_model_file
    "models/model_file: what is no YAML or no model is refused")
set(covered_models_order
    "models/order: N threads have 3 to the N histories"
    "models/order: models that remember F are compared on their joint automaton"
    "models/order: no test passes under a lower reading and fails under a higher one")
set(covered_models_scoped
    "models/scoped: no test in groups passes under a lower reading and fails a higher one")
set(covered_smt_solver
    "smt/solver: a strided index has its residue? over bits and over integers"
    "smt/solver: a solver that was asked keeps no thread that starting processes waits for")
set(covered_suite_fingerprint
    "suite/fingerprint: no set of tests is smaller? and none of the same size comes before"
    "suite/fingerprint: five tests tell the eleven readings apart")
set(covered_suite_power
    "suite/power: without a mistake obligations are those of the checker"
    "suite/power: mistakes in joining levels need threads in groups")
set(covered_synth_distinguish
    "synth/distinguish: both engines agree on the smallest size where threads are in groups")
set(covered_synth_explicit_explicit_engine
    "synth/explicit/explicit_engine: finer cubes have the same tests")
set(covered_synth_lockstep
    "synth/lockstep: so many tests there are? and so many are minimal")
set(covered_synth_sat_sat_engine
    "synth/sat/sat_engine: finds exactly the litmus tests of small bounds"
    "synth/sat/sat_engine: finds what the explicit engine finds where threads meet"
    "synth/sat/sat_engine: complete at four instructions"
    "synth/sat/sat_engine: finer cubes have the same tests")
set(covered_synth_space_filter
    "synth/space/filter: what fairness alone rules out has no test")
set(covered_synth_synthesize
    "synth/synthesize: shards of finer cubes hold every test once? at any number of them"
    "synth/synthesize: a count is how many tests there are? in all and of all parts")
set(covered_verify_affine_random
    "verify/affine: no accesses are held apart for all sizes that meet in a run of some")
set(covered_verify_assumptions
    "verify/assumptions: what is assumed leaves out arguments? and nothing else"
    "verify/assumptions: what is no condition of this kernel has its place")
set(covered_verify_termination
    "verify/termination: a loop that ends whatever holds in it needs no invariant")
set(covered_verify_vacuous
    "verify/vacuous: what is required late is assumed from there on")
set(covered_verify_walks
    "verify/walks: a launch from which no execution ends hangs? at the line where it waits"
    "verify/walks: launches that end in some executions? or may do so? do not hang"
    "verify/walks: a launch hangs where nothing is guessed that it waits for")
set(covered_verify_whole_launch
    "verify/whole_launch: what ends is verified? under a model where it waits")
