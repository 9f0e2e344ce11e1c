"""How a wish becomes fact: decide (command to events), evolve (event to state), duties, views."""
