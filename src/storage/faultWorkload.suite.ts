import { expect } from "vitest";
import { openProjectDatabase, PathError, type IdbFileSystem } from "../fs";
import type { SessionEvent } from "../session";
import { createLogWriter, type LogWriter } from "./createLogWriter";
import { FaultyStore, type Fault, type FaultyProcess } from "./faultyStore.suite";
import { openProject } from "./openProject";
import type { ProjectStore } from "./projectStore";

/** One step of a workload; `burst` ones are begun without waiting for the one before. */
export type Action =
  | { readonly kind: "write"; readonly file: number; readonly size: number; readonly burst: boolean }
  | { readonly kind: "import"; readonly count: number }
  | { readonly kind: "delete"; readonly file: number; readonly burst: boolean }
  | { readonly kind: "rename"; readonly file: number; readonly burst: boolean }
  | { readonly kind: "log"; readonly count: number; readonly large: boolean }
  | { readonly kind: "keep" }
  | { readonly kind: "sweep" }
  | { readonly kind: "close" };

/** The process that did it has ended. */
class EndedError extends Error {}

/** Files a workload writes: few, so that it often meets the same again. */
export const FILES = 12;
const SESSION = "s";

/** Paths and their texts. */
type Files = ReadonlyMap<string, string>;

/** What was asked for of a disk: each makes other files of those before it, or leaves them when it cannot be done. */
type Change = (files: Files) => Files;

const textOf = (step: number, size: number) => `step ${step} `.repeat(size);
const pathOf = (file: number) => `/d${file % 3}/f${file}`;

/** A disk and a session's log at work, with a model of what must be there when they are opened again. */
export class Workload {
  readonly store: FaultyStore;
  /** Changes that were not refused, in the order they were asked for, and whether they were acknowledged. */
  readonly #asked = new Map<Change, boolean>();
  #files: Files = new Map();
  readonly #events: SessionEvent[] = [];
  #durableEvents = 0;
  /** The kept tree, and one that may have taken its place. */
  #kept: readonly string[] = [];
  /** Whether any keeping was acknowledged. */
  #isKept = false;
  #step = 0;
  #process: FaultyProcess;
  #project: ProjectStore | undefined;
  #disk: IdbFileSystem | undefined;
  #writer: LogWriter | undefined;

  constructor(faults: Iterable<Fault>) {
    this.store = new FaultyStore(faults);
    this.#process = this.store.process();
  }

  /** Takes the steps until the process ends, or they do; then it is killed. */
  async run(actions: readonly Action[]): Promise<void> {
    const process = this.#process;
    const working = (async () => {
      await this.#open();
      for (const action of actions) await this.#take(action);
    })().catch((error: unknown) => {
      if (!(error instanceof EndedError)) expectTyped(error);
    });
    await Promise.race([working, process.died]);
    process.kill();
  }

