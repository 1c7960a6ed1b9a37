import "./bufferGlobal";
import type { HostCommand, HostCommandContext, HostCommandResult } from "../embedded/hostCommand";
import { branchVerb, tagVerb } from "./branchVerbs";
import { checkoutVerb, resetVerb, restoreVerb, switchVerb } from "./checkoutVerbs";
import { commitVerb } from "./commitVerb";
import { diffVerb } from "./diffVerb";
import { GitError, gitExitCodes } from "./gitError";
import { repositoryPath } from "./gitPaths";
import { GitRun } from "./gitRun";
import { logVerb, showVerb } from "./historyVerbs";
import { mergeVerb } from "./mergeVerb";
import { cloneVerb, fetchVerb, lsRemoteVerb, pullVerb, pushVerb, remoteVerb } from "./remoteVerbs";
import { configVerb, initVerb, revParseVerb } from "./setupVerbs";
import { statusVerb } from "./statusVerb";
import { addVerb, lsFilesVerb, mvVerb, rmVerb } from "./trackVerbs";

type Verb = (run: GitRun, args: readonly string[]) => Promise<number>;

const VERBS: Readonly<Record<string, Verb>> = {
  add: addVerb,
  branch: branchVerb,
  checkout: checkoutVerb,
  clone: cloneVerb,
  commit: commitVerb,
  config: configVerb,
  diff: diffVerb,
  fetch: fetchVerb,
  init: initVerb,
  log: logVerb,
  "ls-files": lsFilesVerb,
  "ls-remote": lsRemoteVerb,
  merge: mergeVerb,
  mv: mvVerb,
  pull: pullVerb,
  push: pushVerb,
  remote: remoteVerb,
  reset: resetVerb,
  restore: restoreVerb,
  "rev-parse": revParseVerb,
  rm: rmVerb,
  show: showVerb,
  status: statusVerb,
  switch: switchVerb,
  tag: tagVerb,
};

const VERSION = "git version 2.0.0 (isomorphic-git, not the git of git-scm.com)";

/** `git` by isomorphic-git (docs/hosts.md): what it prints is shaped as git prints it. */
export const gitCommand: HostCommand = {
  name: "git",
  summary: "version control (isomorphic-git)",
  async run(args, context) {
    let run = new GitRun(context, context.cwd, new Map());
    try {
      const { verb, rest, cwd, settings } = globalOptions(args, context);
      run = new GitRun(context, cwd, settings);
      if (verb === "version") return told(`${VERSION}\n`);
      if (verb === undefined || verb === "help") return told(`${helpText()}\n`, verb === undefined ? 1 : 0);
      const run_ = VERBS[verb];
      if (run_ === undefined) throw new GitError("refused", unknownVerb(verb));
      return run.result(await run_(run, rest));
    } catch (error) {
      const failed = gitErrorFrom(error);
      if (failed === undefined) throw error;
      run.warn(failed.message);
      return run.result(gitExitCodes[failed.code]);
    }
  },
};

function told(stdout: string, exitCode = 0): HostCommandResult {
  return { stdout, stderr: "", exitCode };
}

interface GlobalOptions {
  readonly verb: string | undefined;
  readonly rest: readonly string[];
  readonly cwd: string;
  readonly settings: ReadonlyMap<string, string>;
}

/** What stands before the subcommand: `-C path`, `-c name=value`. */
function globalOptions(args: readonly string[], context: HostCommandContext): GlobalOptions {
  const settings = new Map<string, string>();
  let cwd = context.cwd;
  let at = 0;
  for (; at < args.length; at += 1) {
    const word = args[at] ?? "";
    if (word === "-C") cwd = `/${repositoryPath(args[(at += 1)] ?? ".", cwd, "/")}`;
    else if (word === "-c") {
      const [name = "", ...value] = (args[(at += 1)] ?? "").split("=");
      settings.set(name.toLowerCase(), value.length === 0 ? "true" : value.join("="));
    } else if (word === "--version" || word === "-v") return { verb: "version", rest: [], cwd, settings };
    else if (word === "--help" || word === "-h") return { verb: "help", rest: [], cwd, settings };
    else if (word === "--no-pager" || word === "-P") continue;
    else if (word.startsWith("-")) throw new GitError("usage", `unknown option: ${word}\n${helpText()}`);
    else break;
  }
  return { verb: args[at], rest: args.slice(at + 1), cwd, settings };
}

function helpText(): string {
  return `usage: git [-C <path>] [-c <name>=<value>] <command> [<args>]\n\nThe git of this host is isomorphic-git. It has: ${Object.keys(VERBS).join(", ")}.`;
}

function unknownVerb(verb: string): string {
  return `git: '${verb}' is not a git command of this host (isomorphic-git). It has: ${Object.keys(VERBS).join(", ")}.`;
}

/** The package's own errors as git's; anything else is no fault of a repository. */
function gitErrorFrom(error: unknown): GitError | undefined {
  if (error instanceof GitError) return error;
  if (!(error instanceof Error) || !("isIsomorphicGitError" in error)) return undefined;
  return new GitError("fatal", `fatal: ${error.message}`, { cause: error });
}
