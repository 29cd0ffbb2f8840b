//! The ruler: command, scripts and the narrowing facts of runner configuration, and how two of them differ.
