import { createStore, type StoreApi } from "zustand/vanilla";
import { isUnder, joinFsPath } from "../fs";
import {
  holdHostLock,
  HOST_ROOT,
  HostError,
  isolatePage,
  WEBCONTAINER_LICENCE,
  type Host,
  type HostKind,
  type HostPreview,
  type HostStatus,
} from "../host";
import { messageFromError } from "./messageFromError";
import { noticeFromError } from "./noticeFromError";
import type { MountsStore } from "./mountsStore";
import type { ProjectStateStore, ProjectStoreNeeds } from "./projectStore";
import type { SessionHost } from "./sessionHost";

export interface ProjectHostState {
  readonly kind: HostKind;
  readonly status: HostStatus;
  readonly previews: readonly HostPreview[];
}

/** The host of one project: one at a time, in one tab, on the disk that stands at `HOST_ROOT` in the mount table. */
export interface ProjectHost {
  readonly state: StoreApi<ProjectHostState>;
  /** Runs a command, making ready what is not. @throws HostError when the host cannot run any */
  readonly shell: Host["shell"];
  /** Puts the host's disk into the mount table where it is not. What keeps it from being there is told as a notice. */
  ensureDisk(): Promise<void>;
  /** The host for a session of this tab. @throws HostError */
  forSession(): Promise<SessionHost>;
  /** Makes the host ready, again where it failed; how it goes shows as `status`. Never throws. */
  boot(): Promise<void>;
  /** Lets the host go and makes it anew; its files stay. Never throws. */
  restart(): Promise<void>;
  /** The other kind of host on the same files. Never throws. */
  choose(kind: HostKind): Promise<void>;
  /** Makes the page one that WebContainer runs in, by loading it again through a worker. Never throws. */
  isolate(): Promise<void>;
  /** Copies the files of all other mounts to the host's disk, each mount's below its own path. Answers how many. @throws PathError */
  copyMounts(): Promise<number>;
  dispose(): Promise<void>;
}

export interface ProjectHostNeeds extends ProjectStoreNeeds {
  readonly project: ProjectStateStore;
  readonly mounts: MountsStore;
}

export function createProjectHost(needs: ProjectHostNeeds): ProjectHost {
  return new OneHost(needs);
}

/** A host on one disk: another disk in the table is another host. */
interface Running {
  readonly host: Host;
  readonly diskName: string;
  stop(): void;
}

class OneHost implements ProjectHost {
  readonly state: StoreApi<ProjectHostState>;
  readonly #needs: ProjectHostNeeds;
  #running: Running | undefined;
  #unlock: (() => void) | undefined;
  /** One change of what runs after the other. */
  #last: Promise<unknown> = Promise.resolve();
  #isDisposed = false;
  #hasSaidLicence = false;

  constructor(needs: ProjectHostNeeds) {
    this.#needs = needs;
    const kind = needs.project.getState().host ?? "embedded";
    this.state = createStore<ProjectHostState>()(() => ({ kind, status: { state: "idle" }, previews: [] }));
  }

  readonly shell: Host["shell"] = async (command, options = {}) => {
    const { host } = await this.#held();
    const readOnly = this.#record()?.readOnly === true || options.readOnly === true;
    return await host.shell(command, { ...options, ...(readOnly ? { readOnly } : {}) });
  };

