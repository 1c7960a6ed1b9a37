import { limits, nextTask } from "../base";
import { sessionIdFromSeed, withoutStandingApprovals, type SessionEvent } from "../session";
import type { ImportedFrom, SessionRecord } from "../storage";
import type { ImportedSession, ImportedTrajectory, ImportSink } from "../trajectory";
import { ImportedLook } from "./importedLook";
import type { SessionSource } from "./sessionImport";
import { newSessionRecord } from "./sessionRecords";
import type { WorkbenchCore } from "./workbenchCore";

/** What an import brought. */
export interface ImportOutcome {
  /** The session to be shown: the first of the file. */
  readonly first: string;
  readonly format: string;
  readonly sessions: number;
  readonly events: number;
  readonly warnings: readonly string[];
}

/** A session on its way into the storage. */
interface Saving {
  readonly id: string;
  readonly told: Omit<ImportedSession, "events">;
  readonly look: ImportedLook;
  readonly imported: ImportedFrom;
}

type About = Omit<ImportedTrajectory, "sessions">;

/**
 * Puts an import into the storage as it comes: values, then every session with its log in batches. Sessions are hidden from
 * lists until all is there, and `undo` takes back whatever was stored.
 */
export class TrajectoryImport implements ImportSink {
  readonly #core: WorkbenchCore;
  readonly #source: SessionSource;
  readonly #signal: AbortSignal;
  readonly #beganAt: number;
  /** Told of every session before it is stored. */
  readonly #begun: (sessionId: string) => void;
  readonly #progress: (storedEvents: number) => void;
  readonly #saved: Saving[] = [];
  readonly #ids = new Map<string, string>();
  readonly #put = new Set<string>();
  #about: About | undefined;
  #original: string | undefined;
  #originals: readonly string[] = [];
  #events = 0;

  constructor(
    core: WorkbenchCore,
    source: SessionSource,
    signal: AbortSignal,
    tell: { readonly begun: (sessionId: string) => void; readonly progress: (storedEvents: number) => void },
  ) {
    this.#core = core;
    this.#source = source;
    this.#signal = signal;
    this.#beganAt = core.services.clock();
    this.#begun = tell.begun;
    this.#progress = tell.progress;
  }

  async about(about: About): Promise<void> {
    const { blobs } = this.#core.storage;
    this.#about = { ...about, blobs: new Map() };
    for (const [hash, bytes] of about.blobs) {
      this.#signal.throwIfAborted();
      this.#put.add(hash);
      await blobs.put(bytes);
    }
    await this.#keepOriginals(about.sha256);
  }

