"""Public fakes for tests of agents that use Oldhand."""