  async ensureDisk(): Promise<void> {
    if (this.#record() !== undefined) return;
    const { mounts, notices } = this.#needs;
    const problem = await mounts.getState().addMount({ kind: "host", prefix: HOST_ROOT, readOnly: false });
    if (problem !== undefined && this.#record() === undefined) {
      notices.getState().push({ tone: "bad", text: `There is no host disk: ${problem}` });
    }
  }

  async forSession(): Promise<SessionHost> {
    const hadDisk = this.#record() !== undefined;
    await this.ensureDisk();
    if (!hadDisk && this.#record() !== undefined) {
      const text = "The project had no host disk: this begins on a new one, which is empty.";
      this.#needs.notices.getState().push({ tone: "warn", text });
    }
    await this.#held();
    const { mounts } = this.#needs;
    const tree = () => mounts.getState().table().tree();
    return {
      shell: this.shell,
      mounts: mounts.getState().liveTree(),
      putFiles(files) {
        const paths = files.map(([path]) => path);
        return mounts.getState().asPerson("mounts", paths, () => tree().writeMany(files));
      },
      async makeDirectory(path) {
        if (path !== HOST_ROOT && (await tree().stat(path)).kind === "missing") await tree().makeDirectory(path);
      },
    };
  }

  async boot(): Promise<void> {
    try {
      await this.ensureDisk();
      await (await this.#held()).host.boot();
    } catch (error) {
      this.#fail(error);
    }
  }

  async restart(): Promise<void> {
    await this.#changed(() => this.#letGo());
    await this.boot();
  }

  async choose(kind: HostKind): Promise<void> {
    if (kind === this.state.getState().kind) return;
    this.#needs.project.getState().change({ host: kind });
    this.state.setState({ kind });
    await this.#changed(() => this.#letGo());
    this.state.setState({ status: { state: "idle" }, previews: [] });
  }

  async isolate(): Promise<void> {
    const { project, notices } = this.#needs;
    try {
      await project.getState().flush();
      await isolatePage();
    } catch (error) {
      notices.getState().push(noticeFromError("The page was not loaded again", error));
    }
  }

  async copyMounts(): Promise<number> {
    const { mounts } = this.#needs;
    const { asPerson, table, currentSnapshot } = mounts.getState();
    const files = [...(await currentSnapshot()).files()].filter(([path]) => !isUnder(path, HOST_ROOT));
    await asPerson("edit", [HOST_ROOT], () =>
      table()
        .tree()
        .writeMany(
          (async function* () {
            for (const [path, file] of files) yield [joinFsPath(HOST_ROOT, path.slice(1)), await file.bytes()] as const;
          })(),
        ),
    );
    return files.length;
  }

  async dispose(): Promise<void> {
    this.#isDisposed = true;
    await this.#changed(() => this.#letGo());
    this.#unlock?.();
  }

  #record() {
    return this.#needs.project.getState().mounts.find(({ kind }) => kind === "host");
  }

  /** The host on the disk of the table, with the tab's lock held. @throws HostError */
  #held(): Promise<Running> {
    return this.#changed(async () => {
      try {
        return await this.#opened();
      } catch (error) {
        this.#fail(error);
        throw error;
      }
    });
  }

  async #opened(): Promise<Running> {
    const { services, storage, mounts } = this.#needs;
    const record = this.#record();
    const disk = mounts.getState().table().hostDisk();
    if (this.#isDisposed) throw new HostError("disposed", "The project is closed.");
    if (services.createHost === undefined) throw new HostError("boot-failed", "There is no host here.");
    if (record?.kind !== "host" || disk === undefined) {
      await this.#letGo();
      throw new HostError("storage", "The project has no host disk. Add one to the mounts.", { retry: true });
    }
    if (this.#running?.diskName === record.disk) return this.#running;
    await this.#letGo();
    await this.#takeLock();
    const { kind } = this.state.getState();
    const host = await services.createHost(kind, { database: storage.database, diskName: record.disk, disk });
    if (kind === "webcontainer") this.#sayLicence();
    this.#running = this.#followed(host, record.disk);
    return this.#running;
  }

  #followed(host: Host, diskName: string): Running {
    const show = (status: HostStatus) => this.state.setState({ status });
    show(host.status());
    const stops = [host.onStatus(show)];
    if (servesPreviews(host)) {
      const showPreviews = () => this.state.setState({ previews: host.previews() });
      stops.push(host.onPreviews(showPreviews));
    }
    return { host, diskName, stop: () => stops.forEach((stop) => stop()) };
  }

  async #takeLock(): Promise<void> {
    this.#unlock ??= await holdHostLock(`rootscope/host/${this.#needs.storage.database.name}`);
  }

  async #letGo(): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    if (running === undefined) return;
    // What could not be kept was said when it happened.
    await running.host.flush().catch(() => undefined);
    running.stop();
    await running.host.dispose().catch(() => undefined);
    this.state.setState({ status: { state: "idle" }, previews: [] });
  }

  #changed<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined);
    return result;
  }

  #fail(error: unknown): void {
    const isTold = this.state.getState().status.state === "failed" && this.#running !== undefined;
    if (isTold) return;
    const { code, retry } = error instanceof HostError ? error : { code: "boot-failed" as const, retry: true };
    this.state.setState({ status: { state: "failed", code, message: messageFromError(error), retry } });
  }

  #sayLicence(): void {
    if (this.#hasSaidLicence) return;
    this.#hasSaidLicence = true;
    const { sentence, url } = WEBCONTAINER_LICENCE;
    this.#needs.notices.getState().push({ tone: "info", text: sentence, details: [`Its terms: ${url}`] });
  }
}

interface PreviewingHost extends Host {
  previews(): readonly HostPreview[];
  onPreviews(listener: () => void): () => void;
}

function servesPreviews(host: Host): host is PreviewingHost {
  return host.caps.preview && "previews" in host && "onPreviews" in host;
}
