"""Those who answer asks: simulated believers, scripted answers, the devil's advocate."""
