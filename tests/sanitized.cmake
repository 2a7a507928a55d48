# Made by scripts/sanitized: the cases that AddressSanitizer's build leaves out, as its others run nearly
# all branches of the code that these run; and the entries of which it would run none.
set(covered
    checker/lts/explore
    checker/readings_agreement
    emit/semantics
    kernel/happens_before
    kernel/native
    kernel/needed
    kernel/ptx/phases
    kernel/ptx/refusals
    kernel/ptx/twins
    kernel/same_writes
    kernel/symmetry
    kernel/test/assumption)
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
    "checker/sweep/sweep: models that remember F have the whole LTS beside it"
    "checker/sweep/sweep: small members of all families in all ways"
    "checker/sweep/sweep: large members of families have the verdicts of small ones")
set(covered_checker_witness_choices
    "checker/witness/choices: where the search gives up a fair cycle is found all the same")
set(covered_checker_witness_witness
    "checker/witness/witness: where the search for a smallest cycle gives up any fair one is shown"
    "checker/witness/witness: mutated witnesses are accepted exactly when they are still fair"
    "checker/witness/witness: the replay tells all short lassos right")
set(covered_cli_app
    "cli/app: the help of every command says what it does and shows an example")
set(covered_cli_check
    "cli/check: all litmus tests meet their expectations"
    "cli/check: a folder without tests is bad input and others are decided"
    "cli/check: notes of several files name them? and say once what is so of several")
set(covered_cli_devices
    "cli/devices: operations of subgroups on C++ threads"
    "cli/devices: the fingerprint suite on C++ threads")
set(covered_cli_explain
    "cli/explain: the verdicts are those of check"
    "cli/explain: check writes a witness for every failing verdict"
    "cli/explain: without a model? one under which the test need not end")
set(covered_cli_figures
    "cli/figures: presets fill in what is not given")
set(covered_cli_idioms
    "cli/idioms: every idiom expects verdicts for 2? 3 and 4 threads? and has them"
    "cli/idioms: the table in the documentation is what headway says")
set(covered_cli_kernel_answers
    "cli/kernel_answers: what goes wrong counts for more than what is open"
    "cli/kernel_answers: directives may stand behind a byte order mark"
    "cli/kernel_answers: a kernel takes no command more time than it has")
set(covered_cli_kernels
    "cli/kernels: a kernel on standard input is the same as in a file"
    "cli/kernels: messages about standard input name it and show its lines"
    "cli/kernels: headers of standard input lie where headway runs"
    "cli/kernels: -x says the language of a file of any name"
    "cli/kernels: no line for people is longer than 200 places")
set(covered_cli_models
    "cli/models: compare of memory models finds a test? as JSON too")
set(covered_cli_promise
    "cli/promise: of a hang it is said who waits where for whom? and what would help"
    "cli/promise: a limit does not change what would help? but may leave it unsaid"
    "cli/promise: what ends as the text promises is said in a sentence"
    "cli/promise: rows of the language's own text? and those of the literature on demand"
    "cli/promise: what is required of all is an expectation? but where a test has its own"
    "cli/promise: a program with a host side is answered for in a sentence? too"
    "cli/promise: among several files a kernel is called by its file? too")
set(covered_cli_report
    "cli/report: a limit leaves verdicts unknown? and says so"
    "cli/report: a kernel with its lines? its verdicts and an execution")
set(covered_cli_residency
    "cli/residency: of workgroups of several threads it is said how many workgroups"
    "cli/residency: workgroups of one thread are workgroups? too"
    "cli/residency: of what goes wrong no more is said than that")
