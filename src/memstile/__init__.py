"""Keep an AI agent's memory vault loadable, private and honest."""

__version__ = "0.1.0"
