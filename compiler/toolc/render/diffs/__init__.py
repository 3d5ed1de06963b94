"""A diff in every form: for a terminal, for a pull request's comment, for scripts, for forges."""
