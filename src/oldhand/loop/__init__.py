"""The turn: the only place that joins acting, recording and learning."""
