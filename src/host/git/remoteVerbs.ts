import {
  addRemote,
  type AuthCallback,
  type AuthFailureCallback,
  clone,
  deleteRemote,
  Errors,
  fetch,
  listBranches,
  listRemotes,
  listServerRefs,
  push,
  type HttpClient,
} from "isomorphic-git";
import http from "isomorphic-git/http/web";
import { configWithoutSection, configWithSetting } from "./gitConfigFile";
import { GitError } from "./gitError";
import { gitArguments, type GitArguments } from "./gitOptions";
import { repositoryPath } from "./gitPaths";
import { shortOid, textOrNone, type GitRepository } from "./gitRepository";
import type { GitRun } from "./gitRun";
import { gitDisk } from "./gitDisk";
import { gitIndexEntries } from "./gitIndex";
import { mergeCommit } from "./mergeVerb";

interface Connection {
  readonly http: HttpClient;
  readonly corsProxy?: string;
  readonly onAuth: AuthCallback;
  readonly onAuthFailure: AuthFailureCallback;
}

function connection(run: GitRun): Connection {
  run.checkNetwork();
  const { env } = run.context;
  const proxy = env["GIT_CORS_PROXY"];
  const [username, password] = [env["GIT_USERNAME"], env["GIT_PASSWORD"] ?? env["GIT_TOKEN"]];
  return {
    http,
    ...(proxy === undefined || proxy === "" ? {} : { corsProxy: proxy }),
    onAuth: () => (password === undefined ? { cancel: true } : { username: username ?? "x-access-token", password }),
    onAuthFailure: () => ({ cancel: true }),
  };
}

const CLONE_OPTIONS = {
  depth: { names: ["--depth"], takes: "value" },
  branch: { names: ["-b", "--branch"], takes: "value" },
  single: { names: ["--single-branch"] },
  noTags: { names: ["--no-tags"] },
  origin: { names: ["-o", "--origin"], takes: "value" },
  quiet: { names: ["-q", "--quiet"] },
} as const;

export async function cloneVerb(run: GitRun, args: readonly string[]): Promise<number> {
  const { given, words, value } = gitArguments("clone", args, CLONE_OPTIONS);
  const [url, typed] = words;
  if (url === undefined) throw new GitError("usage", "fatal: You must specify a repository to clone.");
  const name =
    typed ??
    url
      .replace(/\/+$/, "")
      .replace(/\.git$/, "")
      .split(/[/:]/)
      .at(-1) ??
    "repository";
  const { disk } = run.context;
  const dir = `/${repositoryPath(name, run.cwd, "/")}`;
  const isEmpty = !(await disk.exists(dir)) || (await disk.readdir(dir)).length === 0;
  if (!isEmpty)
    throw new GitError("fatal", `fatal: destination path '${name}' already exists and is not an empty directory.`);
  if (!given.has("quiet")) run.warn(`Cloning into '${name}'...`);
  const [depth, ref, remote] = [value("depth"), value("branch"), value("origin")];
  await reaching(url, run, () =>
    clone({
      ...connection(run),
      fs: gitDisk(disk),
      dir,
      url: httpAddress(url),
      noTags: given.has("noTags"),
      singleBranch: given.has("single") || depth !== undefined,
      ...(depth === undefined ? {} : { depth: Number(depth) }),
      ...(ref === undefined ? {} : { ref }),
      ...(remote === undefined ? {} : { remote }),
    }),
  );
  await readIndexOf(run, `${dir}/.git/index`);
  return 0;
}

/** An empty repository has no index after a clone. */
async function readIndexOf(run: GitRun, path: string): Promise<void> {
  if (!(await run.context.disk.exists(path))) run.warn("warning: You appear to have cloned an empty repository.");
  else gitIndexEntries(await run.context.disk.readFile(path));
}

