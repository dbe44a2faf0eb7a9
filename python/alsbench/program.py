# SPDX-License-Identifier: Apache-2.0
"""The program `alsbench` that this package carries, as a process."""

import contextlib
import json
import os
import pathlib
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from typing import Any

from alsbench.errors import MachineError, UsageError

PROGRAM = pathlib.Path(__file__).with_name("bin") / "alsbench"
NOT_BUILT = (
    f"alsbench is not built: there is no {PROGRAM}; `pip install .` builds it, or scripts/setup alsbench_python "
    "with PYTHONPATH=build/python"
)

# harness/process/exit_code.h
_ERRORS = {2: UsageError, 3: MachineError, 4: UsageError}
_CASES_FAILED = 5
_REGRESSION = 1

Progress = Callable[[dict[str, Any]], None]


def main() -> None:
    """The command `alsbench` of an installed wheel: the program, which reads and writes Parquet and Arrow through pipes."""
    from alsbench import arrow_output
    from alsbench.arrow import open_tables

    if sys.argv[1:2] == ["import"]:
        from alsbench import import_command

        sys.exit(import_command.main(sys.argv[2:]))
    if sys.argv[1:2] == ["export"]:
        from alsbench import export_command

        if export_command.is_of_a_model(sys.argv[2:]):
            sys.exit(export_command.main(sys.argv[2:]))
    try:
        arguments, outputs = arrow_output.outputs_of(sys.argv[1:])
        open_tables(arguments)
        if outputs:
            sys.exit(arrow_output.run(str(PROGRAM), arguments, outputs))
    except arrow_output.OutputError as error:
        print(f"alsbench: error: {error}", file=sys.stderr)
        sys.exit(error.code)
    os.execv(PROGRAM, [str(PROGRAM), *arguments])


def run(arguments: Sequence[str], progress: Progress | None = None, accept: Sequence[int] = (0,)) -> int:
    """Runs the program to its end; returns its exit code, which is one of `accept`.

    progress gets an object for each step that the program tells, as `--progress json` prints them.
    Ctrl-C asks the program to end in order, once; a second one kills it.

    Raises UsageError, MachineError or RuntimeError with what the program said, and KeyboardInterrupt.
    """
    if not PROGRAM.exists():
        raise MachineError(NOT_BUILT)
    command = [str(PROGRAM), *arguments, *(["--progress", "json"] if progress else ["--quiet"])]
    # A session of its own: Ctrl-C in a terminal reaches it once, through this process.
    with subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        said: list[str] = []
        failure: list[BaseException] = []
        reader = threading.Thread(target=_read, args=(process, said, progress, failure))
        reader.start()
        try:
            reader.join()
            process.wait()
        except BaseException:
            _end(process)
            raise
        finally:
            reader.join()
    if failure:
        raise failure[0]
    if process.returncode in accept:
        return process.returncode
    message = "\n".join(said).strip().removeprefix("alsbench: error: ")
    raise _ERRORS.get(process.returncode, RuntimeError)(message or f"{PROGRAM} ended with {process.returncode}")


def _read(process: subprocess.Popen, said: list[str], progress: Progress | None, failure: list[BaseException]) -> None:
    assert process.stderr is not None
    for line in process.stderr:
        event = _event(line) if progress else None
        if event is None:
            said.append(line.rstrip("\n"))
        elif progress and not failure:
            try:
                progress(event)
            except BaseException as error:
                failure.append(error)
                process.send_signal(signal.SIGINT)


def _event(line: str) -> dict[str, Any] | None:
    with contextlib.suppress(ValueError):
        event = json.loads(line)
        if isinstance(event, dict):
            return event
    return None


def _end(process: subprocess.Popen) -> None:
    """Asks the program to end in order, and kills it where waiting for that is interrupted, too."""
    process.send_signal(signal.SIGINT)
    try:
        process.wait()
    except BaseException:
        process.kill()
        raise
