# SPDX-License-Identifier: Apache-2.0
"""Outputs of the command `alsbench` as files of Parquet or Arrow, made of what the program writes into a pipe.

alsbench recommend --model model -o top.parquet       # of the wheel, and python -m alsbench
"""

import argparse
import contextlib
import fcntl
import os
import pathlib
import re
import signal
import socket
import stat
import subprocess
import sys
import threading
from collections.abc import Sequence
from typing import Any

from alsbench import arrow_lists
from alsbench.arrow import need_packages
from alsbench.arrow_lists import ModelIds
from alsbench.arrow_tables import ARROW, PARQUET, WRITERS, Output, import_writer, write_table
from alsbench.errors import ENVIRONMENT, USAGE, MachineError

_ENDINGS = {".parquet": PARQUET, ".pq": PARQUET, ".feather": ARROW, ".arrow": ARROW, ".ipc": ARROW}
_CANNOT = "cannot write '{}': {}; choose a writable folder with free space"
_PIPE_BYTES = 1 << 20  # Linux allows so many without privileges; by default a pipe holds 64 KiB


class OutputError(Exception):
    """A message and an exit code."""

    def __init__(self, message: str, code: int) -> None:
        super().__init__(message)
        self.code = code


def outputs_of(arguments: Sequence[str]) -> tuple[list[str], list[Output]]:
    """The arguments without what asks for files of Parquet or Arrow, and these files; none where the command writes others.

    Raises OutputError where a file of that kind cannot be told from another one of the command.
    """
    words = list(arguments)
    of_data, of_lists = words[:1] == ["data"], words[:1] in (["recommend"], ["similar"])
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("-o", "--out")
    parser.add_argument("--to")
    if of_data:
        parser.add_argument("--test-out")
        parser.add_argument("-q", "--quiet", action="store_true")
    if not of_data and not of_lists and words[:1] not in (["predict"], ["explain"]):
        return words, []
    with contextlib.redirect_stderr(None):
        try:
            found, others = parser.parse_known_args(words)
        except SystemExit:  # the program says what is wrong
            return words, []
    kind = (
        found.to
        if found.to in (PARQUET, ARROW)
        else None
        if found.to
        else _ENDINGS.get(pathlib.Path(found.out or "").suffix.lower())
    )
    if kind is None:
        return words, []
    if found.out in (None, "-", "stdout"):
        raise OutputError(f"--to {kind}: such a file is not written to stdout; give -o a name", USAGE)
    path = pathlib.Path(found.out)
    pipe = "npy" if of_lists else "csv"
    says = of_data and not found.quiet
    outputs = [Output(path, kind, pipe, "-o", says, _ids_of(others) if of_lists else None)]
    _check(outputs[0], others)
    if of_data:
        test = found.test_out or path.with_suffix(".test" + path.suffix)
        outputs.append(Output(pathlib.Path(test), kind, pipe, "--test-out", says))
        _check(outputs[1], others)
        others.append("--quiet")  # its notes have the names of the pipes
    return [*others, "--to", pipe], outputs


def _ids_of(words: Sequence[str]) -> ModelIds:
    """The ids of the model that the words name; the program says what is wrong with it."""
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("--model", nargs="?", default="")
    return ModelIds(parser.parse_known_args(words)[0].model or "")


def run(program: str, arguments: Sequence[str], outputs: Sequence[Output]) -> int:
    """Runs the program, which writes the outputs into pipes, and makes files of them; returns the exit code.

    The files are there as a whole, or not at all where anything failed.
    """
    _need_packages(outputs[0])
    words, files = [program, *arguments], []
    signals = _Signals()
    with contextlib.ExitStack() as stack:
        try:
            for output in outputs:
                file = stack.enter_context(_File(output))
                words += [output.option, f"/dev/fd/{file.writer}"]
                files.append(file)
        except OSError as error:
            raise OutputError(_CANNOT.format(output.path, error.strerror), ENVIRONMENT) from None
        with subprocess.Popen(words, close_fds=False) as process:
            try:
                signals.end(process)
                for file in files:
                    file.start()
                code = process.wait()
            except BaseException:
                process.terminate()
                raise
        for file in files:
            file.finish(signals.code(code))
        code = signals.code(code)
        for file in files if code == 0 else []:
            file.replace()
    return code


