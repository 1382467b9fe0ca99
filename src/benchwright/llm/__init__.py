"""Models behind one protocol: providers, and wrappers with the same single method."""
