//! Items, history, ranking, graph, search and checks of a work tracker; pure.
