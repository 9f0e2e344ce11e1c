"""Language models behind one port: providers, prices, limits, retries. What they think is the debaters' business."""
