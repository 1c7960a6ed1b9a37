import { listBranches, listRemotes, listTags } from "isomorphic-git";
import { DIFF_OPTIONS, diffText } from "./diffOutput";
import { revisionsAndPaths } from "./diffVerb";
import { GitError } from "./gitError";
import { gitArguments, type GitArguments } from "./gitOptions";
import { pathFilter } from "./gitPaths";
import type { GitRepository } from "./gitRepository";
import type { GitRun } from "./gitRun";
import { differences, type FileDifference } from "./gitStatus";
import { commitText, logFormat, templatedCommit, type DecoratedCommit, type LogFormat } from "./logFormat";

const LOG_OPTIONS = {
  ...DIFF_OPTIONS,
  count: { names: ["-n", "--max-count"], takes: "value" },
  skip: { names: ["--skip"], takes: "value" },
  oneline: { names: ["--oneline"] },
  pretty: { names: ["--pretty", "--format"], takes: "value" },
  abbreviated: { names: ["--abbrev-commit"] },
  decorate: { names: ["--decorate"] },
  noDecorate: { names: ["--no-decorate"] },
  all: { names: ["--all"] },
  reverse: { names: ["--reverse"] },
  author: { names: ["--author"], takes: "value" },
  grep: { names: ["--grep"], takes: "value" },
  noMerges: { names: ["--no-merges"] },
  merges: { names: ["--merges"] },
  firstParent: { names: ["--first-parent"] },
  noPager: { names: ["--no-pager"] },
} as const;

export async function logVerb(run: GitRun, args: readonly string[]): Promise<number> {
  const parsed = gitArguments("log", args, LOG_OPTIONS);
  const repository = await run.repository();
  const { starts, hidden, paths } = await logRange(run, repository, parsed);
  const limit = Number(parsed.value("count") ?? Number.POSITIVE_INFINITY);
  const skip = Number(parsed.value("skip") ?? 0);
  const isMeant = commitFilter(parsed);
  const isPathMeant = paths.length === 0 ? undefined : pathFilter(paths);
  const found: { entry: DecoratedCommit; changes: FileDifference[] | undefined }[] = [];
  let passed = 0;
  for await (const entry of commitsFrom(repository, { starts, hidden, firstParent: parsed.given.has("firstParent") })) {
    if (found.length >= limit) break;
    if (!isMeant(entry)) continue;
    const changes =
      isPathMeant === undefined
        ? undefined
        : (await commitChanges(repository, entry)).filter(({ path }) => isPathMeant(path));
    if (changes?.length === 0) continue;
    passed += 1;
    if (passed > skip) found.push({ entry, changes });
  }
  if (parsed.given.has("reverse")) found.reverse();
  const decorations =
    parsed.given.has("decorate") || /%[dD]/.test(parsed.value("pretty") ?? "")
      ? await decorationsOf(repository)
      : undefined;
  await writeLog(
    run,
    repository,
    found.map(({ entry, changes }) => ({
      entry: { ...entry, decoration: decorations?.get(entry.oid) ?? "" },
      changes,
    })),
    parsed,
  );
  return 0;
}

async function logRange(
  run: GitRun,
  repository: GitRepository,
  parsed: GitArguments,
): Promise<{ starts: string[]; hidden: string[]; paths: string[] }> {
  const range = parsed.words.find((word) => /[^.]?\.\.[^.]?/.test(word) && !word.includes("/.."));
  const excluded = parsed.words.filter((word) => word.startsWith("^"));
  const words = parsed.words.filter((word) => word !== range && !word.startsWith("^"));
  const { revisions, paths } = await revisionsAndPaths(run, repository, { ...parsed, words });
  const hidden = await Promise.all(excluded.map((word) => repository.revision(word.slice(1))));
  const starts = [...revisions];
  if (range !== undefined) {
    const [from = "", to = ""] = range.split("..");
    hidden.push(await repository.revision(from));
    starts.push(await repository.revision(to));
  }
  if (parsed.given.has("all")) starts.push(...(await decorationsOf(repository)).keys());
  if (starts.length === 0) {
    const head = await repository.head();
    if (head === undefined)
      throw new GitError(
        "fatal",
        `fatal: your current branch '${(await repository.branch()) ?? "HEAD"}' does not have any commits yet`,
      );
    starts.push(head);
  }
  return { starts, hidden, paths };
}

function commitFilter(parsed: GitArguments): (entry: DecoratedCommit) => boolean {
  const author = parsed.value("author");
  const words = parsed.value("grep");
  return ({ commit }) => {
    if (parsed.given.has("noMerges") && commit.parent.length > 1) return false;
    if (parsed.given.has("merges") && commit.parent.length < 2) return false;
    if (author !== undefined && !new RegExp(author).test(`${commit.author.name} <${commit.author.email}>`))
      return false;
    return words === undefined || new RegExp(words).test(commit.message);
  };
}

interface CommitRange {
  readonly starts: readonly string[];
  readonly hidden: readonly string[];
  readonly firstParent?: boolean;
}

