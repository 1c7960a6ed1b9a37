import { listRemotes, setConfig, writeRef } from "isomorphic-git";
import { newBranch } from "./branchVerbs";
import { GitError } from "./gitError";
import { gitArguments, type GitArguments } from "./gitOptions";
import { onePathFilter, pathFilter, repositoryPath } from "./gitPaths";
import { shortOid, type GitFiles, type GitRepository } from "./gitRepository";
import type { GitRun } from "./gitRun";
import { differenceLetter, gitStatus, indexFiles, type FileDifference } from "./gitStatus";
import { worktreeFile } from "./gitWorktree";
import { moveWorktree, putFiles, resetIndex, resetWorktree, sameFile, type MoveConflicts } from "./moveWorktree";

const CHECKOUT_OPTIONS = {
  create: { names: ["-b"], takes: "value" },
  createForced: { names: ["-B"], takes: "value" },
  force: { names: ["-f", "--force"] },
  quiet: { names: ["-q", "--quiet"] },
  detach: { names: ["--detach"] },
} as const;

export async function checkoutVerb(run: GitRun, args: readonly string[]): Promise<number> {
  const parsed = gitArguments("checkout", args, CHECKOUT_OPTIONS);
  const repository = await run.repository();
  const created = parsed.value("create") ?? parsed.value("createForced");
  if (created !== undefined) return createAndSwitch(run, repository, created, parsed);
  const [first, ...rest] = parsed.words;
  if (parsed.paths !== undefined) {
    await checkoutPaths(run, repository, first, parsed.paths);
    return 0;
  }
  if (first === undefined) return (await tellChanges(run, repository), 0);
  const isKnown = (await targetOf(repository, first)) !== undefined;
  // `git checkout name path…` takes the paths from a revision; without one, from the index.
  if (isKnown && rest.length === 0) return switchTo(run, repository, first, parsed);
  const count = await checkoutPaths(run, repository, isKnown ? first : undefined, isKnown ? rest : parsed.words);
  const from = isKnown
    ? shortOid((await repository.commit(await repository.revision(first))).commit.tree)
    : "the index";
  if (!parsed.given.has("quiet")) run.warn(`Updated ${count} path${count === 1 ? "" : "s"} from ${from}`);
  return 0;
}

const SWITCH_OPTIONS = {
  create: { names: ["-c", "--create"], takes: "value" },
  createForced: { names: ["-C", "--force-create"], takes: "value" },
  force: { names: ["-f", "--force", "--discard-changes"] },
  quiet: { names: ["-q", "--quiet"] },
  detach: { names: ["-d", "--detach"] },
} as const;

export async function switchVerb(run: GitRun, args: readonly string[]): Promise<number> {
  const parsed = gitArguments("switch", args, SWITCH_OPTIONS);
  const repository = await run.repository();
  const created = parsed.value("create") ?? parsed.value("createForced");
  if (created !== undefined) return createAndSwitch(run, repository, created, parsed);
  const [name] = parsed.words;
  if (name === undefined) throw new GitError("fatal", "fatal: missing branch or commit argument");
  const target = await targetOf(repository, name);
  if (target === undefined) throw new GitError("fatal", `fatal: invalid reference: ${name}`);
  if (target.branch === undefined && !parsed.given.has("detach")) {
    throw new GitError(
      "fatal",
      `fatal: a branch is expected, got commit '${name}'\nhint: If you want to detach HEAD at the commit, try again with the --detach option.`,
    );
  }
  return switchTo(run, repository, name, parsed);
}

async function createAndSwitch(
  run: GitRun,
  repository: GitRepository,
  name: string,
  parsed: GitArguments,
): Promise<number> {
  const [start] = parsed.words;
  const isForced = parsed.given.has("createForced");
  const head = await repository.head();
  if (head === undefined && start === undefined) {
    await writeRef({ ...repository.at, ref: "HEAD", value: `refs/heads/${name}`, symbolic: true, force: true });
  } else {
    const oid = await repository.revision(start ?? "HEAD");
    const exists = (await repository.ref(`refs/heads/${name}`)) !== undefined;
    if (exists && !isForced) throw new GitError("fatal", `fatal: a branch named '${name}' already exists`);
    await moveFiles(repository, oid, parsed.given.has("force"));
    await newBranch(repository, name, oid, isForced);
    await writeRef({ ...repository.at, ref: "HEAD", value: `refs/heads/${name}`, symbolic: true, force: true });
  }
  if (!parsed.given.has("quiet")) {
    await tellChanges(run, repository);
    run.warn(`Switched to a new branch '${name}'`);
  }
  return 0;
}

