import { commit, writeTree, type TreeEntry } from "isomorphic-git";
import { filePatches } from "./diffOutput";
import { GitError } from "./gitError";
import { gitIdentity, type GitIdentity } from "./gitIdentity";
import type { GitIndexEntry } from "./gitIndex";
import { gitDateText } from "./logFormat";
import { gitArguments, type GitArguments } from "./gitOptions";
import { lineCounts, shortStatText, summaryText } from "./gitPatch";
import { pathFilter, repositoryPath } from "./gitPaths";
import { shortOid, textOrNone, type GitRepository } from "./gitRepository";
import type { GitRun } from "./gitRun";
import { differences, gitStatus, unmergedPaths } from "./gitStatus";
import { writeLong } from "./statusVerb";
import { stagePaths } from "./trackVerbs";

const OPTIONS = {
  message: { names: ["-m", "--message"], takes: "value" },
  file: { names: ["-F", "--file"], takes: "value" },
  all: { names: ["-a", "--all"] },
  amend: { names: ["--amend"] },
  noEdit: { names: ["--no-edit"] },
  allowEmpty: { names: ["--allow-empty"] },
  author: { names: ["--author"], takes: "value" },
  quiet: { names: ["-q", "--quiet"] },
  noVerify: { names: ["-n", "--no-verify"] },
} as const;

export async function commitVerb(run: GitRun, args: readonly string[]): Promise<number> {
  const parsed = gitArguments("commit", args, OPTIONS);
  const repository = await run.repository();
  await stageFirst(run, repository, parsed);
  const entries = await repository.index();
  const unmerged = [...unmergedPaths(entries).keys()];
  for (const path of unmerged) run.line(`U\t${path}`);
  if (unmerged.length > 0) throw new GitError("fatal", UNMERGED);
  const head = await repository.head();
  const amended = parsed.given.has("amend") ? await amendedCommit(repository, head) : undefined;
  const mergeHead = await repository.ref("MERGE_HEAD");
  const parents = amended?.parents ?? [head, mergeHead].filter((oid) => oid !== undefined);
  const before = await repository.files(parents[0]);
  const tree = await treeFromIndex(repository, entries);
  const changes = differences(before, await repository.files(tree));
  if (changes.length === 0 && mergeHead === undefined && !parsed.given.has("allowEmpty")) {
    const wasEmpty = amended !== undefined && parents[0] !== undefined && (await isEmptyCommit(repository, head ?? ""));
    if (!wasEmpty) return tellNothing(run, repository, amended !== undefined);
  }
  const message = await messageOf(run, repository, parsed, amended?.message);
  const oid = await writeCommit(run, repository, {
    message,
    parents,
    tree,
    author: await authorOf(run, parsed, amended?.author),
  });
  await endMerge(repository);
  if (!parsed.given.has("quiet")) {
    const place = (await repository.branch()) ?? "detached HEAD";
    run.line(
      `[${place}${head === undefined ? " (root-commit)" : ""} ${shortOid(oid)}] ${message.split("\n", 1)[0] ?? ""}`,
    );
    const { author, committer } = (await repository.commit(oid)).commit;
    if (author.name !== committer.name || author.email !== committer.email)
      run.line(` Author: ${author.name} <${author.email}>`);
    if (amended !== undefined) run.line(` Date: ${gitDateText(author)}`);
    if (changes.length > 0 && parents.length < 2) {
      const patches = await filePatches(repository, changes, "objects");
      run.write(shortStatText(patches.map(lineCounts)) + summaryText(changes));
    }
  }
  return 0;
}

async function isEmptyCommit(repository: GitRepository, oid: string): Promise<boolean> {
  const { commit: one } = await repository.commit(oid);
  return one.parent[0] !== undefined && (await repository.commit(one.parent[0])).commit.tree === one.tree;
}

/** There is nothing to commit, which the status shows. */
async function tellNothing(run: GitRun, repository: GitRepository, isAmending: boolean): Promise<number> {
  if (isAmending) {
    const head = await repository.head();
    const isRoot = head !== undefined && (await repository.commit(head)).commit.parent.length === 0;
    run.line(`On branch ${(await repository.branch()) ?? "HEAD"}\n${isRoot ? "\nInitial commit\n" : ""}\nNo changes`);
    run.warn(AMENDED_EMPTY);
  } else
    await writeLong(run, repository, await gitStatus(repository, "normal"), { untracked: "normal", isCommit: true });
  return 1;
}

const AMENDED_EMPTY = [
  "You asked to amend the most recent commit, but doing so would make",
  "it empty. You can repeat your command with --allow-empty, or you can",
  'remove the commit entirely with "git reset HEAD^".',
].join("\n");

const UNMERGED = [
  "error: Committing is not possible because you have unmerged files.",
  "hint: Fix them up in the work tree, and then use 'git add/rm <file>'",
  "hint: as appropriate to mark resolution and make a commit.",
  "fatal: Exiting because of an unresolved conflict.",
].join("\n");

