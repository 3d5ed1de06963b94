"""The commands, a module each. They stand apart from `cli` because importing one named `list` binds that name."""
