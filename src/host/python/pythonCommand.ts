import { normalizeFsPath } from "../../fs";
import type { HostCommand, HostCommandContext, HostCommandResult } from "../embedded/hostCommand";
import { DiskImage } from "../node/diskImage";
import { NodeLiteError } from "../node/nodeError";
import { newPythonEngine, type PythonEngine, type PythonMode } from "./pythonEngine";
import { filesFromPython, filesIntoPython, PYTHON_ROOTS, type PythonTimes } from "./pythonFiles";

const USAGE =
  "usage: python3 [-B] [-u] <file> [args] · -c <command> · -m <module of the standard library> · - (script from standard input) · -V";
const NO_PACKAGES =
  "python3 here is Pyodide with its standard library: packages cannot be installed, neither by pip nor by micropip. Write it without, or run it elsewhere.";

/** What one worker keeps: the interpreter, which takes seconds to load, and the files it was given. */
interface KeptEngine {
  readonly engine: PythonEngine;
  times: PythonTimes;
}

let kept: Promise<KeptEngine> | undefined;

/** `python3` by Pyodide (docs/hosts.md). An overrunning script ends with the worker. */
export const pythonCommand: HostCommand = {
  name: "python3",
  summary: "Python with its standard library (Pyodide)",
  async run(args, context) {
    const asked = await askedOf(args, context);
    if ("exitCode" in asked) return asked;
    kept ??= newPythonEngine().then((engine) => ({ engine, times: new Map<string, number>() }));
    try {
      return await runIn(await kept, asked, context);
    } catch (error) {
      // An interpreter that broke once is not asked again.
      kept = undefined;
      throw error;
    }
  },
};

interface Asked {
  readonly mode: PythonMode;
  /** A file, the text of a script, or the name of a module. */
  readonly target: string;
  readonly argv: readonly string[];
}

async function askedOf(args: readonly string[], context: HostCommandContext): Promise<Asked | HostCommandResult> {
  let at = 0;
  // Switches that change nothing here.
  while (/^-[BuEsSIqOx]+$/.test(args[at] ?? "")) at += 1;
  const [first, second] = [args[at], args[at + 1]];
  const rest = args.slice(at + 2);
  if (first === "-V" || first === "--version") return { stdout: "Python 3.14.2\n", stderr: "", exitCode: 0 };
  if (first === "-h" || first === "--help") return { stdout: `${USAGE}\n`, stderr: "", exitCode: 0 };
  if (first === "-c" || first === "-m") {
    if (second === undefined) return refused(`Argument expected for the ${first} option\n${USAGE}`, 2);
    if (first === "-c") return { mode: "command", target: second, argv: ["-c", ...rest] };
    if (second === "pip" || second === "ensurepip" || second === "venv") return refused(NO_PACKAGES, 1);
    return { mode: "module", target: second, argv: [second, ...rest] };
  }
  if (first === undefined || first === "-") {
    if (context.stdin.length === 0) return refused(`There is no prompt here.\n${USAGE}`, 2);
    return { mode: "stdin", target: new TextDecoder().decode(context.stdin), argv: ["-", ...args.slice(at + 1)] };
  }
  if (first.startsWith("-")) return refused(`Unknown option: ${first}\n${USAGE}`, 2);
  const file = normalizeFsPath(first.startsWith("/") ? first : `${context.cwd}/${first}`);
  if (!(await context.disk.exists(file))) {
    return refused(`python3: can't open file '${file}': [Errno 2] No such file or directory`, 2);
  }
  return { mode: "file", target: file, argv: [first, ...args.slice(at + 1)] };
}

function refused(message: string, exitCode: number): HostCommandResult {
  return { stdout: "", stderr: `${message}\n`, exitCode };
}

async function runIn(
  held: KeptEngine,
  { mode, target, argv }: Asked,
  context: HostCommandContext,
): Promise<HostCommandResult> {
  const image = await imageOrNone(context);
  if (image instanceof NodeLiteError) return refused(`python3: ${image.message}`, 1);
  const { engine } = held;
  const { pyodide } = engine;
  held.times = filesIntoPython(pyodide, image, held.times);
  const [output, errors]: [Uint8Array[], Uint8Array[]] = [[], []];
  const into = (chunks: Uint8Array[]) => ({
    write(buffer: Uint8Array) {
      chunks.push(buffer.slice());
      return buffer.length;
    },
  });
  let read = mode === "stdin" ? context.stdin.length : 0;
  pyodide.setStdout(into(output));
  pyodide.setStderr(into(errors));
  pyodide.setStdin({
    read(buffer: Uint8Array) {
      const part = context.stdin.subarray(read, read + buffer.length);
      buffer.set(part);
      read += part.length;
      return part.length;
    },
  });
  const exitCode = engine.run(mode, target, argv, context.env, context.cwd, PYTHON_ROOTS);
  filesFromPython(pyodide, image, held.times);
  const stored = await storedOrWords(image, context);
  held.times = filesIntoPython(pyodide, image, new Map([...held.times.keys()].map((path) => [path, Number.NaN])));
  const stderr = new TextDecoder().decode(joined(errors));
  return stored === undefined
    ? { stdout: joined(output), stderr, exitCode }
    : { stdout: joined(output), stderr: `${stderr}${stored}`, exitCode: 1 };
}

async function imageOrNone(context: HostCommandContext): Promise<DiskImage | NodeLiteError> {
  try {
    return await DiskImage.of(context.disk);
  } catch (error) {
    if (error instanceof NodeLiteError) return error;
    throw error;
  }
}

async function storedOrWords(image: DiskImage, context: HostCommandContext): Promise<string | undefined> {
  try {
    await image.store(context.disk);
    return undefined;
  } catch (error) {
    return `python3: what the script wrote could not be stored: ${error instanceof Error ? error.message : String(error)}\n`;
  }
}

function joined(chunks: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}
