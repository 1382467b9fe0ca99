"""The drill: a small campaign against a provider that fails as providers do, killed again and again, for nothing."""
