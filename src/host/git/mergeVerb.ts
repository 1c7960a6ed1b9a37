import { Errors, isDescendent, merge, writeRef } from "isomorphic-git";
import { conflictText, headLine } from "./checkoutVerbs";
import { endMerge } from "./commitVerb";
import { filePatches } from "./diffOutput";
import { GitError } from "./gitError";
import { gitIdentity } from "./gitIdentity";
import { gitArguments } from "./gitOptions";
import { statText, summaryText } from "./gitPatch";
import { shortOid, type GitRepository } from "./gitRepository";
import type { GitRun } from "./gitRun";
import { differences, gitStatus } from "./gitStatus";
import { moveWorktree, resetWorktree } from "./moveWorktree";

const OPTIONS = {
  message: { names: ["-m"], takes: "value" },
  noFastForward: { names: ["--no-ff"] },
  onlyFastForward: { names: ["--ff-only"] },
  fastForward: { names: ["--ff"] },
  noEdit: { names: ["--no-edit"] },
  abort: { names: ["--abort"] },
  continue: { names: ["--continue"] },
  quiet: { names: ["-q", "--quiet"] },
} as const;

export async function mergeVerb(run: GitRun, args: readonly string[]): Promise<number> {
  const { given, words, values } = gitArguments("merge", args, OPTIONS);
  const repository = await run.repository();
  if (given.has("abort")) return abortMerge(repository);
  if (given.has("continue")) throw new GitError("refused", "error: conclude the merge with `git commit -m <message>`");
  const [name, ...more] = words;
  if (name === undefined || more.length > 0)
    throw new GitError("fatal", "fatal: git here merges one branch at a time: git merge <branch>");
  const theirs = await repository.revisionOrNone(name);
  if (theirs === undefined) throw new GitError("refused", `merge: ${name} - not something we can merge`);
  const message =
    values("message").length > 0 ? values("message").join("\n\n") : `${await mergeTitle(repository, name)}\n`;
  const mode = given.has("noFastForward") ? "never" : given.has("onlyFastForward") ? "only" : "may";
  return mergeCommit(run, repository, { name, theirs, message, mode });
}

async function mergeTitle(repository: GitRepository, name: string): Promise<string> {
  const kind =
    (await repository.ref(`refs/heads/${name}`)) !== undefined
      ? "branch"
      : (await repository.ref(`refs/remotes/${name}`)) !== undefined
        ? "remote-tracking branch"
        : "commit";
  const branch = await repository.branch();
  const isMain = branch === "master" || branch === "main";
  return `Merge ${kind} '${name}'${isMain || branch === undefined ? "" : ` into ${branch}`}`;
}

async function abortMerge(repository: GitRepository): Promise<number> {
  if ((await repository.ref("MERGE_HEAD")) === undefined)
    throw new GitError("fatal", "fatal: There is no merge to abort (MERGE_HEAD missing).");
  await resetWorktree(repository, await repository.files(await repository.head()));
  await endMerge(repository);
  return 0;
}

export interface Merging {
  readonly name: string;
  readonly theirs: string;
  readonly message: string;
  readonly mode: "may" | "never" | "only";
}

/** Merges a commit into the head: moves it where it can, joins the two where it must. */
export async function mergeCommit(run: GitRun, repository: GitRepository, merging: Merging): Promise<number> {
  const { theirs, mode } = merging;
  const head = await repository.head();
  if ((await repository.ref("MERGE_HEAD")) !== undefined)
    throw new GitError("fatal", "fatal: You have not concluded your merge (MERGE_HEAD exists).");
  if (
    head === theirs ||
    (head !== undefined && (await isDescendent({ ...repository.at, oid: head, ancestor: theirs, depth: -1 })))
  ) {
    run.line("Already up to date.");
    return 0;
  }
  const canMove =
    head === undefined || (await isDescendent({ ...repository.at, oid: theirs, ancestor: head, depth: -1 }));
  if (canMove && mode !== "never") return fastForward(run, repository, head, theirs);
  if (mode === "only") throw new GitError("fatal", "fatal: Not possible to fast-forward, aborting.");
  return joinHistories(run, repository, head ?? theirs, merging);
}

