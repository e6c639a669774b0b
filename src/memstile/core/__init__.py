"""The pure core: values in, values out. No file, clock, environment or process is touched below here."""
