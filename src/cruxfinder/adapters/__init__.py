"""What the core needs of the world: models, embeddings, stores, files."""
