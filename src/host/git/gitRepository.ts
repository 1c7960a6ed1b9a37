import {
  currentBranch,
  expandOid,
  expandRef,
  readBlob,
  readCommit,
  readTree,
  resolveRef,
  type PromiseFsClient,
  type ReadCommitResult,
} from "isomorphic-git";
import type { HostCommandDisk } from "../embedded/hostCommand";
import { settingInConfig } from "./gitConfigFile";
import { gitDisk } from "./gitDisk";
import { GitError } from "./gitError";
import { bytesFromGitIndex, gitIndexEntries, type GitFile, type GitIndexEntry } from "./gitIndex";

/** Paths from the top of the repository and what git stores there. */
export type GitFiles = ReadonlyMap<string, GitFile>;

/** A repository with a working tree. */
export class GitRepository {
  readonly disk: HostCommandDisk;
  /** What isomorphic-git's functions take. */
  readonly at: { readonly fs: PromiseFsClient; readonly dir: string; readonly gitdir: string; readonly cache: object };
  /** The working directory from the top, `""` or ending with a slash. */
  readonly prefix: string;

  constructor(disk: HostCommandDisk, dir: string, cwd: string) {
    this.disk = disk;
    this.at = { fs: gitDisk(disk), dir, gitdir: `${dir === "/" ? "" : dir}/.git`, cache: {} };
    this.prefix = cwd === dir ? "" : `${cwd.slice(dir === "/" ? 1 : dir.length + 1)}/`;
  }

  /** Absolute path of a path from the top. */
  place(path: string): string {
    return `${this.at.dir === "/" ? "" : this.at.dir}/${path}`;
  }

  async index(): Promise<GitIndexEntry[]> {
    const path = `${this.at.gitdir}/index`;
    return (await this.disk.exists(path)) ? gitIndexEntries(await this.disk.readFile(path)) : [];
  }

  async writeIndex(entries: readonly GitIndexEntry[]): Promise<void> {
    await this.disk.writeFile(`${this.at.gitdir}/index`, await bytesFromGitIndex(entries));
  }

  /** Name of the branch, also of one without a commit; `undefined` when the head is detached. */
  async branch(): Promise<string | undefined> {
    return (await currentBranch({ ...this.at })) ?? undefined;
  }

  /** The commit of the head; `undefined` before the first. */
  async head(): Promise<string | undefined> {
    return this.ref("HEAD");
  }

  async ref(name: string): Promise<string | undefined> {
    try {
      return await resolveRef({ ...this.at, ref: name });
    } catch {
      return undefined;
    }
  }

  /** The files of a commit or tree; none of `undefined`. */
  async files(revision: string | undefined): Promise<Map<string, GitFile>> {
    const files = new Map<string, GitFile>();
    if (revision !== undefined) await this.collect(revision, "", files);
    return files;
  }

  private async collect(oid: string, prefix: string, files: Map<string, GitFile>): Promise<void> {
    const { tree } = await readTree({ ...this.at, oid });
    for (const entry of tree) {
      const path = prefix + entry.path;
      if (entry.type === "tree") await this.collect(entry.oid, `${path}/`, files);
      else files.set(path, { oid: entry.oid, mode: entry.mode });
    }
  }

  async commit(oid: string): Promise<ReadCommitResult> {
    return readCommit({ ...this.at, oid });
  }

  async blob(oid: string): Promise<Uint8Array> {
    return (await readBlob({ ...this.at, oid })).blob;
  }

  /** The object a revision names (`HEAD~2`, a branch, tag or shortened id). @throws GitError `fatal` */
  async revision(text: string): Promise<string> {
    const oid = await this.revisionOrNone(text);
    if (oid === undefined) throw new GitError("fatal", ambiguous(text));
    return oid;
  }

  async revisionOrNone(text: string): Promise<string | undefined> {
    const match = /^(.*?)((?:[~^]\d*)*)(?:\^\{(?:commit|)\})?$/.exec(text);
    const base = match?.[1] === "" || match?.[1] === "@" ? "HEAD" : (match?.[1] ?? text);
    let oid = await this.namedObject(base);
    for (const [, kind, digits] of (match?.[2] ?? "").matchAll(/([~^])(\d*)/g)) {
      if (oid === undefined) return undefined;
      const count = digits === "" ? 1 : Number(digits);
      oid = kind === "~" ? await this.ancestor(oid, count) : await this.parent(oid, count);
    }
    return oid;
  }

  private async namedObject(name: string): Promise<string | undefined> {
    try {
      const ref = await expandRef({ ...this.at, ref: name });
      const oid = await resolveRef({ ...this.at, ref });
      // A tag with a message is an object of its own; what it names is what everybody means.
      return ref.startsWith("refs/tags/") ? (await readCommit({ ...this.at, oid })).oid : oid;
    } catch {
      if (!/^[0-9a-f]{4,40}$/.test(name)) return undefined;
    }
    try {
      return name.length === 40 ? name : await expandOid({ ...this.at, oid: name });
    } catch {
      return undefined;
    }
  }

  private async ancestor(oid: string, count: number): Promise<string | undefined> {
    let at: string | undefined = oid;
    for (let left = count; left > 0 && at !== undefined; left -= 1) at = await this.parent(at, 1);
    return at;
  }

  private async parent(oid: string, number: number): Promise<string | undefined> {
    return number === 0 ? oid : (await this.commit(oid)).commit.parent[number - 1];
  }

  async setting(name: string, homeSettingsPath: string): Promise<string | undefined> {
    for (const path of [`${this.at.gitdir}/config`, homeSettingsPath]) {
      const value = settingInConfig(await textOrNone(this.disk, path), name);
      if (value !== undefined) return value;
    }
    return undefined;
  }
}

/** @throws GitError `fatal` when no directory upwards holds one */
export async function openGitRepository(disk: HostCommandDisk, cwd: string): Promise<GitRepository> {
  const parts = cwd.split("/").filter(Boolean);
  for (let length = parts.length; length >= 0; length -= 1) {
    const dir = `/${parts.slice(0, length).join("/")}`;
    if (await disk.exists(`${dir === "/" ? "" : dir}/.git/HEAD`)) return new GitRepository(disk, dir, cwd);
  }
  throw new GitError("fatal", "fatal: not a git repository (or any of the parent directories): .git");
}

/** `""` when the file is not there. */
export async function textOrNone(disk: HostCommandDisk, path: string): Promise<string> {
  return (await disk.exists(path)) ? new TextDecoder().decode(await disk.readFile(path)) : "";
}

export function shortOid(oid: string): string {
  return oid.slice(0, 7);
}

function ambiguous(text: string): string {
  return [
    `fatal: ambiguous argument '${text}': unknown revision or path not in the working tree.`,
    "Use '--' to separate paths from revisions, like this:",
    "'git <command> [<revision>...] -- [<file>...]'",
  ].join("\n");
}
