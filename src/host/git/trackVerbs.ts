import { isIgnored, writeBlob } from "isomorphic-git";
import { GitError } from "./gitError";
import type { GitIndexEntry } from "./gitIndex";
import { gitArguments, type GitArguments } from "./gitOptions";
import { onePathFilter, pathFilter, quotedPath, relativePath, repositoryPath } from "./gitPaths";
import type { GitRepository } from "./gitRepository";
import type { GitRun } from "./gitRun";
import { byPath, gitStatus, indexFiles, untrackedOf } from "./gitStatus";
import { worktreeBytes, worktreeFile } from "./gitWorktree";
import { removeFile, sameFile } from "./moveWorktree";

const ADD_OPTIONS = {
  all: { names: ["-A", "--all"] },
  update: { names: ["-u", "--update"] },
  force: { names: ["-f", "--force"] },
  verbose: { names: ["-v", "--verbose"] },
  dryRun: { names: ["-n", "--dry-run"] },
} as const;

export async function addVerb(run: GitRun, args: readonly string[]): Promise<number> {
  const parsed = gitArguments("add", args, ADD_OPTIONS);
  const typed = [...parsed.words, ...(parsed.paths ?? [])];
  if (typed.length === 0 && !parsed.given.has("all") && !parsed.given.has("update")) {
    run.warn("Nothing specified, nothing added.\nhint: Maybe you wanted to say 'git add .'?");
    return 0;
  }
  const repository = await run.repository();
  const specs = typed.length === 0 ? [""] : typed.map((word) => repositoryPath(word, run.cwd, repository.at.dir));
  const entries = await repository.index();
  const found = await pathsToAdd(run, repository, entries, { specs, typed, parsed });
  // isomorphic-git could never commit them, nor what was added beside them.
  const isRefused = ({ path, isGone }: (typeof found)[number]) => !isGone && path.includes("\\");
  for (const { path } of found.filter(isRefused))
    run.warn(`warning: '${path}' is left out: this git takes no backslash in a name`);
  const wanted = found.filter((file) => !isRefused(file));
  if (parsed.given.has("dryRun") || parsed.given.has("verbose")) {
    for (const { path, isGone } of wanted) run.line(`${isGone ? "remove" : "add"} '${path}'`);
  }
  if (!parsed.given.has("dryRun"))
    await stagePaths(
      repository,
      entries,
      wanted.map(({ path }) => path),
    );
  return 0;
}

interface AddRequest {
  readonly specs: readonly string[];
  readonly typed: readonly string[];
  readonly parsed: GitArguments;
}

async function pathsToAdd(
  run: GitRun,
  repository: GitRepository,
  entries: readonly GitIndexEntry[],
  { specs, typed, parsed }: AddRequest,
): Promise<{ path: string; isGone: boolean }[]> {
  const status = await gitStatus(repository, "no");
  const tracked = new Set(entries.map((entry) => entry.path));
  const isForced = parsed.given.has("force");
  const untracked = parsed.given.has("update") ? [] : await untrackedOf(repository, entries, true, isForced);
  const known = [...tracked, ...untracked];
  for (const [index, spec] of specs.entries()) {
    const isMeant = onePathFilter(spec);
    if (known.some((path) => isMeant(path.replace(/\/$/, ""))) || spec === "") continue;
    await checkNamed(run, repository, spec, typed[index] ?? spec);
  }
  const isMeant = pathFilter(specs);
  const changed = [
    ...status.unstaged.map(({ path, after }) => ({ path, isGone: after === undefined })),
    ...(await unmergedNow(repository, status.unmerged.keys())),
  ];
  return [...changed, ...untracked.filter((path) => !path.endsWith("/")).map((path) => ({ path, isGone: false }))]
    .filter(({ path }) => isMeant(path))
    .toSorted((a, b) => byPath(a.path, b.path));
}

/** @throws GitError of a path that is ignored, or is not there */
async function checkNamed(run: GitRun, repository: GitRepository, spec: string, typed: string): Promise<void> {
  if (!(await repository.disk.exists(repository.place(spec)))) {
    throw new GitError("fatal", `fatal: pathspec '${typed}' did not match any files`);
  }
  if (await isIgnored({ ...repository.at, filepath: spec })) {
    run.warn(`The following paths are ignored by one of your .gitignore files:\n${spec}`);
    throw new GitError("refused", "hint: Use -f if you really want to add them.");
  }
}

