"""A real HTTP server on this machine that speaks the protocols of language models, and misbehaves on demand.

Try Oldhand's language-model side without a key:

    python -m oldhand.testing.fake_server --port 8089 --answers answers.yaml
    OPENAI_BASE_URL=http://127.0.0.1:8089/v1 oldhand ask --model openai:fake "How many customers?"

It speaks OpenAI's chat completions (Ollama and others do the same) and Anthropic's messages.
"""

import argparse
import sys
from pathlib import Path

import yaml
from pydantic import TypeAdapter, ValidationError

from oldhand.errors import InvalidSetting
from oldhand.testing.fake_replies import CalledTool, Fault, Reply, Request, Rule, Rulebook, When
from oldhand.testing.model_server import FakeServer

__all__ = ["CalledTool", "FakeServer", "Fault", "Reply", "Request", "Rule", "When", "read_rules"]


def read_rules(path: Path) -> list[Rule]:
    """The rules of an answers file: a YAML list of `{when: …, reply: …, fault: …, times: …}`.

    Raises:
        InvalidSetting: it does not parse; the message names the entry.
    """
    try:
        found = yaml.safe_load(path.read_text("utf-8"))
        return TypeAdapter(list[Rule]).validate_python(found or [])
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise InvalidSetting(f"{path} cannot be read: {error}") from error
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise InvalidSetting(f"{path}: entry {where}: {first['msg']}") from error


def main(arguments: list[str] | None = None) -> int:
    """Serve until Ctrl-C."""
    parser = argparse.ArgumentParser(
        prog="python -m oldhand.testing.fake_server", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8089, help="0 takes any free port")
    parser.add_argument("--answers", type=Path, help="a YAML list of {when, reply, fault, times}")
    chosen = parser.parse_args(arguments)
    try:
        rules = read_rules(chosen.answers) if chosen.answers else []
        server = FakeServer(Rulebook(rules), host=chosen.host, port=chosen.port)
    except (InvalidSetting, OSError) as problem:
        print(problem, file=sys.stderr)  # noqa: T201 - a command
        return 2
    with server:
        print(f"OPENAI_BASE_URL={server.openai_url}", flush=True)  # noqa: T201
        print(f"ANTHROPIC_BASE_URL={server.url}", flush=True)  # noqa: T201
        print(f"OLLAMA_BASE_URL={server.openai_url}", flush=True)  # noqa: T201
        try:
            server.wait()
        except KeyboardInterrupt:
            return 0
    return 0


if __name__ == "__main__":
    sys.exit(main())
