"""Acting: the analysis and the minds that think in it."""
