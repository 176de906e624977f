"""The words of questions: how they are taken apart, what general words mean, and how names and values are worded."""