async function stageFirst(run: GitRun, repository: GitRepository, parsed: GitArguments): Promise<void> {
  const typed = [...parsed.words, ...(parsed.paths ?? [])];
  if (typed.length === 0 && !parsed.given.has("all")) return;
  const isMeant =
    typed.length === 0 ? () => true : pathFilter(typed.map((word) => repositoryPath(word, run.cwd, repository.at.dir)));
  const { entries, unstaged, unmerged } = await gitStatus(repository, "no");
  const paths = [...unstaged.map(({ path }) => path), ...unmerged.keys()].filter(isMeant);
  if (typed.length > 0) {
    for (const word of typed) {
      const one = pathFilter([repositoryPath(word, run.cwd, repository.at.dir)]);
      if (!entries.some((entry) => one(entry.path))) {
        throw new GitError("refused", `error: pathspec '${word}' did not match any file(s) known to git`);
      }
    }
  }
  await stagePaths(repository, entries, paths);
}

interface AmendedCommit {
  readonly parents: readonly string[];
  readonly message: string;
  readonly author: GitIdentity;
}

async function amendedCommit(repository: GitRepository, head: string | undefined): Promise<AmendedCommit> {
  if (head === undefined) throw new GitError("fatal", "fatal: You have nothing to amend.");
  const { commit: old } = await repository.commit(head);
  return { parents: old.parent, message: old.message, author: old.author };
}

async function messageOf(
  run: GitRun,
  repository: GitRepository,
  parsed: GitArguments,
  old: string | undefined,
): Promise<string> {
  const paragraphs = parsed.values("message");
  let text = paragraphs.length > 0 ? paragraphs.join("\n\n") : old;
  const file = parsed.value("file");
  if (file === "-") text = new TextDecoder().decode(run.context.stdin);
  else if (file !== undefined) {
    const place = file.startsWith("/") ? file : `${run.cwd}/${file}`;
    if (!(await run.context.disk.exists(place)))
      throw new GitError("fatal", `fatal: could not read log file '${file}': No such file or directory`);
    text = await textOrNone(run.context.disk, place);
  }
  text ??= (await textOrNone(repository.disk, `${repository.at.gitdir}/MERGE_MSG`)) || undefined;
  if (text === undefined)
    throw new GitError("refused", "error: there is no editor here: give the message with -m or -F");
  const message = text
    .replace(/\r/g, "")
    .replace(/[ \t]+$/gm, "")
    .replace(/^\n+|\s+$/g, "")
    .replace(/\n{3,}/g, "\n\n");
  if (message === "") throw new GitError("refused", "Aborting commit due to empty commit message.");
  return message;
}

async function authorOf(run: GitRun, parsed: GitArguments, old: GitIdentity | undefined): Promise<GitIdentity> {
  const given = parsed.value("author");
  if (given === undefined) return old ?? gitIdentity(run, "AUTHOR");
  const match = /^(.*?)\s*<(.*)>$/.exec(given);
  if (match === null)
    throw new GitError("fatal", `fatal: --author '${given}' is not 'Name <email>' and matches no existing author`);
  const now = await gitIdentity(run, "COMMITTER");
  return { ...now, name: match[1] ?? "", email: match[2] ?? "" };
}

export interface NewCommit {
  readonly message: string;
  readonly parents: readonly string[];
  readonly tree: string;
  readonly author?: GitIdentity;
}

/** Writes the commit and moves the branch to it. */
export async function writeCommit(
  run: GitRun,
  repository: GitRepository,
  { message, parents, tree, author }: NewCommit,
): Promise<string> {
  return commit({
    ...repository.at,
    message,
    author: author ?? (await gitIdentity(run, "AUTHOR")),
    committer: await gitIdentity(run, "COMMITTER"),
    parent: [...parents],
    tree,
  });
}

/** Nothing is being merged from here on. */
export async function endMerge(repository: GitRepository): Promise<void> {
  for (const name of ["MERGE_HEAD", "MERGE_MSG", "MERGE_MODE"]) {
    await repository.disk.rm(`${repository.at.gitdir}/${name}`, { force: true });
  }
}

/** Writes the trees the index describes; answers the top one. */
export async function treeFromIndex(repository: GitRepository, entries: readonly GitIndexEntry[]): Promise<string> {
  const below = new Map<string, GitIndexEntry[]>();
  const own: TreeEntry[] = [];
  for (const entry of entries) {
    const slash = entry.path.indexOf("/");
    if (slash === -1) {
      own.push({
        mode: entry.mode,
        path: entry.path,
        oid: entry.oid,
        type: entry.mode === "160000" ? "commit" : "blob",
      });
      continue;
    }
    const name = entry.path.slice(0, slash);
    const inside = below.get(name) ?? [];
    inside.push({ ...entry, path: entry.path.slice(slash + 1) });
    below.set(name, inside);
  }
  for (const [path, inside] of below) {
    own.push({ mode: "040000", path, oid: await treeFromIndex(repository, inside), type: "tree" });
  }
  return writeTree({ ...repository.at, tree: own });
}
