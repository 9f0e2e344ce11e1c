"""What a debate amounts to: cruxes, metrics, the result, and how two results differ."""
