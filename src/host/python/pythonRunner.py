"""Runs what `python3` was asked for in this interpreter, which many runs share."""

import asyncio
import os
import runpy
import sys
import time
import traceback
import types

_modules_at_start = set(sys.modules)
_path_at_start = list(sys.path)


class _Selector:
    """Waits for nothing but time: a worker has no files to wait for."""

    def select(self, timeout=None):
        if timeout:
            time.sleep(timeout)
        return []

    def close(self):
        pass


class _Loop(asyncio.base_events.BaseEventLoop):
    """An event loop that runs to its end where it is called, as `asyncio.run` expects."""

    def __init__(self):
        super().__init__()
        self._selector = _Selector()

    def _process_events(self, events):
        pass

    def _write_to_self(self):
        pass


class _Policy(asyncio.events._BaseDefaultEventLoopPolicy):
    _loop_factory = _Loop


def _open_streams():
    """A run may close what it prints to, so each gets streams of its own."""

    def opened(number, mode, **options):
        return open(number, mode, encoding="utf-8", closefd=False, **options)

    sys.stdin = sys.__stdin__ = opened(0, "r", errors="surrogateescape")
    sys.stdout = sys.__stdout__ = opened(1, "w", errors="surrogateescape")
    sys.stderr = sys.__stderr__ = opened(2, "w", errors="backslashreplace")


def _forget(roots):
    """Modules of the project are read anew by the next run: their files may have changed."""
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None) or ""
        if name not in _modules_at_start and (not file or file.startswith(tuple(roots))):
            del sys.modules[name]
    sys.path_importer_cache.clear()


def _show(error, own_file):
    told = error.__traceback__
    while told is not None and told.tb_frame.f_code.co_filename in (own_file, "<frozen runpy>"):
        told = told.tb_next
    traceback.print_exception(type(error), error, told)
    if isinstance(error, ModuleNotFoundError):
        print(
            "python3 here is Pyodide with its standard library: packages cannot be installed.",
            file=sys.stderr,
        )


def _exit_code(error):
    if error.code is None:
        return 0
    if isinstance(error.code, int):
        return error.code & 0xFF
    print(error.code, file=sys.stderr)
    return 1


def _execute(mode, target):
    if mode == "module":
        runpy.run_module(target, run_name="__main__", alter_sys=True)
        return
    main = types.ModuleType("__main__")
    sys.modules["__main__"] = main
    if mode == "file":
        main.__file__ = target
        with open(target, "rb") as source:
            text = source.read()
        code = compile(text, target, "exec")
    else:
        code = compile(target, "<string>" if mode == "command" else "<stdin>", "exec")
    exec(code, main.__dict__)


def run(mode, target, argv, env, cwd, roots):
    """Answers the exit code."""
    roots = list(roots)
    os.environ.clear()
    os.environ.update(env)
    os.chdir(cwd)
    sys.argv[:] = list(argv)
    sys.path[:] = [os.path.dirname(target) if mode == "file" else cwd if mode == "module" else "", *_path_at_start]
    sys.dont_write_bytecode = True
    old_main = sys.modules.get("__main__")
    asyncio._set_running_loop(None)
    asyncio.events._set_event_loop_policy(_Policy())
    _open_streams()
    exit_code = 0
    try:
        _execute(mode, target)
    except SystemExit as error:
        exit_code = _exit_code(error)
    except BaseException as error:
        _show(error, __file_of_runner__)
        exit_code = 1
    finally:
        for stream in (sys.stdout, sys.stderr):
            try:
                stream.flush()
            except Exception:
                pass
        sys.modules["__main__"] = old_main
        _forget(roots)
        os.chdir("/")
    return exit_code
