//! Black-box tests of the bundled servers: real processes, pipes and sockets.