interface Target {
  readonly oid: string;
  /** Absent of a commit that is not the head of a branch. */
  readonly branch?: string;
  /** The remote it is made from, of a branch that is only there so far. */
  readonly remote?: string;
}

async function targetOf(repository: GitRepository, name: string): Promise<Target | undefined> {
  const local = await repository.ref(`refs/heads/${name}`);
  if (local !== undefined) return { oid: local, branch: name };
  const oid = await repository.revisionOrNone(name);
  if (oid !== undefined && (await isCommit(repository, oid))) return { oid };
  for (const { remote } of await listRemotes({ ...repository.at })) {
    const found = await repository.ref(`refs/remotes/${remote}/${name}`);
    if (found !== undefined) return { oid: found, branch: name, remote };
  }
  return undefined;
}

async function isCommit(repository: GitRepository, oid: string): Promise<boolean> {
  try {
    await repository.commit(oid);
    return true;
  } catch {
    return false;
  }
}

async function switchTo(
  run: GitRun,
  repository: GitRepository,
  name: string,
  { given }: GitArguments,
): Promise<number> {
  const target = await targetOf(repository, name);
  if (target === undefined) throw new GitError("fatal", `fatal: invalid reference: ${name}`);
  const before = await repository.branch();
  const old = await repository.head();
  await moveFiles(repository, target.oid, given.has("force"));
  const branch = given.has("detach") ? undefined : target.branch;
  if (target.remote !== undefined && branch !== undefined)
    await trackRemote(repository, branch, target.remote, target.oid);
  if (branch === undefined) await writeRef({ ...repository.at, ref: "HEAD", value: target.oid, force: true });
  else await writeRef({ ...repository.at, ref: "HEAD", value: `refs/heads/${branch}`, symbolic: true, force: true });
  if (given.has("quiet")) return 0;
  await tellChanges(run, repository);
  if (before === undefined && old !== undefined && branch !== undefined)
    run.warn(`Previous HEAD position was ${await headLine(repository, old)}`);
  if (branch === undefined) {
    run.warn(
      `Note: switching to '${name}'.\n\n${DETACHED}\n\nHEAD is now at ${await headLine(repository, target.oid)}`,
    );
  } else if (target.remote !== undefined) {
    run.line(`branch '${branch}' set up to track '${target.remote}/${branch}'.`);
    run.warn(`Switched to a new branch '${branch}'`);
  } else run.warn(branch === before ? `Already on '${branch}'` : `Switched to branch '${branch}'`);
  return 0;
}

const DETACHED = [
  "You are in 'detached HEAD' state. You can look around, make experimental",
  "changes and commit them, and you can discard any commits you make in this",
  "state without impacting any branches by switching back to a branch.",
  "",
  "If you want to create a new branch to retain commits you create, you may",
  "do so (now or later) by using -c with the switch command. Example:",
  "",
  "  git switch -c <new-branch-name>",
  "",
  "Or undo this operation with:",
  "",
  "  git switch -",
  "",
  "Turn off this advice by setting config variable advice.detachedHead to false",
].join("\n");

export async function headLine(repository: GitRepository, oid: string): Promise<string> {
  return `${shortOid(oid)} ${(await repository.commit(oid)).commit.message.split("\n", 1)[0] ?? ""}`;
}

async function trackRemote(repository: GitRepository, branch: string, remote: string, oid: string): Promise<void> {
  await writeRef({ ...repository.at, ref: `refs/heads/${branch}`, value: oid });
  await setConfig({ ...repository.at, path: `branch.${branch}.remote`, value: remote });
  await setConfig({ ...repository.at, path: `branch.${branch}.merge`, value: `refs/heads/${branch}` });
}

