//! Test commands, verify commands, start commands and specs that a project declares, per ecosystem.