async function fastForward(
  run: GitRun,
  repository: GitRepository,
  head: string | undefined,
  theirs: string,
): Promise<number> {
  const [from, to] = [await repository.files(head), await repository.files(theirs)];
  const conflicts = await moveWorktree(repository, from, to);
  if (head !== undefined) run.line(`Updating ${shortOid(head)}..${shortOid(theirs)}`);
  if (conflicts !== undefined) throw new GitError("refused", conflictText(conflicts, "merge"));
  await moveHead(repository, theirs);
  run.line("Fast-forward");
  await writeStat(run, repository, from, to);
  return 0;
}

async function moveHead(repository: GitRepository, oid: string): Promise<void> {
  const branch = await repository.branch();
  await writeRef({
    ...repository.at,
    ref: branch === undefined ? "HEAD" : `refs/heads/${branch}`,
    value: oid,
    force: true,
  });
}

async function writeStat(
  run: GitRun,
  repository: GitRepository,
  from: Awaited<ReturnType<GitRepository["files"]>>,
  to: typeof from,
): Promise<void> {
  const found = differences(from, to);
  run.write(statText(await filePatches(repository, found, "objects")) + summaryText(found));
}

/** Both sides have commits of their own. */
async function joinHistories(run: GitRun, repository: GitRepository, head: string, merging: Merging): Promise<number> {
  const { staged, unstaged } = await gitStatus(repository, "no");
  const changed = [...new Set([...staged, ...unstaged].map(({ path }) => path))].toSorted();
  // A merge with conflicts writes the whole tree anew, so nothing that is not committed may lie there.
  if (changed.length > 0) throw new GitError("refused", conflictText({ changed, untracked: [] }, "merge"));
  const from = await repository.files(head);
  // The markers of a conflict carry the name as it was typed, where that is one.
  const theirs = (await repository.ref(merging.name)) === undefined ? merging.theirs : merging.name;
  const [author, committer] = [await gitIdentity(run, "AUTHOR"), await gitIdentity(run, "COMMITTER")];
  const shared = { ...repository.at, ours: "HEAD", theirs, author, committer, message: merging.message };
  try {
    const { oid } = await merge({ ...shared, fastForward: false, noUpdateBranch: true });
    if (oid === undefined) throw new GitError("fatal", `fatal: the merge with '${merging.name}' made no commit`);
    const to = await repository.files(oid);
    const conflicts = await moveWorktree(repository, from, to);
    if (conflicts !== undefined) throw new GitError("refused", conflictText(conflicts, "merge"));
    await moveHead(repository, oid);
    run.line("Merge made by the 'ort' strategy.");
    await writeStat(run, repository, from, to);
    return 0;
  } catch (error) {
    if (!(error instanceof Errors.MergeConflictError) && !(error instanceof Errors.MergeNotSupportedError)) throw error;
    return leaveConflicts(run, repository, merging, shared);
  }
}

async function leaveConflicts(
  run: GitRun,
  repository: GitRepository,
  merging: Merging,
  shared: Parameters<typeof merge>[0],
): Promise<number> {
  try {
    await merge({ ...shared, fastForward: false, abortOnConflict: false });
  } catch (error) {
    if (!(error instanceof Errors.MergeConflictError)) throw error;
    const { gitdir } = repository.at;
    await repository.disk.writeFile(`${gitdir}/MERGE_HEAD`, `${merging.theirs}\n`);
    await repository.disk.writeFile(`${gitdir}/MERGE_MSG`, merging.message);
    const sides: readonly (readonly [string, string[]])[] = [
      [
        "content",
        error.data.filepaths.filter(
          (path) => !error.data.deleteByUs.includes(path) && !error.data.deleteByTheirs.includes(path),
        ),
      ],
      ["modify/delete", [...error.data.deleteByUs, ...error.data.deleteByTheirs]],
    ];
    for (const [kind, paths] of sides) {
      for (const path of paths) {
        if (kind === "content") run.line(`Auto-merging ${path}`);
        run.line(`CONFLICT (${kind}): Merge conflict in ${path}`);
      }
    }
    run.line("Automatic merge failed; fix conflicts and then commit the result.");
    return 1;
  }
  throw new GitError(
    "fatal",
    `fatal: the merge with ${await headLine(repository, merging.theirs)} could not be done here`,
  );
}
