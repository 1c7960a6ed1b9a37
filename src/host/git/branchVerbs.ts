import {
  annotatedTag,
  branch as createBranch,
  deleteBranch,
  deleteTag,
  listBranches,
  listRemotes,
  listTags,
  renameBranch,
  tag as createTag,
  writeRef,
} from "isomorphic-git";
import { GitError } from "./gitError";
import { gitIdentity } from "./gitIdentity";
import { gitArguments, type GitArguments } from "./gitOptions";
import { onePathFilter } from "./gitPaths";
import { shortOid, type GitRepository } from "./gitRepository";
import type { GitRun } from "./gitRun";
import { commitsFrom } from "./historyVerbs";

const BRANCH_OPTIONS = {
  all: { names: ["-a", "--all"] },
  remotes: { names: ["-r", "--remotes"] },
  list: { names: ["-l", "--list"] },
  verbose: { names: ["-v", "-vv", "--verbose"] },
  current: { names: ["--show-current"] },
  remove: { names: ["-d", "--delete"] },
  removeForced: { names: ["-D"] },
  move: { names: ["-m", "--move"] },
  moveForced: { names: ["-M"] },
  force: { names: ["-f", "--force"] },
  quiet: { names: ["-q", "--quiet"] },
} as const;

export async function branchVerb(run: GitRun, args: readonly string[]): Promise<number> {
  const parsed = gitArguments("branch", args, BRANCH_OPTIONS);
  const { given, words } = parsed;
  const repository = await run.repository();
  if (given.has("current")) {
    const name = await repository.branch();
    if (name !== undefined) run.line(name);
  } else if (given.has("remove") || given.has("removeForced")) await removeBranches(run, repository, parsed);
  else if (given.has("move") || given.has("moveForced")) await moveBranch(repository, parsed);
  else if (words[0] === undefined || given.has("list")) await listAll(run, repository, parsed);
  else await newBranch(repository, words[0], words[1], given.has("force"));
  return 0;
}

/** @throws GitError `fatal` when the name is taken, is none, or the start is unknown */
export async function newBranch(
  repository: GitRepository,
  name: string,
  start: string | undefined,
  isForced: boolean,
): Promise<string | undefined> {
  if (!isBranchName(name)) throw new GitError("fatal", `fatal: '${name}' is not a valid branch name`);
  const ref = `refs/heads/${name}`;
  if (!isForced && (await repository.ref(ref)) !== undefined)
    throw new GitError("fatal", `fatal: a branch named '${name}' already exists`);
  const oid = start === undefined ? await repository.head() : await repository.revisionOrNone(start);
  if (oid === undefined)
    throw new GitError("fatal", `fatal: not a valid object name: '${start ?? (await repository.branch()) ?? "HEAD"}'`);
  if (isForced) await writeRef({ ...repository.at, ref, value: oid, force: true });
  else await createBranch({ ...repository.at, ref: name, object: oid });
  return oid;
}