  async session(told: Omit<ImportedSession, "events">): Promise<void> {
    this.#signal.throwIfAborted();
    const { storage, services } = this.#core;
    const id = sessionIdFromSeed(services.randomSeed());
    if (!this.#ids.has(told.id)) this.#ids.set(told.id, id);
    const imported: ImportedFrom = {
      format: this.#about?.format ?? "unknown",
      version: this.#about?.version ?? "unknown",
      fileName: this.#source.name,
      ...(this.#original === undefined ? {} : { original: this.#original }),
      recordedId: told.id,
    };
    this.#begun(id);
    const saving: Saving = { id, told, look: new ImportedLook(), imported };
    this.#saved.push(saving);
    await storage.createSession({ ...this.#record(saving), eventCount: 0, status: "cut" }, this.#originals);
  }

  async events(events: readonly SessionEvent[]): Promise<void> {
    this.#signal.throwIfAborted();
    const saving = this.#saved.at(-1);
    if (saving === undefined) return;
    for (const event of events) saving.look.add(event);
    await this.#core.storage.log(saving.id).append(events.map(withoutStandingApprovals));
    this.#events += events.length;
    this.#progress(this.#events);
  }

  /** All has come: the sessions get their names and know each other. */
  async finish(): Promise<ImportOutcome> {
    this.#signal.throwIfAborted();
    // A transaction a session would be most of the work where a file has hundreds of small ones.
    for (let from = 0; from < this.#saved.length; from += limits.sessionsAtOnce) {
      const some = this.#saved.slice(from, from + limits.sessionsAtOnce);
      await this.#core.storage.updateSessions(new Map(some.map((saving) => [saving.id, this.#patch(saving)])));
      await nextTask();
      this.#signal.throwIfAborted();
    }
    const [first] = this.#saved;
    if (first === undefined || this.#about === undefined) throw new Error("The file holds no session.");
    const { format, warnings } = this.#about;
    return {
      first: first.id,
      format,
      sessions: this.#saved.length,
      events: this.#events,
      warnings: warnings.map(({ message }) => message),
    };
  }

  /** Takes back what was stored. Never throws: what cannot be deleted now is no worse than a session nobody wants. */
  async undo(): Promise<void> {
    const { storage } = this.#core;
    const ids = this.#saved.splice(0).map(({ id }) => id);
    for (let from = 0; from < ids.length; from += limits.sessionsAtOnce) {
      await storage.deleteSessions(ids.slice(from, from + limits.sessionsAtOnce)).catch(() => undefined);
      // Between two batches the page draws and listens.
      await nextTask();
    }
    storage.blobs.letGo(this.#put);
  }

  /** The bytes as they came, so that the raw view can show what an event was made of. */
  async #keepOriginals(sha256: string): Promise<void> {
    const { blobs } = this.#core.storage;
    const { files } = this.#source;
    const sizeBytes = files.reduce((sum, { blob }) => sum + blob.size, 0);
    if (sizeBytes > limits.importSessionBytes) return;
    const [only] = files;
    if (files.length === 1 && only !== undefined) {
      this.#put.add(sha256);
      await blobs.putBlob(sha256, only.blob, this.#signal);
      this.#originals = [sha256];
    } else {
      const lines: string[] = [];
      for (const { path, blob } of files) {
        this.#signal.throwIfAborted();
        const hash = await blobs.put(new Uint8Array(await blob.arrayBuffer()));
        this.#put.add(hash);
        lines.push(`${hash}  ${path}\n`);
      }
      const list = await blobs.put(lines.toSorted().join(""));
      this.#put.add(list);
      this.#originals = [list, ...lines.map((line) => line.slice(0, line.indexOf(" ")))];
    }
    this.#original = this.#originals[0];
  }

  #patch(saving: Saving): Pick<SessionRecord, "name" | "preview" | "status"> & { readonly imported: ImportedFrom } {
    const { name, preview, status } = this.#record(saving);
    return { name, preview, status, imported: this.#linked(saving) };
  }

  #record(saving: Saving): Omit<SessionRecord, "eventCount"> {
    const { id, told, look, imported } = saving;
    // Lists have the newest first: the sessions of a file stand there in its order.
    const createdAt = this.#beganAt - this.#saved.indexOf(saving);
    const record = newSessionRecord(id, look.message ?? imported.fileName, createdAt);
    const title = told.title?.trim() ?? "";
    const name = title === "" ? record.name : newSessionRecord(id, title, createdAt).name;
    return {
      ...record,
      name: look.branch === undefined ? name : `${name} · ${look.branch}`,
      status: look.status,
      origin: "import",
      imported,
    };
  }

  /** What the recording says of other sessions, by their ids here. */
  #linked({ told, look, imported }: Saving): ImportedFrom {
    const parent = told.parent === undefined ? undefined : this.#ids.get(told.parent.sessionId);
    const branchOf = look.branch === undefined ? undefined : this.#ids.get(look.predecessor ?? "");
    if (parent === undefined && look.branch === undefined) return imported;
    const { callId } = told.parent ?? {};
    return {
      ...imported,
      ...(parent === undefined ? {} : { parent: { sessionId: parent, ...(callId === undefined ? {} : { callId }) } }),
      ...(branchOf === undefined ? {} : { branchOf }),
      ...(look.branch === undefined ? {} : { branch: look.branch }),
    };
  }
}