async function unmergedNow(
  repository: GitRepository,
  paths: Iterable<string>,
): Promise<{ path: string; isGone: boolean }[]> {
  const found: { path: string; isGone: boolean }[] = [];
  for (const path of paths) found.push({ path, isGone: !(await repository.disk.exists(repository.place(path))) });
  return found;
}

/** Puts the files as they lie there into the index; one that is gone leaves it. */
export async function stagePaths(
  repository: GitRepository,
  entries: readonly GitIndexEntry[],
  paths: readonly string[],
): Promise<void> {
  const indexed = indexFiles(entries);
  const staged: GitIndexEntry[] = [];
  for (const path of paths) {
    const file = await worktreeFile(repository, path, indexed.get(path));
    if (file === undefined) continue;
    await writeBlob({ ...repository.at, blob: await worktreeBytes(repository, path) });
    staged.push({ ...file, path, stage: 0 });
  }
  const replaced = new Set(paths);
  // A file in the place of a directory takes what was below it out of the index.
  const isReplaced = (path: string) => replaced.has(path) || staged.some((entry) => path.startsWith(`${entry.path}/`));
  await repository.writeIndex([...entries.filter((entry) => !isReplaced(entry.path)), ...staged]);
}

const RM_OPTIONS = {
  cached: { names: ["--cached"] },
  force: { names: ["-f", "--force"] },
  recursive: { names: ["-r"] },
  quiet: { names: ["-q", "--quiet"] },
} as const;

