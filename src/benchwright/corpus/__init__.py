"""Documents in: files become texts with named sections and sentences, or are refused with a reason."""