function isBranchName(name: string): boolean {
  return !/^[-/.]|\.\.|[\s~^:?*[\\]|@\{|\/$|\.lock$|\/\/|\.$|^@$/.test(name);
}

async function removeBranches(run: GitRun, repository: GitRepository, { given, words }: GitArguments): Promise<void> {
  for (const name of words) {
    const oid = await repository.ref(`refs/heads/${name}`);
    if (oid === undefined) throw new GitError("refused", `error: branch '${name}' not found.`);
    if (name === (await repository.branch()))
      throw new GitError("refused", `error: Cannot delete branch '${name}' checked out at '${repository.at.dir}'`);
    if (!given.has("removeForced") && !given.has("force") && !(await isMerged(repository, oid))) {
      throw new GitError(
        "refused",
        `error: The branch '${name}' is not fully merged.\nIf you are sure you want to delete it, run 'git branch -D ${name}'.`,
      );
    }
    await deleteBranch({ ...repository.at, ref: name });
    run.line(`Deleted branch ${name} (was ${shortOid(oid)}).`);
  }
}

async function isMerged(repository: GitRepository, oid: string): Promise<boolean> {
  const head = await repository.head();
  if (head === undefined) return false;
  for await (const entry of commitsFrom(repository, { starts: [head], hidden: [] })) if (entry.oid === oid) return true;
  return false;
}

async function moveBranch(repository: GitRepository, { given, words }: GitArguments): Promise<void> {
  const [first, second] = words;
  if (first === undefined) throw new GitError("fatal", "fatal: branch name required");
  const current = await repository.branch();
  const [from, to] = second === undefined ? [current ?? "HEAD", first] : [first, second];
  if ((await repository.ref(`refs/heads/${from}`)) === undefined) {
    // A branch without a commit is a name in HEAD only.
    if (from !== current) throw new GitError("fatal", `fatal: no branch named '${from}'`);
    await writeRef({ ...repository.at, ref: "HEAD", value: `refs/heads/${to}`, symbolic: true, force: true });
    return;
  }
  if ((await repository.ref(`refs/heads/${to}`)) !== undefined) {
    if (from === to) return;
    if (!given.has("moveForced")) throw new GitError("fatal", `fatal: a branch named '${to}' already exists`);
    await deleteBranch({ ...repository.at, ref: to });
  }
  await renameBranch({ ...repository.at, oldref: from, ref: to, checkout: from === current });
}

async function listAll(run: GitRun, repository: GitRepository, { given, words }: GitArguments): Promise<void> {
  const current = await repository.branch();
  const isMeant = words.length === 0 ? () => true : (name: string) => words.some((word) => onePathFilter(word)(name));
  const rows: { mark: string; name: string; ref: string }[] = [];
  if (!given.has("remotes")) {
    const head = await repository.head();
    if (current === undefined && head !== undefined)
      rows.push({ mark: "*", name: `(HEAD detached at ${shortOid(head)})`, ref: "HEAD" });
    for (const name of (await listBranches({ ...repository.at })).toSorted()) {
      if (isMeant(name)) rows.push({ mark: name === current ? "*" : " ", name, ref: `refs/heads/${name}` });
    }
  }
  if (given.has("remotes") || given.has("all")) {
    for (const { remote } of await listRemotes({ ...repository.at })) {
      for (const name of (await listBranches({ ...repository.at, remote })).toSorted()) {
        if (name !== "HEAD")
          rows.push({
            mark: " ",
            name: `${given.has("all") ? "remotes/" : ""}${remote}/${name}`,
            ref: `refs/remotes/${remote}/${name}`,
          });
      }
    }
  }
  const width = Math.max(0, ...rows.map(({ name }) => name.length));
  for (const { mark, name, ref } of rows) {
    if (!given.has("verbose")) run.line(`${mark} ${name}`);
    else {
      const oid = await repository.ref(ref);
      if (oid !== undefined)
        run.line(
          `${mark} ${name.padEnd(width)} ${shortOid(oid)} ${(await repository.commit(oid)).commit.message.split("\n", 1)[0] ?? ""}`,
        );
    }
  }
}

const TAG_OPTIONS = {
  annotate: { names: ["-a", "--annotate"] },
  message: { names: ["-m", "--message"], takes: "value" },
  remove: { names: ["-d", "--delete"] },
  list: { names: ["-l", "--list"] },
  force: { names: ["-f", "--force"] },
} as const;

export async function tagVerb(run: GitRun, args: readonly string[]): Promise<number> {
  const { given, words, values } = gitArguments("tag", args, TAG_OPTIONS);
  const repository = await run.repository();
  if (given.has("remove")) {
    for (const name of words) {
      const oid = await repository.ref(`refs/tags/${name}`);
      if (oid === undefined) throw new GitError("refused", `error: tag '${name}' not found.`);
      await deleteTag({ ...repository.at, ref: name });
      run.line(`Deleted tag '${name}' (was ${shortOid(oid)})`);
    }
    return 0;
  }
  const [name, target] = words;
  if (name === undefined || given.has("list")) {
    const isMeant = words.length === 0 ? () => true : (tag: string) => words.some((word) => onePathFilter(word)(tag));
    for (const tag of (await listTags({ ...repository.at })).toSorted()) if (isMeant(tag)) run.line(tag);
    return 0;
  }
  const isForced = given.has("force");
  if (!isForced && (await repository.ref(`refs/tags/${name}`)) !== undefined)
    throw new GitError("fatal", `fatal: tag '${name}' already exists`);
  const object = await repository.revision(target ?? "HEAD");
  if (given.has("annotate") || given.has("message")) {
    if (!given.has("message"))
      throw new GitError("refused", "error: there is no editor here: give the message with -m");
    const message = values("message").join("\n\n");
    await annotatedTag({
      ...repository.at,
      ref: name,
      object,
      message: `${message}\n`,
      tagger: await gitIdentity(run, "COMMITTER"),
      force: isForced,
    });
  } else await createTag({ ...repository.at, ref: name, object, force: isForced });
  return 0;
}