export async function rmVerb(run: GitRun, args: readonly string[]): Promise<number> {
  const { given, words, paths } = gitArguments("rm", args, RM_OPTIONS);
  const typed = [...words, ...(paths ?? [])];
  if (typed.length === 0) throw new GitError("fatal", "fatal: No pathspec was given. Which files should I remove?");
  const repository = await run.repository();
  const entries = await repository.index();
  const gone = new Set<string>();
  for (const word of typed) {
    const spec = repositoryPath(word, run.cwd, repository.at.dir);
    const found = entries.map((entry) => entry.path).filter(onePathFilter(spec));
    if (found.length === 0) throw new GitError("fatal", `fatal: pathspec '${word}' did not match any files`);
    if (!given.has("recursive") && !found.includes(spec) && !/[*?[]/.test(spec)) {
      throw new GitError("fatal", `fatal: not removing '${word}' recursively without -r`);
    }
    for (const path of found) gone.add(path);
  }
  if (!given.has("force")) await checkUnchanged(repository, gone, given.has("cached"));
  for (const path of gone) {
    if (!given.has("cached")) await removeFile(repository, path);
    if (!given.has("quiet")) run.line(`rm '${path}'`);
  }
  await repository.writeIndex(entries.filter((entry) => !gone.has(entry.path)));
  return 0;
}

/** @throws GitError `refused` when contents would be lost */
async function checkUnchanged(repository: GitRepository, paths: ReadonlySet<string>, isCached: boolean): Promise<void> {
  const { staged, unstaged, head } = await gitStatus(repository, "no");
  const isStaged = (path: string) => staged.some((one) => one.path === path);
  const isChanged = (path: string) => unstaged.some((one) => one.path === path && one.after !== undefined);
  const bad = [...paths].filter((path) =>
    isCached ? isStaged(path) && isChanged(path) : isStaged(path) || isChanged(path),
  );
  const [first] = bad;
  if (first === undefined || (isCached && head === undefined)) return;
  const what =
    isStaged(first) && isChanged(first)
      ? "staged content different from both the\nfile and the HEAD"
      : isStaged(first)
        ? "changes staged in the index"
        : "local modifications";
  const way =
    isStaged(first) && isChanged(first)
      ? "(use -f to force removal)"
      : "(use --cached to keep the file, or -f to force removal)";
  const head_ =
    bad.length === 1 ? `error: the following file has ${what}:` : `error: the following files have ${what}:`;
  throw new GitError("refused", [head_, ...bad.map((path) => `    ${path}`), way].join("\n"));
}

const MV_OPTIONS = { force: { names: ["-f", "--force"] } } as const;

export async function mvVerb(run: GitRun, args: readonly string[]): Promise<number> {
  const { given, words, paths } = gitArguments("mv", args, MV_OPTIONS);
  const typed = [...words, ...(paths ?? [])];
  const target = typed.pop();
  if (target === undefined || typed.length === 0)
    throw new GitError("usage", "usage: git mv [-f] <source>... <destination>");
  const repository = await run.repository();
  for (const word of typed) await moveOne(run, repository, { word, target, isForced: given.has("force") });
  return 0;
}

async function moveOne(
  run: GitRun,
  repository: GitRepository,
  { word, target, isForced }: { word: string; target: string; isForced: boolean },
): Promise<void> {
  const from = repositoryPath(word, run.cwd, repository.at.dir);
  let to = repositoryPath(target, run.cwd, repository.at.dir);
  const refuse = (what: string): never => {
    throw new GitError("fatal", `fatal: ${what}, source=${from}, destination=${to}`);
  };
  const place = repository.place(to);
  if ((await repository.disk.exists(place)) && (await repository.disk.stat(place)).kind === "directory") {
    to = `${to === "" ? "" : `${to}/`}${from.slice(from.lastIndexOf("/") + 1)}`;
  }
  const entries = await repository.index();
  if (!(await repository.disk.exists(repository.place(from)))) refuse("bad source");
  const isMoved = onePathFilter(from);
  if (!entries.some((entry) => isMoved(entry.path))) refuse("not under version control");
  if (!isForced && (await repository.disk.exists(repository.place(to)))) refuse("destination exists");
  await repository.disk.rename(repository.place(from), repository.place(to));
  const moved = entries.map((entry) =>
    isMoved(entry.path) ? { ...entry, path: to + entry.path.slice(from.length) } : entry,
  );
  const taken = new Set(moved.filter((entry, index) => entry !== entries[index]).map((entry) => entry.path));
  await repository.writeIndex(moved.filter((entry, index) => entry !== entries[index] || !taken.has(entry.path)));
}

const LS_OPTIONS = {
  stage: { names: ["-s", "--stage"] },
  others: { names: ["-o", "--others"] },
  excludeStandard: { names: ["--exclude-standard"] },
  modified: { names: ["-m", "--modified"] },
  deleted: { names: ["-d", "--deleted"] },
  cached: { names: ["-c", "--cached"] },
  end: { names: ["-z"] },
} as const;

export async function lsFilesVerb(run: GitRun, args: readonly string[]): Promise<number> {
  const { given, words, paths } = gitArguments("ls-files", args, LS_OPTIONS);
  const repository = await run.repository();
  const typed = [...words, ...(paths ?? [])];
  const specs = (typed.length === 0 ? ["."] : typed).map((word) => repositoryPath(word, run.cwd, repository.at.dir));
  const isMeant = pathFilter(specs);
  const entries = await repository.index();
  const print = (path: string, before = "") => {
    const shown = relativePath(path, repository.prefix);
    if (given.has("end")) run.write(`${before}${shown}\0`);
    else run.line(`${before}${quotedPath(shown)}`);
  };
  if (given.has("stage")) {
    for (const entry of entries.filter(({ path }) => isMeant(path)))
      print(entry.path, `${entry.mode} ${entry.oid} ${entry.stage}\t`);
    return 0;
  }
  for (const path of await listedPaths(repository, entries, given)) if (isMeant(path)) print(path);
  return 0;
}

async function listedPaths(
  repository: GitRepository,
  entries: readonly GitIndexEntry[],
  given: ReadonlySet<string>,
): Promise<string[]> {
  const found = new Set<string>();
  if (given.has("others"))
    for (const path of await untrackedOf(repository, entries, true, !given.has("excludeStandard"))) found.add(path);
  if (given.has("modified") || given.has("deleted")) {
    const { unstaged } = await gitStatus(repository, "no");
    for (const one of unstaged)
      if (given.has("modified") || (!sameFile(one.before, one.after) && one.after === undefined)) found.add(one.path);
  }
  const isPlain = !["others", "modified", "deleted"].some((option) => given.has(option));
  if (isPlain || given.has("cached")) for (const entry of entries) found.add(entry.path);
  return [...found].toSorted(byPath);
}
