import { defineCommand, type Command, type CommandContext, type ExecResult } from "just-bash/browser";
import { bytesFromLatin1, latin1FromBytes } from "./byteStrings";

type Name = "gzip" | "gunzip" | "zcat";

interface GzipOptions {
  readonly isUnpacking: boolean;
  readonly toStdout: boolean;
  readonly keeps: boolean;
  readonly isForced: boolean;
  readonly onlyTests: boolean;
  readonly files: readonly string[];
}

/** The package registers these three, but they need Node: here they are over the browser's own streams. */
export const gzipCommands: readonly Command[] = (["gzip", "gunzip", "zcat"] as const).map((name) =>
  defineCommand(name, (args, context) => gzip(name, args, context)),
);

async function gzip(name: Name, args: readonly string[], context: CommandContext): Promise<ExecResult> {
  const options = optionsFrom(name, args);
  if (typeof options === "string") return { stdout: "", stderr: `${name}: ${options}\n`, exitCode: 1 };
  const outputs: Uint8Array[] = [];
  const problems: string[] = [];
  for (const file of options.files.length === 0 ? ["-"] : options.files) {
    try {
      const output = await turnedFile(file, options, context);
      if (output !== undefined) outputs.push(output);
    } catch (error) {
      problems.push(`${name}: ${file}: ${wordsOf(error)}\n`);
    }
  }
  const stdout = outputs.map(latin1FromBytes).join("");
  return {
    stdout,
    stderr: problems.join(""),
    exitCode: problems.length > 0 ? 1 : 0,
    stdoutKind: "bytes",
    stdoutEncoding: "binary",
  };
}

/** What goes to standard output, if anything does. */
async function turnedFile(
  file: string,
  { isUnpacking, toStdout, keeps, isForced, onlyTests }: GzipOptions,
  { fs, cwd, stdin }: CommandContext,
): Promise<Uint8Array | undefined> {
  const turn = isUnpacking ? unpacked : packed;
  if (file === "-") {
    const bytes = await turn(bytesFromLatin1(stdin as unknown as string));
    return onlyTests ? undefined : bytes;
  }
  const path = fs.resolvePath(cwd, file);
  if (!(await fs.exists(path))) throw new Error("No such file or directory");
  if ((await fs.stat(path)).isDirectory) throw new Error("is a directory -- ignored");
  const target = targetOf(path, isUnpacking);
  const isKept = toStdout || onlyTests;
  if (!isKept && target === undefined)
    throw new Error(isUnpacking ? "unknown suffix -- ignored" : "already has .gz suffix -- unchanged");
  const bytes = await turn(await fs.readFileBuffer(path));
  if (isKept || target === undefined) return onlyTests ? undefined : bytes;
  if (!isForced && (await fs.exists(target))) throw new Error(`${target} already exists; use -f to overwrite it`);
  await fs.writeFile(target, bytes);
  if (!keeps) await fs.rm(path);
  return undefined;
}

function targetOf(path: string, isUnpacking: boolean): string | undefined {
  if (!isUnpacking) return path.endsWith(".gz") ? undefined : `${path}.gz`;
  if (path.endsWith(".tgz")) return `${path.slice(0, -4)}.tar`;
  return path.endsWith(".gz") ? path.slice(0, -3) : undefined;
}

/** The options, or what is wrong with them. */
function optionsFrom(name: Name, args: readonly string[]): GzipOptions | string {
  const flags = new Set(name === "gzip" ? [] : name === "gunzip" ? ["d"] : ["d", "c"]);
  const files: string[] = [];
  let isOver = false;
  for (const arg of args) {
    if (isOver || arg === "-" || !arg.startsWith("-")) files.push(arg);
    else if (arg === "--") isOver = true;
    else {
      const letters = arg.startsWith("--") ? LONG_OPTIONS[arg.slice(2)] : arg.slice(1);
      if (letters === undefined || !/^[cdfknqtv1-9]*$/.test(letters)) return `unsupported option: ${arg}`;
      for (const letter of letters) flags.add(letter);
    }
  }
  return {
    isUnpacking: flags.has("d") || flags.has("t"),
    toStdout: flags.has("c"),
    keeps: flags.has("k"),
    isForced: flags.has("f"),
    onlyTests: flags.has("t"),
    files,
  };
}

/** Levels and names are taken and change nothing. */
const LONG_OPTIONS: Readonly<Record<string, string>> = {
  stdout: "c",
  "to-stdout": "c",
  decompress: "d",
  uncompress: "d",
  force: "f",
  keep: "k",
  "no-name": "n",
  quiet: "q",
  test: "t",
  verbose: "v",
  fast: "1",
  best: "9",
};

function packed(bytes: Uint8Array): Promise<Uint8Array> {
  return through(bytes, new CompressionStream("gzip"));
}

async function unpacked(bytes: Uint8Array): Promise<Uint8Array> {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) throw new Error("not in gzip format");
  return through(bytes, new DecompressionStream("gzip"));
}

async function through(bytes: Uint8Array, turn: CompressionStream | DecompressionStream): Promise<Uint8Array> {
  const blob = new Blob([bytes as Uint8Array<ArrayBuffer>]);
  return new Uint8Array(await new Response(blob.stream().pipeThrough(turn)).arrayBuffer());
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
