"""The terminal commands; one thin file each."""
