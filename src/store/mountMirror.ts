import {
  directorySource,
  ElsewhereError,
  hostSource,
  mirrorFs,
  openSharedFs,
  PathError,
  PermissionError,
  s3Files,
  webdavFiles,
  type DirectorySource,
  type HostFilesApi,
  type MirrorFileSystem,
  type MirrorSource,
  type TreeEngine,
} from "../fs";
import type { Keyring } from "../secrets";
import type { ProjectStore } from "../storage";
import type { MountCredentials } from "./chosenMount";
import { mountSecrets, type MountSecrets } from "./mountCredentials";
import {
  isMirroredRecord,
  mirrorScope,
  type FolderSource,
  type MirroredRecord,
  type MountRecord,
  type S3Source,
  type WebdavSource,
} from "./mountRecord";
import { outsideProblem, permissionStatus, readyStatus, type MountStatus } from "./mountStatus";

export interface MountMirrorNeeds {
  readonly storage: ProjectStore;
  readonly engine: TreeEngine;
  readonly keyring: Keyring;
  /** Called after every change of its status or its files. */
  readonly changed: () => void;
}

/** A source that can be reached, or why not. */
type Reached = { readonly source: MirrorSource; readonly readOnlyReason?: string } | MountStatus;

/** A mount of a folder or a store: its mirror, and what stands between the mirror and its source. */
export class MountMirror {
  readonly tree: MirrorFileSystem;
  readonly #needs: MountMirrorNeeds;
  #record: MirroredRecord;
  #status: MountStatus = { state: "opening" };
  #folder: DirectorySource | undefined;
  #connecting = new AbortController();
  #unwatch = () => undefined as void;
  #lookedAtMs = -Infinity;
  /** A person has stopped it: it is not opened again unasked. */
  #isStopped = false;
  readonly #waiting = new Set<() => void>();
  readonly #unsubscribe: () => void;

  private constructor(record: MirroredRecord, tree: MirrorFileSystem, needs: MountMirrorNeeds) {
    this.#record = record;
    this.tree = tree;
    this.#needs = needs;
    this.#unsubscribe = tree.subscribe(needs.changed);
  }

  /** What was last seen of it is there at once; the rest comes as it can. @throws UnavailableError */
  static async open(record: MirroredRecord, needs: MountMirrorNeeds): Promise<MountMirror> {
    const scope = mirrorScope(record);
    const memory = needs.storage.outside.memory(scope);
    const tree = await mirrorFs({ scope, memory, engine: needs.engine });
    const mirror = new MountMirror(record, tree, needs);
    void mirror.connect();
    return mirror;
  }

  get status(): MountStatus {
    return this.#status;
  }

  /** Whether its source takes writes; until it is reached, it is thought to. */
  get isWritable(): boolean {
    return this.#status.readOnlyReason === undefined;
  }

  /** Whether the record is of the same folder or store with the same settings. */
  isOf(record: MountRecord): record is MirroredRecord {
    return isMirroredRecord(record) && record.id === this.#record.id && settingsOf(record) === settingsOf(this.#record);
  }

  setRecord(record: MirroredRecord): void {
    const isOther = record.readOnly !== this.#record.readOnly;
    this.#record = record;
    // What the page may do with a folder, and whether a store must be tried out, follows from it.
    if (isOther) void this.connect();
  }

  /** Reaches the source and lists it. Resolves once it is reached, the listing goes on; answers why it is not. Never throws. */
  async connect(): Promise<string | undefined> {
    this.#connecting.abort();
    const connecting = (this.#connecting = new AbortController());
    const { signal } = connecting;
    this.#isStopped = false;
    this.#lookedAtMs = performance.now();
    this.#setStatus({ state: "opening" });
    const reached = await this.#reach().catch((error: unknown) => this.#failed(error));
    if (signal.aborted) return undefined;
    if ("state" in reached) {
      this.#refuse(reached);
      return reached.error;
    }
    const { source, readOnlyReason } = reached;
    this.tree.connect(source);
    const settled = readOnlyReason === undefined ? readyStatus : { ...readyStatus, readOnlyReason };
    void this.#list(signal, settled);
    this.#unwatch();
    this.#unwatch = source.watch?.((paths) => void this.#follow(paths)) ?? (() => undefined);
    return undefined;
  }

  async #list(signal: AbortSignal, settled: MountStatus): Promise<void> {
    try {
      await this.tree.refresh({
        signal,
        progress: (progress) => this.#setStatus({ ...settled, state: "opening", progress }),
      });
      this.#lookedAtMs = performance.now();
      if (!signal.aborted) this.#setStatus(settled);
    } catch (error) {
      if (!signal.aborted) this.#refuse(this.#failed(error));
    }
  }

  /** Looks for what others changed; answers why it could not. Never throws. */
  async refresh(): Promise<string | undefined> {
    const { state } = this.#status;
    if (state === "opening") return undefined;
    if (state !== "ready") return this.connect();
    try {
      await this.tree.refresh();
      this.#lookedAtMs = performance.now();
      return undefined;
    } catch (error) {
      const status = this.#failed(error);
      this.#setStatus(status);
      return status.error;
    }
  }

  /** Follows what the browser tells of changes: while all is being listed anyway, or nothing can be, there is nothing to do. */
  async #follow(paths: readonly string[] | undefined): Promise<void> {
    if (this.#status.state !== "ready") return;
    if (paths === undefined) return void (await this.refresh());
    try {
      await this.tree.refreshPaths(paths);
    } catch (error) {
      this.#setStatus(this.#failed(error));
    }
  }