set(covered_cli_run
    "cli/run: a test that cannot terminate is killed and reported? and the others go on"
    "cli/run: killing the runner loses no finished test and leaves no process behind"
    "cli/run: killing the child loses its run? and says so"
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
set(covered_cli_scopes
    "cli/scopes: the library of launches of groups has the verdicts it says")
set(covered_cli_suite
    "cli/suite: a conformance suite holds the tests that pass? and they check")
set(covered_cli_synth
    "cli/synth: both engines and any number of cores write the same bytes"
    "cli/synth: shards merge to the bytes of one run"
    "cli/synth: killed at any moment and begun again it writes the bytes of one run")
set(covered_cli_verify_launch
    "cli/verify_launch: any size is any in the dimensions that a kernel looks at"
    "cli/verify_launch: a default of one dimension is told where a kernel looks at two"
    "cli/verify_launch: a name that no kernel has is refused"
    "cli/verify_launch: workgroups fill a tile where nobody says how large they are"
    "cli/verify_launch: runs take arguments that differ from each other"
    "cli/verify_launch: a kernel for rows and columns is launched in both"
    "cli/verify_launch: what is not proved for all sizes may be for plain ones")
set(covered_cli_verify
    "cli/verify: --keep proves only what has changed? and nothing from a damaged file"
    "cli/verify: a table says when nobody looked at the ends of arrays"
    "cli/verify: what is violated is the exit status? whatever else is open"
    "cli/verify: files say what is asked? the command line adds to it"
    "cli/verify: an option takes one value each time? and what stands behind it is a path"
    "cli/verify: what nobody looks at is told? and an error where that is all"
    "cli/verify: buffers may be as large as arguments and sizes say"
    "cli/verify: flags are those of check? written as compilers have them")
set(covered_consistency_distinguish_distinguish
    "consistency/distinguish: a test that is found holds under one model and not the other"
    "consistency/distinguish: PTX lets weak reads disagree? and nothing that is in one line"
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
set(covered_emit_placed_axb
    "emit/placed_axb: what is structured is written for targets with uniform barriers")
set(covered_every_key
    "every/key: places of threads in a row have keys of their own")
set(covered_every_symbolic
    "every/linear: what is called impossible has no solution")
set(covered_kernel_causality
    "kernel/causality: what a thread did before a write that is observed is not ordered"
    "kernel/causality: it is PTX's? and neither C++'s nor OpenCL's")
set(covered_kernel_clang_arguments
    "kernel/clang/arguments: a parameter that has a name is used")
set(covered_kernel_clang_compile
    "kernel/clang/compile: a kernel of each kind? and where its steps stand"
    "kernel/clang/compile: both sides of a CUDA program"
    "kernel/clang/compile: the user's flags? whatever they say of optimization"
    "kernel/clang/compile: versions of OpenCL C"
    "kernel/clang/compile: nothing is left behind"
    "kernel/clang/compile: a macro of the user's changes nothing that is always there")
set(covered_kernel_clang_foreign
    "kernel/clang/foreign: modules of clang's own headers have the verdicts of their sources"
    "kernel/clang/foreign: what bitcode has been damaged is refused? and brings nothing down")
set(covered_kernel_clang_headers
    "kernel/clang/headers: what OpenCL C has is read"
    "kernel/clang/headers: atomics and collectives of OpenCL 2.0 are read"
    "kernel/clang/headers: the headers that programs include are there"
    "kernel/clang/headers: a host program calls what is known of it? and no more")
set(covered_kernel_components
    "kernel/components: what is stored to one is not stored to the others"
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
    "kernel/host_errors: where a program asks whether a call failed? both ways are looked at"
    "kernel/host_errors: several calls may fail in a run"
    "kernel/host_errors: answers say what they take for granted? and nothing else"
    "kernel/host_errors: which thread of a group is chosen is open")
set(covered_kernel_host
    "kernel/host: what a kernel computes comes back to the host"
    "kernel/host: a launch of too many threads writes beyond the buffer"
    "kernel/host: races and their absence"
    "kernel/host: every outcome of a kernel is looked at"
    "kernel/host: unknown values are any that the assumptions leave"
    "kernel/host: unknown values have the widths of their own? whatever other ways draw"
    "kernel/host: copies of the wrong direction and size? and memory that is gone"
    "kernel/host: strings are what the C library makes of them"
    "kernel/host: what is not known is refused"
    "kernel/host: what is read from the outside is unknown"
    "kernel/host: loops that wait for the right input end at states that were seen"
    "kernel/host: what only later rounds of an input loop do is found"
    "kernel/host: kernels of two streams that touch different memory run beside each other"
    "kernel/host: streams wait for events? the default stream and the host"
    "kernel/host: copies go on beside the host where its memory is pinned"
    "kernel/host: threads race on memory of the host that the device reaches"
    "kernel/host: rows are copied by their pitches"
    "kernel/host: bytes in words and bfloat16 are computed"
    "kernel/host: a launch that no device takes runs nothing? and gives an error"
    "kernel/host: a copy between places of the device goes on beside the host"
    "kernel/host: what a program made is gone behind a reset"
    "kernel/host: streams and events that are destroyed are not used"
    "kernel/host: memory is given back as it was made")
set(covered_kernel_inner_bounds
    "kernel/inner_bounds: indices of members and of rows are within them"
    "kernel/inner_bounds: so are they in shaders"
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
    "kernel/machine: the least number by -1 is an error? as its quotient does not fit"
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
    "kernel/machine: the same operation of a warp at two places meets by its mask in CUDA"
    "kernel/machine: the value of a lane that takes no part is an error of the shuffle"
    "kernel/machine: fences of CUDA synchronize in their order? by C++'s rules they do not"
    "kernel/machine: an error names the data and the arguments that lead there")
set(covered_kernel_open_results
    "kernel/open_results: functions of OpenCL C that are not said to be exact"
    "kernel/open_results: a lane that the subgroup lacks gives nothing")
set(covered_kernel_opencl
    "kernel/opencl: all threads of a workgroup name the same one to a broadcast")
set(covered_kernel_ptx_barriers
    "kernel/ptx/barriers: pairs that do not fit"
    "kernel/ptx/barriers: counts that do not fit are named"
    "kernel/ptx/barriers: a barrier of all? and one of each part"
    "kernel/ptx/barriers: threads of a warp come to an aligned one together")
set(covered_kernel_ptx_copies
    "kernel/ptx/copies: a copy is over when its thread has waited for it"
    "kernel/ptx/copies: groups are waited for from the oldest on"
    "kernel/ptx/copies: what is not copied is zero")
set(covered_kernel_ptx_files
    "kernel/ptx/files: what clang makes of kernels has the verdicts of their sources")
set(covered_kernel_ptx_values
    "kernel/ptx/values: shifts by the width or more leave nothing but the sign"
    "kernel/ptx/values: addresses of shared memory are followed back to their variable"
    "kernel/ptx/values: what is computed nearly is no known value? but the same one"
    "kernel/ptx/values: one thread of a warp is elected")
set(covered_kernel_refusals
    "kernel/refusals: calls that are not modelled are refused by name"
    "kernel/refusals: operations on streams that are not modelled are refused"
    "kernel/refusals: widths of shuffles that CUDA says nothing of")
set(covered_kernel_results
    "kernel/results: what is written to buffers has been set"
    "kernel/results: so is memory beside writes of one value? which are no race"
    "kernel/results: what is only carried along? or does not matter? may be anything"
    "kernel/results: results of kernels that host programs launch have been set"
    "kernel/results: what an answer takes for granted of variables and pointers is said"
    "kernel/results: that buffers do not overlap is said of those that nobody gives"
    "kernel/results: flags of barriers are constants? or a choice between some"
    "kernel/results: a tile that is made for more threads than the default has is no error")
set(covered_kernel_shader_orders
    "kernel/shader_orders: barriers and fences order the memory that they are for"
    "kernel/shader_orders: what one workgroup tells another one"
    "kernel/shader_orders: barriers of HLSL? and buffers that are named otherwise")
set(covered_kernel_shaders
    "kernel/shaders: specialization sizes workgroups? and names constants that there are"
    "kernel/shaders: an array is as long as its buffer")
set(covered_kernel_slice_slice
    "kernel/slice: the command prints a test that check decides as it expects")
set(covered_kernel_spirv_glsl
    "kernel/spirv/glsl: messages name bits that there are not? and fences that are missing")
set(covered_kernel_spirv_hlsl
    "kernel/spirv/hlsl: globallycoherent is said of a variable? not of its type")
set(covered_kernel_test_default_launch
    "kernel/default_launch: an integer that is not given is small? and not negative"
    "kernel/default_launch: the answer? a note and JSON say what range it is about"
    "kernel/default_launch: loops to a bound that nobody gives end"
    "kernel/default_launch: beyond a limit? values are asked for? or a proof"
    "kernel/default_launch: the directive of a note? in the file? says what the note does"
    "kernel/default_launch: where all data is too much? the answer is about some? and says so"
    "kernel/default_launch: what goes wrong by some data is told"
    "kernel/default_launch: an answer about some data that leaves a line out is none"
    "kernel/default_launch: data that is given is not replaced"
    "kernel/default_launch: workgroups fill a subgroup where a kernel needs its lanes"
    "kernel/default_launch: a tile is filled where what is computed may come from its rest"
    "kernel/default_launch: a tile is filled also where some values come from none of it"
    "kernel/default_launch: what only a few threads lack is no fault of a kernel for more"
    "kernel/default_launch: a directive is offered on a line of its own? whatever its length"
    "kernel/default_launch: what is given is not called a default")
set(covered_kernel_test_launch_key
    "kernel/test/launch_key: launches of one kernel with other data are told apart")
set(covered_kernel_test_program
    "kernel/test/program: a step that was taken before leads where it would lead anew"
    "kernel/test/program: steps that open barriers? or end threads for others? are not kept")
set(covered_kernel_test_struct_arguments
    "kernel/struct_arguments: a lock whose word a structure points to is taken and given back"
    "kernel/struct_arguments: each pointer goes to a buffer of its own? of unknown data")
set(covered_kernel_test_warnings
    "kernel/test/warnings: a lock that is released behind its loop hangs in lockstep"
    "kernel/test/warnings: a lock that is released in each round of its loop does not"
    "kernel/test/warnings: nor do one thread of each subgroup? or one after the other"
    "kernel/test/warnings: a flag set on the other side of a branch may come second"
    "kernel/test/warnings: a barrier that other launches may part is told from one for all"
    "kernel/test/warnings: what all threads read of one place keeps them together"
    "kernel/test/warnings: a spin on a plain load is told? also where it races at once")
set(covered_kernel_values
    "kernel/values: what was never set is any value? and an error where something hangs on it"
    "kernel/values: what a loop of unknown rounds has counted is known behind it"
    "kernel/values: what is read by __ldg is not written"
    "kernel/values: conversions saturate on NVIDIA's devices? and shifts by the width have no value"
    "kernel/values: what is written counts? though nobody reads it"
    "kernel/values: what a file of LLVM leaves undefined is no value"
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
set(covered_models_model_file
    "models/model_file: what is no YAML or no model is refused")
set(covered_models_order
    "models/order: N threads have 3 to the N histories"
    "models/order: models that remember F are compared on their joint automaton"
    "models/order: no test passes under a lower reading and fails under a higher one")
set(covered_models_scoped
    "models/scoped: no test in groups passes under a lower reading and fails a higher one")
set(covered_report_explanation
    "report/explanation: the JSON of a failing verdict holds its witness"
    "report/explanation: the JSON of a passing verdict holds every broken cycle")
set(covered_report_html
    "report/html: without one the smallest tests are recorded? as many as there is room for")
set(covered_smt_solver
    "smt/solver: a strided index has its residue? over bits and over integers"
    "smt/solver: a solver that was asked keeps no thread that starting processes waits for")
set(covered_suite_fingerprint
    "suite/fingerprint: no set of tests is smaller? and none of the same size comes before"
    "suite/fingerprint: five tests tell the eleven readings apart")
set(covered_suite_power
    "suite/power: without a mistake obligations are those of the checker"
    "suite/power: mistakes in joining levels need threads in groups"
    "suite/surviving: the promises that are left of a machine are those that it keeps")
set(covered_synth_distinguish
    "synth/distinguish: both engines agree on the smallest size where threads are in groups")
set(covered_synth_explicit_explicit_engine
    "synth/explicit/explicit_engine: finds exactly the well-formed programs that trying all finds"
    "synth/explicit/explicit_engine: finer cubes have the same tests")
set(covered_synth_lockstep
    "synth/lockstep: subgroups of one lane are independent threads"
    "synth/lockstep: so many tests there are? and so many are minimal")
set(covered_synth_sat_proof
    "synth/sat/proof: what is written is accepted")
set(covered_synth_sat_sat_engine
    "synth/sat/sat_engine: finds exactly the litmus tests of small bounds"
    "synth/sat/sat_engine: finds what the explicit engine finds where threads meet"
    "synth/sat/sat_engine: complete at four instructions"
    "synth/sat/sat_engine: finer cubes have the same tests"
    "synth/sat/sat_engine: every clause excludes only programs that its ground speaks of"
    "synth/sat/sat_engine: bounds that are too large are an error")
set(covered_synth_space_filter
    "synth/space/filter: what fairness alone rules out has no test")
set(covered_synth_synthesize
    "synth/synthesize: shards of finer cubes hold every test once? at any number of them"
    "synth/synthesize: a count is how many tests there are? in all and of all parts"
    "synth/synthesize: a run that is ended again and again has the tests of one run")
set(covered_verify_affine_random
    "verify/affine: no accesses are held apart for all sizes that meet in a run of some")
set(covered_verify_assumptions
    "verify/assumptions: what is assumed leaves out arguments? and nothing else"
    "verify/assumptions: what is no condition of this kernel has its place")
set(covered_verify_termination
    "verify/termination: of 320 loops over bytes? none is said to end that goes on"
    "verify/termination: a loop that ends whatever holds in it needs no invariant")
set(covered_verify_vacuous
    "verify/vacuous: a launch of one thread has claims? too"
    "verify/vacuous: what is required late is assumed from there on")
set(covered_verify_walks
    "verify/walks: a launch from which no execution ends hangs? at the line where it waits"
    "verify/walks: launches that end in some executions? or may do so? do not hang"
    "verify/walks: a lock that is released behind its loop hangs in lockstep? and only there"
    "verify/walks: a launch hangs where nothing is guessed that it waits for")
set(covered_verify_whole_launch
    "verify/whole_launch: random kernels with flags? of which a proof never says otherwise")
