"""Oldhand over the network: an HTTP API over the same methods that programs call, chat completions, and MCP."""