  /** What does not wait for the store would go on when the process has ended. @throws EndedError */
  async #whileAlive<T>(work: Promise<T>): Promise<T> {
    const process = this.#process;
    const result = await work;
    if (!process.isAlive()) throw new EndedError();
    return result;
  }

  async #open(): Promise<void> {
    const database = await openProjectDatabase("faults", { storage: this.#process.records() });
    this.#project = openProject(database, {
      id: "p",
      name: "p",
      now: () => 1,
      reason: undefined,
      close: () => undefined,
    });
    this.#disk = this.#project.disk("d");
    const isNew = (await this.#project.sessions()).length === 0;
    const record = { id: SESSION, name: "", createdAt: 1, updatedAt: 1, eventCount: 0, status: "", preview: "" };
    if (isNew) await this.#project.createSession({ ...record, origin: "live" });
    this.#writer = createLogWriter(this.#project.log(SESSION), { batchMs: 1 });
  }

  async #take(action: Action): Promise<void> {
    const [project, disk, writer] = [this.#project, this.#disk, this.#writer];
    if (project === undefined || disk === undefined || writer === undefined) return;
    const step = this.#step++;
    await this.#whileAlive(Promise.resolve());
    switch (action.kind) {
      case "write": {
        const [path, text] = [pathOf(action.file), textOf(step, action.size)];
        return this.#ask(action.burst, withFiles([[path, text]]), () => disk.write(path, text));
      }
      case "import": {
        const files = Array.from({ length: action.count }, (_, at) => [pathOf(at), textOf(step, at + 1)] as const);
        return this.#ask(false, withFiles(files), () => disk.writeMany(files));
      }
      case "delete": {
        const path = pathOf(action.file);
        return this.#ask(action.burst, withoutFile(path), () => disk.delete(path));
      }
      case "rename": {
        const [from, to] = [pathOf(action.file), `/renamed/${step}`];
        return this.#ask(action.burst, withRename(from, to), () => disk.rename(from, to));
      }
      case "log": {
        for (let at = 0; at < action.count; at++) {
          const event = await this.#whileAlive(this.#newEvent(action.large && at === 0));
          this.#events.push(event);
          writer.append(event);
        }
        const appended = this.#events.length;
        return writer.durable().then(
          () => void (this.#durableEvents = appended),
          (error: unknown) => expectTyped(error),
        );
      }
      case "keep": {
        const tree = await this.#whileAlive(disk.snapshot());
        const rootHash = await this.#whileAlive(tree.rootHash());
        const before = this.#kept;
        this.#kept = [...before, rootHash];
        try {
          await project.keepSnapshot("kept", tree);
          this.#kept = [rootHash];
          this.#isKept = true;
        } catch (error) {
          this.#kept = before;
          expectTyped(error);
        }
        return;
      }
      case "sweep":
        return project.sweep({ held: [] }).catch(expectTyped);
      case "close":
        await disk.close();
        this.#disk = project.disk("d");
    }
  }

  /** An event that names the contents of a file as it lies on the disk now. */
  async #newEvent(isLarge: boolean): Promise<SessionEvent> {
    const [[path, file] = ["", undefined]] = (await this.#disk?.snapshot())?.files() ?? [];
    const meta = { id: `evt_${this.#events.length}`, at: "2026-01-01T00:00:00.000Z" };
    if (isLarge || file === undefined) {
      const messageDelta = isLarge ? `${this.#events.length} large `.repeat(8_000) : "small";
      return { type: "message.appended", data: { turnId: "t", sequence: 0, stepIndex: 0, messageDelta }, meta };
    }
    return { type: "tree.changed", data: { reason: "edit", changes: [{ path, after: file.hash }] }, meta };
  }

  async #ask(isBurst: boolean, change: Change, write: () => Promise<void>): Promise<void> {
    const process = this.#process;
    this.#asked.set(change, false);
    const asked = write().then(
      () => void (process.isAlive() && this.#asked.set(change, true)),
      (error: unknown) => {
        if (process.isAlive()) this.#asked.delete(change);
        expectTyped(error);
      },
    );
    if (!isBurst) await asked;
  }

  /** What a new process finds is one of the states that may be; the workload goes on from it. */
  async reopen(): Promise<void> {
    this.#process = this.store.process();
    const database = await openProjectDatabase("faults", { storage: this.#process.records() });
    const project = openProject(database, {
      id: "p",
      name: "p",
      now: () => 1,
      reason: undefined,
      close: () => undefined,
    });
    try {
      await this.#compareDisk(project);
      await this.#compareLog(project);
      await project.sweep();
      await this.#compareDisk(project);
      await this.#compareLog(project);
      await this.#compareKept(project);
    } finally {
      await project.close();
    }
  }

  async #compareDisk(project: ProjectStore): Promise<void> {
    const disk = project.disk("d");
    const found = new Map<string, string>();
    for (const [path, file] of (await disk.snapshot()).files())
      found.set(path, new TextDecoder().decode(await file.bytes()));
    expect(this.#possible().map(sorted)).toContainEqual(sorted(found));
    this.#asked.clear();
    this.#files = found;
    expect(disk.readOnlyReason()).toBeUndefined();
  }

  /** One of the trees that may be kept is, whole. */
  async #compareKept(project: ProjectStore): Promise<void> {
    const found: string[] = [];
    for (const rootHash of this.#kept) {
      const tree = await project.loadSnapshot(rootHash).catch(expectTyped);
      if (tree === undefined) continue;
      for (const [, file] of tree.files()) await file.bytes();
      found.push(rootHash);
    }
    if (this.#isKept) expect(found).not.toEqual([]);
    this.#kept = found.slice(-1);
    this.#isKept = found.length > 0;
  }

  /** All that was acknowledged, with none, some or all of what was under way: the first of it, never the last alone. */
  #possible(): Files[] {
    const underWay = [...this.#asked].filter(([, isAcknowledged]) => !isAcknowledged).map(([change]) => change);
    return Array.from({ length: underWay.length + 1 }, (_, count) => {
      const missing = new Set(underWay.slice(count));
      const taken = [...this.#asked.keys()].filter((change) => !missing.has(change));
      return taken.reduce((files, change) => change(files), this.#files);
    });
  }

  async #compareLog(project: ProjectStore): Promise<void> {
    const events: SessionEvent[] = [];
    for await (const page of project.log(SESSION).read()) events.push(...page);
    expect(events.length).toBeGreaterThanOrEqual(this.#durableEvents);
    expect(events).toEqual(this.#events.slice(0, events.length));
    for (const event of events) {
      const hash = event.type === "tree.changed" ? event.data.changes[0]?.after : undefined;
      if (hash !== undefined) expect(await project.blobs.get(hash)).toBeDefined();
    }
    const [record] = await project.sessions();
    expect(record?.eventCount ?? 0).toBe(events.length);
    // What was not stored is written by nobody any more: the process that held it has ended.
    this.#events.length = this.#durableEvents = events.length;
  }
}

/** Refusals have a type; anything else is a bug. */
export function expectTyped(error: unknown): void {
  if (!(error instanceof PathError)) throw error;
}

function sorted(files: Files): (readonly [string, string])[] {
  return [...files].toSorted(([a], [b]) => (a < b ? -1 : 1));
}

const withFiles =
  (written: readonly (readonly [string, string])[]): Change =>
  (files) =>
    new Map([...files, ...written]);
const withoutFile =
  (path: string): Change =>
  (files) =>
    new Map([...files].filter(([other]) => other !== path));
const withRename =
  (from: string, to: string): Change =>
  (files) => {
    const text = files.get(from);
    return text === undefined ? files : withFiles([[to, text]])(withoutFile(from)(files));
  };
