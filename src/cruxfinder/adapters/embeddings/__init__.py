"""How alike two texts are, measured by the static model that ships with the package, or by keywords."""