  /** The same without being asked, once it is open: not when it was looked at just now, or was stopped. Never throws. */
  async lookAgain(unseenMs: number): Promise<void> {
    while (this.#status.state === "opening") await new Promise<void>((resolve) => this.#waiting.add(resolve));
    if (this.#isStopped || performance.now() - this.#lookedAtMs < unseenMs) return;
    const { state } = this.#status;
    // Nothing but a person gives keys or chooses a folder; leave to use one may have been given in another tab.
    if (state === "needs-source" || state === "needs-credentials") return;
    if (state === "needs-permission" && (await this.#folder?.permission()) !== "granted") return;
    await this.refresh();
  }

  /** To be called right in a click. Answers why not. */
  async askPermission(): Promise<string | undefined> {
    if (this.#folder === undefined) return this.connect();
    try {
      const isGranted = await this.#folder.askPermission();
      const problem = await this.connect();
      return isGranted ? problem : (problem ?? permissionStatus("prompt").error);
    } catch (error) {
      return outsideProblem(error);
    }
  }

  async giveCredentials(credentials: MountCredentials): Promise<string | undefined> {
    const url = addressOf(this.#record);
    if (url === undefined) return "Its address is to be given first.";
    this.#secrets().give(url, credentials);
    return this.connect();
  }

  /** Stops opening or listing. */
  stop(): void {
    if (this.#status.state !== "opening") return;
    this.#connecting.abort();
    this.#isStopped = true;
    const files = this.#status.progress?.files ?? 0;
    this.#refuse({ state: "failed", error: `Stopped after ${files.toLocaleString("en")} files were listed.` });
  }

  forgetSecrets(): void {
    const url = addressOf(this.#record);
    if (url !== undefined) this.#secrets().forget(url);
  }

  async close(): Promise<void> {
    this.#connecting.abort();
    this.#unwatch();
    this.#unsubscribe();
    await this.tree.close();
  }

  #secrets(): MountSecrets {
    return mountSecrets(this.#needs.keyring, `${this.#needs.storage.id}/${this.#record.id}`);
  }

  #setStatus(status: MountStatus): void {
    this.#status = status;
    if (status.state !== "opening") {
      for (const resolve of this.#waiting) resolve();
      this.#waiting.clear();
    }
    this.#needs.changed();
  }

  /** What was last seen stays; what is asked of it says why it cannot be had. */
  #refuse(status: MountStatus): void {
    const { state, error } = status;
    const why = state === "failed" || state === "needs-source" ? ElsewhereError : PermissionError;
    this.tree.disconnect(new why("/", error));
    this.#setStatus(status);
  }

  #failed(error: unknown): MountStatus {
    const isPermission = error instanceof PathError && error.code === "permission";
    if (isPermission && this.#record.kind === "folder") return permissionStatus("prompt");
    const state = isPermission ? "needs-credentials" : "failed";
    return { state, error: outsideProblem(error) };
  }

  #reach(): Promise<Reached> {
    const record = this.#record;
    if (record.kind === "folder") return this.#reachFolder(record);
    return record.kind === "s3" ? this.#reachS3(record) : this.#reachWebdav(record);
  }

  async #reachFolder({ handle: key, name }: FolderSource): Promise<Reached> {
    const handle = key === undefined ? undefined : await this.#needs.storage.outside.folder(key);
    if (handle === undefined) {
      return { state: "needs-source", error: `This browser does not know the folder “${name}”: choose it again.` };
    }
    this.#folder = directorySource(handle, { mode: this.#record.readOnly ? "read" : "readwrite" });
    const permission = await this.#folder.permission();
    return permission === "granted" ? { source: this.#folder } : permissionStatus(permission);
  }

  async #reachS3({ endpoint, bucket, region, addressing, access, folder = "/" }: S3Source): Promise<Reached> {
    if (endpoint === undefined)
      return { state: "needs-source", error: `The bucket “${bucket}” needs its address again.` };
    const secrets = this.#secrets();
    if (access === "keys" && secrets.s3(endpoint) === undefined) {
      return { state: "needs-credentials", error: "Its keys are held in memory only: give them again." };
    }
    const credentials = access === "keys" ? { credentials: () => secrets.s3(endpoint) } : {};
    return this.#reachStore(s3Files({ endpoint, bucket, region, addressing, ...credentials }), folder);
  }

  async #reachWebdav({ url, user }: WebdavSource): Promise<Reached> {
    if (url === undefined) return { state: "needs-source", error: "Its address is to be given again." };
    const secrets = this.#secrets();
    if (user !== undefined && secrets.password(url) === undefined) {
      return { state: "needs-credentials", error: `The password of ${user} is held in memory only: give it again.` };
    }
    const authorization = () => {
      const password = secrets.password(url);
      return user === undefined || password === undefined ? undefined : basicAuthorization(user, password);
    };
    return this.#reachStore(webdavFiles({ url, authorization }), "/");
  }

  async #reachStore(files: HostFilesApi, scope: string): Promise<Reached> {
    const source = hostSource(files, scope);
    // A store that is only read need not be tried out.
    if (this.#record.readOnly) return { source };
    const { readOnlyReason } = await openSharedFs(files, { scope, otherwise: "read-only" });
    return readOnlyReason === undefined ? { source } : { source, readOnlyReason };
  }
}

function settingsOf({
  id: _id,
  prefix: _prefix,
  color: _color,
  readOnly: _readOnly,
  ...settings
}: MirroredRecord): string {
  return JSON.stringify(settings);
}

function addressOf(record: MirroredRecord): string | undefined {
  if (record.kind === "folder") return undefined;
  return record.kind === "s3" ? record.endpoint : record.url;
}

/** As UTF-8, which servers of today take (RFC 7617). */
function basicAuthorization(user: string, password: string): string {
  const bytes = new TextEncoder().encode(`${user}:${password}`);
  return `Basic ${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""))}`;
}
