import { gitArguments } from "./gitOptions";
import { onePathFilter, quotedPath, relativePath, repositoryPath } from "./gitPaths";
import { shortOid, type GitRepository } from "./gitRepository";
import type { GitRun } from "./gitRun";
import {
  byPath,
  differenceLetter,
  gitStatus,
  type FileDifference,
  type GitStatus,
  type UntrackedMode,
} from "./gitStatus";

const OPTIONS = {
  short: { names: ["-s", "--short"] },
  porcelain: { names: ["--porcelain", "--porcelain=v1"] },
  branch: { names: ["-b", "--branch"] },
  long: { names: ["--long"] },
  untrackedAll: { names: ["-u", "-uall", "--untracked-files", "--untracked-files=all"] },
  untrackedNo: { names: ["-uno", "--untracked-files=no"] },
  untrackedNormal: { names: ["-unormal", "--untracked-files=normal"] },
  end: { names: ["-z"] },
} as const;

export async function statusVerb(run: GitRun, args: readonly string[]): Promise<number> {
  const { given, words, paths } = gitArguments("status", spelledOut(args), OPTIONS);
  const repository = await run.repository();
  const untracked: UntrackedMode = given.has("untrackedNo") ? "no" : given.has("untrackedAll") ? "all" : "normal";
  const status = narrowed(await gitStatus(repository, untracked), repository, run.cwd, [...words, ...(paths ?? [])]);
  if (given.has("short") || given.has("porcelain")) {
    const fromTop = given.has("porcelain");
    if (given.has("branch")) run.line(await branchLine(repository, status));
    // Paths of `--porcelain` are from the top wherever it is called, those of `--short` from where one is.
    const shown = (path: string) => (fromTop ? path : relativePath(path, repository.prefix));
    for (const [letters, path] of shortLines(status)) {
      if (given.has("end")) run.write(`${letters} ${shown(path)}\0`);
      else run.line(`${letters} ${spacedPath(shown(path))}`);
    }
    return 0;
  }
  await writeLong(run, repository, status, { untracked });
  return 0;
}

/** Options whose value is part of the word, as words the table knows. */
function spelledOut(args: readonly string[]): string[] {
  return args.map((word) =>
    word.startsWith("--untracked-files=")
      ? word.replace("--untracked-files=", "-u")
      : word === "--porcelain=v1"
        ? "--porcelain"
        : word,
  );
}

function narrowed(status: GitStatus, repository: GitRepository, cwd: string, typed: readonly string[]): GitStatus {
  if (typed.length === 0) return status;
  const tests = typed.map((word) => onePathFilter(repositoryPath(word, cwd, repository.at.dir)));
  const isMeant = (path: string) => tests.some((test) => test(path.replace(/\/$/, "")));
  return {
    ...status,
    staged: status.staged.filter(({ path }) => isMeant(path)),
    unstaged: status.unstaged.filter(({ path }) => isMeant(path)),
    untracked: status.untracked.filter(isMeant),
    unmerged: new Map([...status.unmerged].filter(([path]) => isMeant(path))),
  };
}

/** Two letters and the path of every line of the short form. */
export function shortLines(status: GitStatus): [string, string][] {
  const letters = new Map<string, [string, string]>();
  for (const difference of status.staged) letters.set(difference.path, [differenceLetter(difference), " "]);
  for (const difference of status.unstaged) {
    letters.set(difference.path, [letters.get(difference.path)?.[0] ?? " ", differenceLetter(difference)]);
  }
  for (const [path, stages] of status.unmerged) letters.set(path, conflictLetters(stages));
  return [
    ...[...letters].toSorted(([a], [b]) => byPath(a, b)).map(([path, pair]): [string, string] => [pair.join(""), path]),
    ...status.untracked.map((path): [string, string] => ["??", path]),
  ];
}

function conflictLetters(stages: ReadonlySet<number>): [string, string] {
  const key = [1, 2, 3].filter((stage) => stages.has(stage)).join("");
  const pair = { "1": "DD", "2": "AU", "3": "UA", "12": "UD", "13": "DU", "23": "AA" }[key] ?? "UU";
  return [pair.charAt(0), pair.charAt(1)];
}

/** The short form quotes a path with a space too. */
function spacedPath(path: string): string {
  const quoted = quotedPath(path);
  return quoted === path && path.includes(" ") ? `"${path}"` : quoted;
}

async function branchLine(repository: GitRepository, status: GitStatus): Promise<string> {
  const branch = await repository.branch();
  if (branch === undefined) return "## HEAD (no branch)";
  return status.head === undefined ? `## No commits yet on ${branch}` : `## ${branch}`;
}

