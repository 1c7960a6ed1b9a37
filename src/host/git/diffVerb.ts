import { findMergeBase } from "isomorphic-git";
import { DIFF_OPTIONS, diffText } from "./diffOutput";
import { GitError } from "./gitError";
import { gitArguments, type GitArguments } from "./gitOptions";
import { pathFilter, repositoryPath } from "./gitPaths";
import type { GitFiles, GitRepository } from "./gitRepository";
import type { GitRun } from "./gitRun";
import { differences, gitStatus, indexFiles, worktreeFiles, type FileDifference } from "./gitStatus";

const OPTIONS = {
  ...DIFF_OPTIONS,
  cached: { names: ["--cached", "--staged"] },
  exitCode: { names: ["--exit-code"] },
  quiet: { names: ["--quiet", "-q"] },
  check: { names: ["--no-ext-diff"] },
} as const;

export async function diffVerb(run: GitRun, args: readonly string[]): Promise<number> {
  const parsed = gitArguments("diff", args, OPTIONS);
  const repository = await run.repository();
  const { revisions, paths } = await revisionsAndPaths(run, repository, parsed);
  const { found, isWorktree } = await compared(repository, revisions, parsed.given.has("cached"));
  const isMeant = paths.length === 0 ? () => true : pathFilter(paths);
  const shown = found.filter(({ path }) => isMeant(path));
  if (!parsed.given.has("quiet")) {
    const context = Number(parsed.value("context") ?? 3);
    run.write(await diffText(repository, shown, isWorktree ? "worktree" : "objects", parsed.given, context));
  }
  return shown.length > 0 && (parsed.given.has("exitCode") || parsed.given.has("quiet")) ? 1 : 0;
}

async function compared(
  repository: GitRepository,
  revisions: readonly string[],
  isCached: boolean,
): Promise<{ found: FileDifference[]; isWorktree: boolean }> {
  const [from, to] = revisions;
  if (from !== undefined && to !== undefined) {
    return { found: differences(await repository.files(from), await repository.files(to)), isWorktree: false };
  }
  const entries = await repository.index();
  const indexed = indexFiles(entries);
  if (isCached) {
    return {
      found: differences(await repository.files(from ?? (await repository.head())), indexed),
      isWorktree: false,
    };
  }
  const before: GitFiles = from === undefined ? indexed : await repository.files(from);
  if (from === undefined) {
    const { unstaged } = await gitStatus(repository, "no");
    return { found: [...unstaged], isWorktree: true };
  }
  return { found: differences(before, await worktreeFiles(repository, entries)), isWorktree: true };
}

/**
 * Words before `--` are revisions as long as they name one, then paths that must be there, as git reads them.
 * `a..b` is two revisions, `a...b` what `b` did since it left `a`.
 */
export async function revisionsAndPaths(
  run: GitRun,
  repository: GitRepository,
  parsed: GitArguments,
): Promise<{ revisions: string[]; paths: string[] }> {
  const revisions: string[] = [];
  const typedPaths: string[] = [...(parsed.paths ?? [])];
  for (const word of parsed.words) {
    const named = typedPaths.length > (parsed.paths?.length ?? 0) ? undefined : await namedRevisions(repository, word);
    if (named !== undefined) revisions.push(...named);
    else if (parsed.paths === undefined && (await isPath(run, repository, word))) typedPaths.push(word);
    else await repository.revision(word);
  }
  return { revisions, paths: typedPaths.map((word) => repositoryPath(word, run.cwd, repository.at.dir)) };
}

async function namedRevisions(repository: GitRepository, word: string): Promise<string[] | undefined> {
  const range = /^(.*?)(\.{2,3})(.*)$/.exec(word);
  if (range === null) {
    const oid = await repository.revisionOrNone(word);
    return oid === undefined ? undefined : [oid];
  }
  const [from, to] = [
    await repository.revisionOrNone(range[1] || "HEAD"),
    await repository.revisionOrNone(range[3] || "HEAD"),
  ];
  if (from === undefined || to === undefined) return undefined;
  return range[2] === ".." ? [from, to] : [await mergeBase(repository, from, to), to];
}

/** @throws GitError `fatal` of two histories that have nothing in common */
export async function mergeBase(repository: GitRepository, a: string, b: string): Promise<string> {
  const [oid] = (await findMergeBase({ ...repository.at, oids: [a, b] })) as string[];
  if (oid === undefined) throw new GitError("fatal", `fatal: ${a}...${b}: no merge base`);
  return oid;
}

async function isPath(run: GitRun, repository: GitRepository, word: string): Promise<boolean> {
  if (/[*?[]/.test(word)) return true;
  const path = repositoryPath(word, run.cwd, repository.at.dir);
  return path === "" || repository.disk.exists(repository.place(path));
}
