"""Language models behind one port: providers, prices, limits, retries."""