/** Newest first by the time of the commit; what `hidden` reaches is left out. */
export async function* commitsFrom(
  repository: GitRepository,
  { starts, hidden, firstParent = false }: CommitRange,
): AsyncGenerator<DecoratedCommit> {
  const seen = new Set<string>();
  if (hidden.length > 0)
    for await (const { oid } of commitsFrom(repository, { starts: hidden, hidden: [] })) seen.add(oid);
  const waiting: DecoratedCommit[] = [];
  const push = async (oid: string) => {
    if (seen.has(oid)) return;
    seen.add(oid);
    const entry = { ...(await repository.commit(oid)), decoration: "" };
    const at = waiting.findIndex((other) => other.commit.committer.timestamp < entry.commit.committer.timestamp);
    waiting.splice(at === -1 ? waiting.length : at, 0, entry);
  };
  for (const oid of starts) await push(oid);
  for (let entry = waiting.shift(); entry !== undefined; entry = waiting.shift()) {
    yield entry;
    for (const parent of firstParent ? entry.commit.parent.slice(0, 1) : entry.commit.parent) await push(parent);
  }
}

/** What a commit changed against its first parent. */
async function commitChanges(repository: GitRepository, { oid, commit }: DecoratedCommit): Promise<FileDifference[]> {
  return differences(await repository.files(commit.parent[0]), await repository.files(oid));
}

async function writeLog(
  run: GitRun,
  repository: GitRepository,
  found: readonly { entry: DecoratedCommit; changes: FileDifference[] | undefined }[],
  parsed: GitArguments,
): Promise<void> {
  const format: LogFormat = parsed.given.has("oneline") ? "oneline" : logFormat(parsed.value("pretty") ?? "medium");
  const isShort = parsed.given.has("oneline") || parsed.given.has("abbreviated");
  const showsDiff = SHOWS_DIFF.some((option) => parsed.given.has(option));
  const context = Number(parsed.value("context") ?? 3);
  for (const [index, { entry, changes }] of found.entries()) {
    const isLast = index === found.length - 1;
    const isTemplate = typeof format === "object";
    if (isTemplate)
      run.write(templatedCommit(entry, format.template) + (format.isTerminated || !isLast || showsDiff ? "\n" : ""));
    else run.line(commitText(entry, format, isShort));
    const isMerge = entry.commit.parent.length > 1;
    const shown = showsDiff && !isMerge ? (changes ?? (await commitChanges(repository, entry))) : [];
    if (shown.length > 0) {
      const text = await diffText(repository, shown, "objects", parsed.given, context);
      run.write((format === "oneline" ? "" : "\n") + text);
    }
    if (!isTemplate && format !== "oneline" && !isLast) run.line("");
  }
}

const SHOWS_DIFF = ["patch", "stat", "shortStat", "numStat", "nameOnly", "nameStatus", "summary"];

/** What points at a commit, in git's order: the head, branches, tags, branches of remotes. */
export async function decorationsOf(repository: GitRepository): Promise<Map<string, string>> {
  const names = new Map<string, string[]>();
  const add = (oid: string | undefined, name: string) => {
    if (oid !== undefined) names.set(oid, [...(names.get(oid) ?? []), name]);
  };
  const current = await repository.branch();
  const head = await repository.head();
  add(head, current === undefined ? "HEAD" : `HEAD -> ${current}`);
  for (const tag of await listTags({ ...repository.at }))
    add(await repository.revisionOrNone(`refs/tags/${tag}`), `tag: ${tag}`);
  for (const { remote } of await listRemotes({ ...repository.at })) {
    for (const branch of await listBranches({ ...repository.at, remote }))
      add(await repository.ref(`refs/remotes/${remote}/${branch}`), `${remote}/${branch}`);
  }
  for (const branch of await listBranches({ ...repository.at }))
    if (branch !== current) add(await repository.ref(`refs/heads/${branch}`), branch);
  return new Map([...names].map(([oid, list]) => [oid, list.join(", ")]));
}

const SHOW_OPTIONS = {
  ...DIFF_OPTIONS,
  pretty: LOG_OPTIONS.pretty,
  oneline: LOG_OPTIONS.oneline,
  abbreviated: LOG_OPTIONS.abbreviated,
} as const;

export async function showVerb(run: GitRun, args: readonly string[]): Promise<number> {
  const parsed = gitArguments("show", args, SHOW_OPTIONS);
  const repository = await run.repository();
  const words = parsed.words.length === 0 ? ["HEAD"] : parsed.words;
  const files = words.filter((word) => word.includes(":"));
  for (const word of files) await showFile(run, repository, word);
  const commits = words.filter((word) => !word.includes(":"));
  const isMeant =
    parsed.paths === undefined ? () => true : pathFilter(parsed.paths.map((path) => repository.prefix + path));
  const found = [];
  for (const word of commits) {
    const entry = { ...(await repository.commit(await repository.revision(word))), decoration: "" };
    found.push({ entry, changes: (await commitChanges(repository, entry)).filter(({ path }) => isMeant(path)) });
  }
  const isPlain = !SHOWS_DIFF.some((option) => parsed.given.has(option)) && !parsed.given.has("noPatch");
  await writeLog(run, repository, found, isPlain ? { ...parsed, given: new Set([...parsed.given, "patch"]) } : parsed);
  return 0;
}

/** `git show revision:path`, and `:path` of the index. */
async function showFile(run: GitRun, repository: GitRepository, word: string): Promise<void> {
  const colon = word.indexOf(":");
  const [revision, typed] = [word.slice(0, colon), word.slice(colon + 1)];
  const path = typed.startsWith("./") ? repository.prefix + typed.slice(2) : typed;
  const entry =
    revision === ""
      ? (await repository.index()).find((one) => one.path === path)
      : (await repository.files(await repository.revision(revision))).get(path);
  if (entry === undefined)
    throw new GitError(
      "fatal",
      `fatal: path '${path}' does not exist in '${revision === "" ? "the index" : revision}'`,
    );
  run.write(await repository.blob(entry.oid));
}
