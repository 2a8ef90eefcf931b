"""The native module of this tier is built into this folder."""
