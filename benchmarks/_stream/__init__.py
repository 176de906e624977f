"""The parts of the stream benchmark: what is compared, who says what, replaying, counting, telling."""