/** The long form; `commit` with nothing to commit tells it too, in the words of one. */
export async function writeLong(
  run: GitRun,
  repository: GitRepository,
  status: GitStatus,
  told: { readonly untracked: UntrackedMode; readonly isCommit?: boolean },
): Promise<void> {
  const branch = await repository.branch();
  const isMerging = (await repository.ref("MERGE_HEAD")) !== undefined;
  run.line(branch === undefined ? `HEAD detached at ${shortOid(status.head ?? "")}` : `On branch ${branch}`);
  if (isMerging) writeMerging(run, status.unmerged.size > 0);
  if (status.head === undefined) run.line(`\n${told.isCommit === true ? "Initial commit" : "No commits yet"}\n`);
  const shown = (path: string) => quotedPath(relativePath(path, repository.prefix));
  if (status.staged.length > 0) writePart(run, stagedPart(status, shown, isMerging));
  if (status.unmerged.size > 0) writePart(run, unmergedPart(status, shown));
  if (status.unstaged.length > 0) writePart(run, unstagedPart(status, shown));
  if (status.untracked.length > 0) writePart(run, untrackedPart(status, shown));
  const closing = closingLine(status, told.untracked);
  if (closing !== undefined) run.line(closing);
}

function writePart(run: GitRun, lines: readonly string[]): void {
  for (const line of lines) run.line(line);
  run.line("");
}

function writeMerging(run: GitRun, hasConflicts: boolean): void {
  if (!hasConflicts) {
    run.line('All conflicts fixed but you are still merging.\n  (use "git commit" to conclude merge)\n');
    return;
  }
  run.line(
    'You have unmerged paths.\n  (fix conflicts and run "git commit")\n  (use "git merge --abort" to abort the merge)\n',
  );
}

function stagedPart(status: GitStatus, shown: (path: string) => string, isMerging: boolean): string[] {
  const hint = status.head === undefined ? '"git rm --cached <file>..."' : '"git restore --staged <file>..."';
  const hints = isMerging ? [] : [`  (use ${hint} to unstage)`];
  return [
    "Changes to be committed:",
    ...hints,
    ...status.staged.map((one) => `\t${WORDS[differenceLetter(one)]}${shown(one.path)}`),
  ];
}

const WORDS = { A: "new file:   ", D: "deleted:    ", M: "modified:   ", T: "typechange: " } as const;

function unmergedPart(status: GitStatus, shown: (path: string) => string): string[] {
  const words: Readonly<Record<string, string>> = {
    DD: "both deleted:    ",
    AU: "added by us:     ",
    UA: "added by them:   ",
    UD: "deleted by them: ",
    DU: "deleted by us:   ",
    AA: "both added:      ",
    UU: "both modified:   ",
  };
  const lines = [...status.unmerged]
    .toSorted(([a], [b]) => byPath(a, b))
    .map(([path, stages]) => `\t${words[conflictLetters(stages).join("")]}${shown(path)}`);
  return ["Unmerged paths:", '  (use "git add <file>..." to mark resolution)', ...lines];
}

function unstagedPart(status: GitStatus, shown: (path: string) => string): string[] {
  const verb = status.unstaged.some((one: FileDifference) => one.after === undefined) ? "add/rm" : "add";
  return [
    "Changes not staged for commit:",
    `  (use "git ${verb} <file>..." to update what will be committed)`,
    '  (use "git restore <file>..." to discard changes in working directory)',
    ...status.unstaged.map((one) => `\t${WORDS[differenceLetter(one)]}${shown(one.path)}`),
  ];
}

function untrackedPart(status: GitStatus, shown: (path: string) => string): string[] {
  return [
    "Untracked files:",
    '  (use "git add <file>..." to include in what will be committed)',
    ...status.untracked.map((path) => `\t${shown(path)}`),
  ];
}

function closingLine(status: GitStatus, untracked: UntrackedMode): string | undefined {
  if (status.staged.length > 0)
    return untracked === "no" ? "Untracked files not listed (use -u option to show untracked files)" : undefined;
  if (status.unstaged.length > 0 || status.unmerged.size > 0)
    return 'no changes added to commit (use "git add" and/or "git commit -a")';
  if (status.untracked.length > 0)
    return 'nothing added to commit but untracked files present (use "git add" to track)';
  if (untracked === "no") return "nothing to commit (use -u to show untracked files)";
  return status.head === undefined
    ? 'nothing to commit (create/copy files and use "git add" to track)'
    : "nothing to commit, working tree clean";
}
