//! The system clock as the engine's Clock.
