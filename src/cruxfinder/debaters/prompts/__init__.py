"""What a model is told and how its reply is read: pure functions of the persona, the public record and the ask."""
