"""Asking people: the desk that all questions to them pass, whoever asks and by whichever way they are reached."""