/** @throws GitError `refused` when changes would be lost */
async function moveFiles(repository: GitRepository, oid: string, isForced: boolean): Promise<void> {
  const to = await repository.files(oid);
  if (isForced) return resetWorktree(repository, to);
  const conflicts = await moveWorktree(repository, await repository.files(await repository.head()), to);
  if (conflicts !== undefined) throw new GitError("refused", conflictText(conflicts, "checkout"));
  return undefined;
}

/** What git says of changes in the way of a checkout or merge. */
export function conflictText({ changed, untracked }: MoveConflicts, verb: "checkout" | "merge"): string {
  const parts: string[] = [];
  const next = verb === "checkout" ? "switch branches" : "merge";
  const list = (paths: readonly string[]) => paths.map((path) => `\t${path}`);
  if (changed.length > 0) {
    parts.push(`error: Your local changes to the following files would be overwritten by ${verb}:`, ...list(changed));
    parts.push(`Please commit your changes or stash them before you ${next}.`);
  }
  if (untracked.length > 0) {
    parts.push(
      `error: The following untracked working tree files would be overwritten by ${verb}:`,
      ...list(untracked),
    );
    parts.push(`Please move or remove them before you ${next}.`);
  }
  return [...parts, "Aborting"].join("\n");
}

/** After a checkout git names the files that are still changed. */
async function tellChanges(run: GitRun, repository: GitRepository): Promise<void> {
  const { staged, unstaged } = await gitStatus(repository, "no");
  const letters = new Map<string, string>();
  for (const one of [...unstaged, ...staged]) letters.set(one.path, differenceLetter(one));
  for (const [path, letter] of [...letters].toSorted(([a], [b]) => (a < b ? -1 : 1))) run.line(`${letter}\t${path}`);
}

/** Answers how many files came. */
async function checkoutPaths(
  run: GitRun,
  repository: GitRepository,
  revision: string | undefined,
  typed: readonly string[],
): Promise<number> {
  const source = revision === undefined ? undefined : await repository.files(await repository.revision(revision));
  return takePaths(run, repository, { typed, source, intoIndex: source !== undefined, intoWorktree: true });
}

const RESTORE_OPTIONS = {
  staged: { names: ["-S", "--staged"] },
  worktree: { names: ["-W", "--worktree"] },
  source: { names: ["-s", "--source"], takes: "value" },
  quiet: { names: ["-q", "--quiet"] },
} as const;

export async function restoreVerb(run: GitRun, args: readonly string[]): Promise<number> {
  const { given, words, paths, value } = gitArguments("restore", args, RESTORE_OPTIONS);
  const typed = [...words, ...(paths ?? [])];
  if (typed.length === 0) throw new GitError("fatal", "fatal: you must specify path(s) to restore");
  const repository = await run.repository();
  const intoIndex = given.has("staged");
  const intoWorktree = given.has("worktree") || !intoIndex;
  const named = value("source") ?? (intoIndex ? "HEAD" : undefined);
  const revision =
    named === "HEAD" ? await repository.head() : named === undefined ? undefined : await repository.revision(named);
  const source = named === undefined ? undefined : await repository.files(revision);
  await takePaths(run, repository, { typed, source, intoIndex, intoWorktree, removesMissing: source !== undefined });
  return 0;
}

interface Taking {
  readonly typed: readonly string[];
  /** The index when absent. */
  readonly source: GitFiles | undefined;
  readonly intoIndex: boolean;
  readonly intoWorktree: boolean;
  /** Files known to git that the source has not are removed. */
  readonly removesMissing?: boolean;
}

