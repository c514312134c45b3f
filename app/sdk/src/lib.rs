//! A framework for servers of the Model Context Protocol, revision 2026-07-28.