/** @throws GitError `fatal` of an address a page cannot speak to */
function httpAddress(url: string): string {
  if (/^https?:\/\//.test(url)) return url;
  throw new GitError(
    "fatal",
    `fatal: '${url}': git in a page speaks http and https only, neither ssh nor paths of a disk`,
  );
}

/** What a failed request means, in words. @throws GitError `fatal` */
async function reaching<T>(url: string, run: GitRun, request: () => Promise<T>): Promise<T> {
  try {
    return await request();
  } catch (error) {
    if (error instanceof GitError) throw error;
    if (error instanceof Errors.HttpError) {
      const { statusCode } = error.data;
      const words =
        statusCode === 401 || statusCode === 403
          ? "Authentication failed; set GIT_USERNAME and GIT_TOKEN in the environment of the command"
          : `The requested URL returned error: ${statusCode}`;
      throw new GitError("fatal", `fatal: unable to access '${url}': ${words}`, { cause: error });
    }
    if (error instanceof Errors.UserCanceledError) {
      throw new GitError(
        "fatal",
        `fatal: Authentication failed for '${url}': set GIT_USERNAME and GIT_TOKEN in the environment of the command`,
        { cause: error },
      );
    }
    if (!(error instanceof TypeError)) throw error;
    const proxy = run.context.env["GIT_CORS_PROXY"];
    const way =
      proxy === undefined || proxy === ""
        ? "Name a proxy that adds them in GIT_CORS_PROXY, e.g. GIT_CORS_PROXY=https://proxy.example git clone …"
        : `It was asked through GIT_CORS_PROXY=${proxy}.`;
    throw new GitError(
      "fatal",
      `fatal: unable to access '${url}': no answer a page may read. Most git servers send no CORS headers, without which a browser withholds the answer. ${way}`,
      { cause: error },
    );
  }
}

const REMOTE_OPTIONS = { verbose: { names: ["-v", "--verbose"] } } as const;

export async function remoteVerb(run: GitRun, args: readonly string[]): Promise<number> {
  const { given, words } = gitArguments("remote", args, REMOTE_OPTIONS);
  const repository = await run.repository();
  const [verb, name, url] = words;
  const remotes = await listRemotes({ ...repository.at });
  if (verb === undefined) {
    for (const one of remotes) {
      if (given.has("verbose")) run.line(`${one.remote}\t${one.url} (fetch)\n${one.remote}\t${one.url} (push)`);
      else run.line(one.remote);
    }
    return 0;
  }
  if (name === undefined) throw new GitError("usage", REMOTE_USAGE);
  const known = remotes.find((one) => one.remote === name);
  if (verb === "add" && url !== undefined) {
    if (known !== undefined) return (run.warn(`error: remote ${name} already exists.`), 3);
    await addRemote({ ...repository.at, remote: name, url });
    return 0;
  }
  if (known === undefined) return (run.warn(`error: No such remote '${name}'`), 2);
  if (verb === "get-url") run.line(known.url);
  else if (verb === "set-url" && url !== undefined)
    await addRemote({ ...repository.at, remote: name, url, force: true });
  else if (verb === "remove" || verb === "rm") await removeRemote(repository, name);
  else throw new GitError("usage", REMOTE_USAGE);
  return 0;
}

const REMOTE_USAGE =
  "usage: git remote [-v] · add <name> <url> · remove <name> · get-url <name> · set-url <name> <url>";

async function removeRemote(repository: GitRepository, name: string): Promise<void> {
  await deleteRemote({ ...repository.at, remote: name });
  const { gitdir } = repository.at;
  const config = await textOrNone(repository.disk, `${gitdir}/config`);
  await repository.disk.writeFile(`${gitdir}/config`, configWithoutSection(config, `remote.${name}`));
  await repository.disk.rm(`${gitdir}/refs/remotes/${name}`, { recursive: true, force: true });
}

interface RemotePlace {
  readonly remote: string;
  readonly url: string;
}

/** The remote that was named, that of the branch, or `origin`. @throws GitError `fatal` when there is none */
async function remotePlace(run: GitRun, repository: GitRepository, named: string | undefined): Promise<RemotePlace> {
  const branch = await repository.branch();
  const remote = named ?? (await run.setting(`branch.${branch ?? ""}.remote`)) ?? "origin";
  const found = (await listRemotes({ ...repository.at })).find((one) => one.remote === remote);
  if (found === undefined) {
    throw new GitError(
      "fatal",
      `fatal: '${remote}' does not appear to be a git repository\nfatal: Could not read from remote repository.`,
    );
  }
  return { remote, url: httpAddress(found.url) };
}

const FETCH_OPTIONS = {
  depth: { names: ["--depth"], takes: "value" },
  prune: { names: ["-p", "--prune"] },
  tags: { names: ["-t", "--tags"] },
  all: { names: ["--all"] },
  quiet: { names: ["-q", "--quiet"] },
} as const;

export async function fetchVerb(run: GitRun, args: readonly string[]): Promise<number> {
  const parsed = gitArguments("fetch", args, FETCH_OPTIONS);
  const repository = await run.repository();
  const place = await remotePlace(run, repository, parsed.words[0]);
  await fetchFrom(run, repository, place, parsed);
  return 0;
}

async function fetchFrom(
  run: GitRun,
  repository: GitRepository,
  place: RemotePlace,
  { given, words, value }: GitArguments,
): Promise<string | undefined> {
  const depth = value("depth");
  const before = await remoteHeads(repository, place.remote);
  const { fetchHead } = await reaching(place.url, run, () =>
    fetch({
      ...connection(run),
      ...repository.at,
      remote: place.remote,
      prune: given.has("prune"),
      tags: given.has("tags"),
      ...(words[1] === undefined ? {} : { ref: words[1] }),
      ...(depth === undefined ? {} : { depth: Number(depth) }),
    }),
  );
  if (!given.has("quiet")) await tellFetched(run, repository, place, before);
  return fetchHead ?? undefined;
}

async function remoteHeads(repository: GitRepository, remote: string): Promise<Map<string, string>> {
  const heads = new Map<string, string>();
  for (const branch of await listBranches({ ...repository.at, remote })) {
    const oid = await repository.ref(`refs/remotes/${remote}/${branch}`);
    if (oid !== undefined && branch !== "HEAD") heads.set(branch, oid);
  }
  return heads;
}

async function tellFetched(
  run: GitRun,
  repository: GitRepository,
  { remote, url }: RemotePlace,
  before: ReadonlyMap<string, string>,
): Promise<void> {
  const lines: string[] = [];
  for (const [branch, oid] of await remoteHeads(repository, remote)) {
    const old = before.get(branch);
    if (old === oid) continue;
    const what = old === undefined ? " * [new branch]     " : `   ${shortOid(old)}..${shortOid(oid)} `;
    lines.push(`${what} ${branch.padEnd(10)} -> ${remote}/${branch}`);
  }
  if (lines.length > 0) run.warn([`From ${url.replace(/\.git$/, "")}`, ...lines].join("\n"));
}

const PULL_OPTIONS = {
  ...FETCH_OPTIONS,
  onlyFastForward: { names: ["--ff-only"] },
  noRebase: { names: ["--no-rebase"] },
  noEdit: { names: ["--no-edit"] },
} as const;

export async function pullVerb(run: GitRun, args: readonly string[]): Promise<number> {
  const parsed = gitArguments("pull", args, PULL_OPTIONS);
  const repository = await run.repository();
  const place = await remotePlace(run, repository, parsed.words[0]);
  await fetchFrom(run, repository, place, parsed);
  const branch = await repository.branch();
  const upstream =
    parsed.words[1] ?? (await run.setting(`branch.${branch ?? ""}.merge`))?.replace(/^refs\/heads\//, "") ?? branch;
  const theirs = await repository.ref(`refs/remotes/${place.remote}/${upstream ?? ""}`);
  if (theirs === undefined) throw new GitError("refused", `fatal: couldn't find remote ref ${upstream ?? ""}`);
  const name = `${place.remote}/${upstream ?? ""}`;
  const message = `Merge branch '${upstream ?? ""}' of ${place.url}\n`;
  return mergeCommit(run, repository, {
    name,
    theirs,
    message,
    mode: parsed.given.has("onlyFastForward") ? "only" : "may",
  });
}

const PUSH_OPTIONS = {
  upstream: { names: ["-u", "--set-upstream"] },
  force: { names: ["-f", "--force"] },
  remove: { names: ["-d", "--delete"] },
  quiet: { names: ["-q", "--quiet"] },
} as const;

export async function pushVerb(run: GitRun, args: readonly string[]): Promise<number> {
  const { given, words } = gitArguments("push", args, PUSH_OPTIONS);
  const repository = await run.repository();
  const place = await remotePlace(run, repository, words[0]);
  const branch = await repository.branch();
  const spec = words[1] ?? branch;
  if (spec === undefined) throw new GitError("fatal", "fatal: You are not currently on a branch.");
  const [from = spec, to = from] = spec.replace(/^\+/, "").split(":");
  const local = from === "HEAD" ? (branch ?? "HEAD") : from;
  const target = to === "HEAD" ? (branch ?? to) : to;
  const isRemoval = given.has("remove");
  if (!isRemoval && (await repository.revisionOrNone(local)) === undefined) {
    throw new GitError(
      "refused",
      `error: src refspec ${from} does not match any\nerror: failed to push some refs to '${place.url}'`,
    );
  }
  const result = await reaching(place.url, run, () =>
    pushRefused(place, () =>
      push({
        ...connection(run),
        ...repository.at,
        remote: place.remote,
        ref: local,
        remoteRef: target,
        force: given.has("force") || spec.startsWith("+"),
        delete: isRemoval,
      }),
    ),
  );
  const failed = Object.entries(result.refs).filter(([, one]) => !one.ok);
  if (!result.ok || failed.length > 0) {
    throw new GitError(
      "refused",
      [
        ...failed.map(([ref, one]) => ` ! [remote rejected] ${ref} (${one.error})`),
        `error: failed to push some refs to '${place.url}'`,
      ].join("\n"),
    );
  }
  run.warn(`To ${place.url}\n   ${isRemoval ? `- [deleted]         ${target}` : `${local} -> ${target}`}`);
  if (given.has("upstream")) await setUpstream(run, repository, { branch: local, remote: place.remote, target });
  return 0;
}

async function pushRefused<T>(place: RemotePlace, request: () => Promise<T>): Promise<T> {
  try {
    return await request();
  } catch (error) {
    if (!(error instanceof Errors.PushRejectedError)) throw error;
    const words =
      " ! [rejected] (fetch first)\nhint: the remote has commits that are not here: git pull, then push again";
    throw new GitError("refused", `To ${place.url}\n${words}\nerror: failed to push some refs to '${place.url}'`, {
      cause: error,
    });
  }
}

async function setUpstream(
  run: GitRun,
  repository: GitRepository,
  { branch, remote, target }: { branch: string; remote: string; target: string },
): Promise<void> {
  const path = `${repository.at.gitdir}/config`;
  const text = await textOrNone(repository.disk, path);
  const withRemote = configWithSetting(text, `branch.${branch}.remote`, remote);
  await repository.disk.writeFile(
    path,
    configWithSetting(withRemote, `branch.${branch}.merge`, `refs/heads/${target}`),
  );
  run.line(`branch '${branch}' set up to track '${remote}/${target}'.`);
}

const LS_REMOTE_OPTIONS = { heads: { names: ["--heads", "-h"] }, tags: { names: ["--tags", "-t"] } } as const;

export async function lsRemoteVerb(run: GitRun, args: readonly string[]): Promise<number> {
  const { given, words } = gitArguments("ls-remote", args, LS_REMOTE_OPTIONS);
  const named = words[0];
  const url =
    named !== undefined && /^https?:/.test(named) ? named : (await remotePlace(run, await run.repository(), named)).url;
  const refs = await reaching(url, run, () => listServerRefs({ ...connection(run), url }));
  for (const { ref, oid } of refs) {
    const isMeant =
      (!given.has("heads") && !given.has("tags")) ||
      (given.has("heads") && ref.startsWith("refs/heads/")) ||
      (given.has("tags") && ref.startsWith("refs/tags/"));
    if (isMeant) run.line(`${oid}\t${ref}`);
  }
  return 0;
}
