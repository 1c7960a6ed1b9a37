import { execFile, spawn } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterAll } from "vitest";
import { commandLine } from "./commandLine";
import type { Terminal } from "./terminal";

/** What a process came to. */
export interface Outcome {
  readonly code: number | string;
  readonly stdout: string;
  readonly stderr: string;
}

const AGENT = resolve("scripts/agent.mjs");
const directories: string[] = [];
afterAll(() => Promise.all(directories.map((each) => rm(each, { recursive: true, force: true }))));

/** A directory with these files. */
export async function directoryWith(files: Readonly<Record<string, string | Uint8Array>>): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "rootscope-cli-"));
  directories.push(directory);
  for (const [path, contents] of Object.entries(files)) {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), contents);
  }
  return directory;
}

export interface Surroundings {
  readonly cwd?: string;
  readonly input?: string;
  readonly env?: Record<string, string>;
  /** A person's answers, one after the other; nobody is there without. */
  readonly answers?: readonly string[];
}

/** Runs a command in this process, for all that no process is needed for: it starts none and loads no agent's modules. */
export async function agent(args: readonly string[], surroundings: Surroundings = {}): Promise<Outcome> {
  const { cwd = process.cwd(), input = "", env = {}, answers } = surroundings;
  const said = { stdout: "", stderr: "" };
  const left = [...(answers ?? [])];
  const terminal: Terminal = {
    cwd,
    environment: env,
    write: async (text) => void (said.stdout += text),
    note: (text) => void (said.stderr += text),
    readInput: async () => input,
    isPersonThere: answers !== undefined,
    ask: async (question) => {
      said.stderr += question;
      return left.shift();
    },
    signal: new AbortController().signal,
  };
  const modules = { hooks: "", library: "", node: "" };
  const code = await commandLine({ version: "0.0.0", modules }, args, terminal);
  return { code, ...said };
}

/** Runs the command line as a process of its own. */
export function agentProcess(args: readonly string[], { input, env }: Surroundings = {}): Promise<Outcome> {
  return new Promise((resolveOutcome, reject) => {
    const child = spawn(process.execPath, [AGENT, ...args], { env: { ...process.env, ...env } });
    const said = { stdout: "", stderr: "" };
    child.stdout.setEncoding("utf8").on("data", (text: string) => (said.stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (said.stderr += text));
    child.on("error", reject);
    child.on("close", (code, signal) => resolveOutcome({ code: code ?? signal ?? "", ...said }));
    child.stdin.on("error", () => undefined);
    child.stdin.end(input ?? "");
  });
}

/** Runs the command line at the beginning of a line of bash; `$agent` stands for it. */
export function inShell(line: string, cwd: string): Promise<Outcome> {
  const env = { ...process.env, agent: `${process.execPath} ${AGENT}` };
  return new Promise((resolveOutcome) => {
    execFile("bash", ["-c", line], { cwd, env, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) =>
      resolveOutcome({ code: error === null ? 0 : (error.code ?? ""), stdout, stderr }),
    );
  });
}

/** The path of the script itself, for a test that ends the process by a signal. */
export const agentScript = AGENT;