class _Signals:
    """Ends the program on SIGTERM, and counts what is written as failed from then on, or from SIGINT on.

    An exception instead could come before anything waits for the program, or while its exit code is read.
    """

    def __init__(self) -> None:
        self._signal = 0
        self._process: subprocess.Popen | None = None
        signal.signal(signal.SIGTERM, self._came)
        if signal.getsignal(signal.SIGINT) != signal.SIG_IGN:
            signal.signal(signal.SIGINT, self._came)

    def end(self, process: subprocess.Popen) -> None:
        """The program that SIGTERM ends; a terminal sends SIGINT to both."""
        self._process = process
        if self._signal == signal.SIGTERM:
            process.terminate()

    def code(self, code: int) -> int:
        """The exit code of a process that ended with `code`, as a shell has it."""
        if code == 0 and self._signal:
            code = -self._signal
        return code if code >= 0 else 128 - code

    def _came(self, number: int, _: Any) -> None:
        self._signal = number
        if number == signal.SIGTERM and self._process is not None:
            self._process.terminate()


def _need_packages(output: Output) -> None:
    try:
        need_packages(*WRITERS[output.kind])
    except MachineError as error:
        raise OutputError(f"cannot write '{output.path}': {error}", ENVIRONMENT) from None


def _check(output: Output, others: Sequence[str]) -> None:
    if output.path.exists() and not output.path.is_file():
        raise OutputError(
            f"{output.option} '{output.path}': is no regular file, and a table is not written into it; give another name",
            USAGE,
        )
    for word in others:
        value = word.partition("=")[2] if word.startswith("--") and "=" in word else word
        with contextlib.suppress(OSError):
            if output.path.samefile(value):
                raise OutputError(
                    f"{output.option} '{output.path}' and '{value}' are one file, which is read and would be overwritten; "
                    "give another name for what is written",
                    USAGE,
                )


def _space() -> str:
    """Where this process's number means this process, as the program has it (harness/files/atomic_file.cpp)."""
    return f"{socket.gethostname()}-{os.stat('/proc/self/ns/pid').st_ino:x}"


def _remove_left_over(folder: pathlib.Path) -> None:
    """Removes temporary files of processes that were killed."""
    name = re.compile(rf".*\.{re.escape(_space())}\.(\d+)\.\d+\.tmp", re.DOTALL)
    with contextlib.suppress(OSError):  # tidying must not fail a write
        for file in folder.iterdir():
            if (found := name.fullmatch(file.name)) and _has_ended(int(found[1])):
                file.unlink()


def _has_ended(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return True
    except OSError:
        pass
    return False


class _File:
    """A file that a thread makes of what comes through a pipe."""

    def __init__(self, output: Output) -> None:
        self.output = output
        self.path = output.path.resolve()  # a link stays, and its target is replaced
        self.new = self.path.with_name(f"{self.path.name}.{_space()}.{os.getpid()}.1.tmp")
        self.error: BaseException | None = None
        self.rows = 0

    def __enter__(self) -> "_File":
        _remove_left_over(self.path.parent)
        os.close(os.open(self.new, os.O_CREAT | os.O_WRONLY, 0o666))  # where it cannot be written, nothing is begun
        with contextlib.suppress(FileNotFoundError):
            self.new.chmod(stat.S_IMODE(self.path.stat().st_mode))  # what was private stays so
        self.reader, self.writer = os.pipe()
        os.set_inheritable(self.writer, True)
        with contextlib.suppress(OSError):  # where the user has too many large ones
            fcntl.fcntl(self.writer, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)
        self.thread = threading.Thread(target=self._make)
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(FileNotFoundError):
            self.new.unlink()

    def start(self) -> None:
        """The program has the pipe."""
        os.close(self.writer)
        self.thread.start()

    def finish(self, code: int) -> None:
        """Waits for the end of the pipe; raises OutputError where the file could not be made of the whole."""
        self.thread.join()
        if code == 0 and isinstance(self.error, arrow_lists.ModelChanged):
            raise OutputError(str(self.error), ENVIRONMENT)
        if isinstance(self.error, ImportError):
            raise OutputError(f"cannot write '{self.output.path}': {self.error}; install it again", ENVIRONMENT)
        if self.error is not None and (code == 0 or isinstance(self.error, OSError)):
            raise OutputError(_CANNOT.format(self.output.path, self.error), ENVIRONMENT)

    def replace(self) -> None:
        if self.rows == 0 and self.output.option == "--test-out":
            return  # a set without test ratings
        try:
            os.replace(self.new, self.path)
        except OSError as error:
            raise OutputError(_CANNOT.format(self.output.path, error.strerror), ENVIRONMENT) from None
        if self.output.says:
            print(f"wrote {self.output.path} ({self.output.kind}, {self.rows} ratings)", file=sys.stderr)

    def _make(self) -> None:
        try:
            import_writer(self.output.kind)  # takes a while, in which the program opens its device
            with os.fdopen(self.reader, "rb") as pipe:
                self.rows = write_table(pipe, self.output, self.new)
        except BaseException as error:  # also of polars, where it panics
            self.error = error