/** Answers how many files came. @throws GitError `refused` of a path that names none */
async function takePaths(run: GitRun, repository: GitRepository, taking: Taking): Promise<number> {
  const entries = await repository.index();
  const indexed = indexFiles(entries);
  const source: GitFiles = taking.source ?? indexed;
  const specs = taking.typed.map((word) => repositoryPath(word, run.cwd, repository.at.dir));
  for (const [index, spec] of specs.entries()) {
    const isMeant = onePathFilter(spec);
    const isKnown = [...source.keys(), ...(taking.removesMissing === true ? indexed.keys() : [])].some(isMeant);
    if (!isKnown)
      throw new GitError(
        "refused",
        `error: pathspec '${taking.typed[index] ?? ""}' did not match any file(s) known to git`,
      );
  }
  const isMeant = pathFilter(specs);
  if (!taking.intoWorktree) {
    await resetIndex(repository, source, isMeant);
    return 0;
  }
  const moves: FileDifference[] = [];
  for (const path of new Set([...source.keys(), ...(taking.removesMissing === true ? indexed.keys() : [])])) {
    if (!isMeant(path)) continue;
    const after = source.get(path);
    const file = await worktreeFile(repository, path, indexed.get(path));
    if (!sameFile(file, after) || (taking.intoIndex && !sameFile(indexed.get(path), after)))
      moves.push({ path, before: indexed.get(path), after });
  }
  await putFiles(repository, entries, moves);
  // The index keeps what it had where only the working tree was asked for.
  if (!taking.intoIndex && taking.source !== undefined) await resetIndex(repository, indexed, isMeant);
  return moves.filter(({ after }) => after !== undefined).length;
}

const RESET_OPTIONS = {
  soft: { names: ["--soft"] },
  mixed: { names: ["--mixed"] },
  hard: { names: ["--hard"] },
  quiet: { names: ["-q", "--quiet"] },
} as const;

export async function resetVerb(run: GitRun, args: readonly string[]): Promise<number> {
  const { given, words, paths } = gitArguments("reset", args, RESET_OPTIONS);
  const repository = await run.repository();
  const [first, ...rest] = words;
  const named = first === undefined ? undefined : await repository.revisionOrNone(first);
  const typed = [...(named === undefined ? words : rest), ...(paths ?? [])];
  if (first !== undefined && named === undefined && paths !== undefined) await repository.revision(first);
  const revision = named ?? (await repository.head());
  if (typed.length > 0) {
    await resetPaths(run, repository, revision, typed);
  } else {
    if (revision === undefined && first !== undefined) await repository.revision(first);
    await resetAll(run, repository, revision, given);
  }
  if (!given.has("quiet") && !given.has("hard") && !given.has("soft")) await tellUnstaged(run, repository);
  return 0;
}

async function resetPaths(
  run: GitRun,
  repository: GitRepository,
  revision: string | undefined,
  typed: readonly string[],
): Promise<void> {
  const files = await repository.files(revision);
  const known = new Set([...files.keys(), ...(await repository.index()).map((entry) => entry.path)]);
  const specs = typed.map((word) => repositoryPath(word, run.cwd, repository.at.dir));
  for (const [index, spec] of specs.entries()) {
    if (![...known].some(onePathFilter(spec)) && spec !== "") await repository.revision(typed[index] ?? "");
  }
  await resetIndex(repository, files, pathFilter(specs));
}

async function resetAll(
  run: GitRun,
  repository: GitRepository,
  revision: string | undefined,
  given: ReadonlySet<string>,
): Promise<void> {
  const files = await repository.files(revision);
  if (given.has("hard")) await resetWorktree(repository, files);
  else if (!given.has("soft")) await resetIndex(repository, files, () => true);
  for (const name of ["MERGE_HEAD", "MERGE_MSG", "MERGE_MODE"])
    await repository.disk.rm(`${repository.at.gitdir}/${name}`, { force: true });
  if (revision === undefined) return;
  const branch = await repository.branch();
  await writeRef({
    ...repository.at,
    ref: branch === undefined ? "HEAD" : `refs/heads/${branch}`,
    value: revision,
    force: true,
  });
  if (given.has("hard") && !given.has("quiet")) run.line(`HEAD is now at ${await headLine(repository, revision)}`);
}

async function tellUnstaged(run: GitRun, repository: GitRepository): Promise<void> {
  const { unstaged } = await gitStatus(repository, "no");
  if (unstaged.length === 0) return;
  run.line("Unstaged changes after reset:");
  for (const one of unstaged) run.line(`${differenceLetter(one)}\t${one.path}`);
}
