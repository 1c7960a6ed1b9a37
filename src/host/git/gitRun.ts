import type { HostCommandContext } from "../embedded/hostCommand";
import { GitError } from "./gitError";
import { openGitRepository, type GitRepository } from "./gitRepository";

/** One run of `git`: where it runs, and what it has said so far. */
export class GitRun {
  readonly context: HostCommandContext;
  readonly cwd: string;
  /** `-c name=value` of the command line, over the repository's configuration. */
  readonly settings: ReadonlyMap<string, string>;
  private readonly output: (string | Uint8Array)[] = [];
  private readonly errors: string[] = [];
  private opened: GitRepository | undefined;

  constructor(context: HostCommandContext, cwd: string, settings: ReadonlyMap<string, string>) {
    this.context = context;
    this.cwd = cwd;
    this.settings = settings;
  }

  /** A line of standard output. */
  line(text: string): void {
    this.output.push(`${text}\n`);
  }

  write(contents: string | Uint8Array): void {
    this.output.push(contents);
  }

  /** A line of standard error. */
  warn(text: string): void {
    this.errors.push(`${text}\n`);
  }

  /** The repository around the working directory. @throws GitError `fatal` when there is none */
  async repository(): Promise<GitRepository> {
    this.opened ??= await openGitRepository(this.context.disk, this.cwd);
    return this.opened;
  }

  /** A setting of the command line, the repository or, without one, of the home directory. */
  async setting(name: string): Promise<string | undefined> {
    const given = this.settings.get(name.toLowerCase());
    if (given !== undefined) return given;
    const repository = await this.repository();
    return repository.setting(name, this.homeSettingsPath());
  }

  homeSettingsPath(): string {
    return `${this.context.env["HOME"] ?? "/home/project"}/.gitconfig`;
  }

  /** @throws GitError `fatal` where commands may not use the network */
  checkNetwork(): void {
    if (!this.context.hasNetwork)
      throw new GitError("fatal", "fatal: this host runs in a sandbox: git may not use the network here");
  }

  result(exitCode: number): { stdout: string | Uint8Array; stderr: string; exitCode: number } {
    const isText = this.output.every((part) => typeof part === "string");
    return { stdout: isText ? this.output.join("") : joined(this.output), stderr: this.errors.join(""), exitCode };
  }
}

function joined(parts: readonly (string | Uint8Array)[]): Uint8Array {
  const chunks = parts.map((part) => (typeof part === "string" ? new TextEncoder().encode(part) : part));
  const bytes = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}
