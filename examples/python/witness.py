"""Why a lock hangs: its witness, its transition system as a graph, and which models would do."""

import headway

test, = headway.parse("""litmus spin-mutex
locations m;
thread 0 { while (Exch(m, 1) == 1); m = 0; }
thread 1 { while (Exch(m, 1) == 1); m = 0; }
""")
why = headway.explain(test, "HSA")
print(why["verdict"], "-", why["summary"])
for step in why["cycle"]:
    print(f"  thread {step['thread']}: {step['statement']}  {step['effect']}")

system = headway.transition_system(test, "HSA")
print(len(system.states), "states,", sum(s["on_fair_cycle"] for s in system.states),
      "on a fair cycle")
try:
    graph = system.to_networkx()
    print(graph.number_of_nodes(), "nodes,", graph.number_of_edges(), "edges in networkx")
except ImportError:
    print("networkx is not there")

print("suffices:", ", ".join(headway.check(test)["weakest_sufficient"]))
print("HSA is", headway.compare("HSA", "HSA+OBE"), "HSA+OBE")
