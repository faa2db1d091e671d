"""The command line: `start` is where it begins, `app` the command and its groups."""
