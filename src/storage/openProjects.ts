import { systemClock, ulid, type Clock, type JsonObject } from "../base";
import {
  copyProject,
  deleteProjectDatabase,
  isOpenAnywhere,
  openProjectDatabase,
  UnavailableError,
  type ProjectDatabase,
  type ProjectDatabaseOptions,
} from "../fs";
import { putDocument } from "./documentRecord";
import { openProject } from "./openProject";
import type { ProjectCatalog, ProjectRecord } from "./projectCatalog";
import type { ProjectStore } from "./projectStore";

export interface OpenProjectsOptions {
  /** The name of the small database that lists the projects; theirs begin with it. */
  readonly name?: string;
  readonly now?: Clock;
  readonly random?: () => number;
  /** How databases are opened. */
  readonly database?: Pick<ProjectDatabaseOptions, "durability" | "wrapStore">;
}

interface StoredProject extends ProjectRecord {
  /** It is on its way out: what is left of it goes when the list is next opened. */
  readonly isDeleting?: boolean;
  /** It is being made: what is there of it goes when the list is next opened, unless a tab is at it. */
  readonly isMaking?: boolean;
}

/**
 * The projects of this browser. Where IndexedDB is refused the catalog is in memory, with `kept` false and the browser's
 * `reason`; this never throws for that.
 */
export async function openProjects(options: OpenProjectsOptions = {}): Promise<ProjectCatalog> {
  const name = options.name ?? "rootscope";
  try {
    const list = await openProjectDatabase(name, options.database);
    const catalog = new Catalog(name, list, options, undefined);
    await catalog.tidy();
    return catalog;
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error;
    const list = await openProjectDatabase(name, { storage: "memory" });
    return new Catalog(name, list, options, error.reason ?? error.message);
  }
}

class Catalog implements ProjectCatalog {
  readonly kept: boolean;
  declare readonly reason?: string;
  readonly #name: string;
  readonly #list: ProjectDatabase;
  readonly #options: OpenProjectsOptions;
  readonly #now: Clock;
  /** Where nothing is kept, a project's database lives as long as the catalog. */
  readonly #inMemory = new Map<string, ProjectDatabase>();

  constructor(name: string, list: ProjectDatabase, options: OpenProjectsOptions, reason: string | undefined) {
    this.#name = name;
    this.#list = list;
    this.#options = options;
    this.#now = options.now ?? systemClock;
    this.kept = reason === undefined;
    if (reason !== undefined) this.reason = reason;
  }

  async list(): Promise<readonly ProjectRecord[]> {
    const projects = await this.#stored();
    return projects.filter(isShown).toSorted((a, b) => b.updatedAt - a.updatedAt);
  }

  async create(name: string, document: JsonObject = {}): Promise<ProjectRecord> {
    return this.#make(name, async (database) => {
      await database.records.write((writer) => putDocument(writer, document));
    });
  }

  async rename(id: string, name: string): Promise<void> {
    await this.#change(id, (project) => ({ ...project, name, updatedAt: this.#now() }));
  }

  async duplicate(id: string, name: string): Promise<ProjectRecord> {
    await this.#found(id);
    return this.#make(name, async (target) => {
      const source = await this.#openDatabase(id, true);
      await copyProject(source, target).finally(() => this.#release(source));
    });
  }

  async delete(id: string): Promise<void> {
    await this.#change(id, (project) => ({ ...project, isDeleting: true }));
    await this.#finishDeletion(id);
  }

  async open(id: string): Promise<ProjectStore> {
    const { name } = await this.#found(id);
    const database = await this.#openDatabase(id, true);
    return openProject(database, {
      id,
      name,
      now: this.#now,
      reason: this.reason,
      close: () => this.#release(database),
    });
  }

  subscribe(listener: () => void): () => void {
    return this.#list.onHint(listener);
  }

  close(): void {
    this.#list.close();
    for (const database of this.#inMemory.values()) database.close();
  }

  /** Finishes what an earlier tab could not, and lists again what the list has lost. */
  async tidy(): Promise<void> {
    if (this.#list.trouble?.kind === "newer") return;
    const stored = await this.#stored();
    for (const { id, isDeleting, isMaking } of stored) {
      const isLeft = isDeleting || (isMaking && !(await isOpenAnywhere(this.#databaseName(id))));
      if (isLeft) await this.#finishDeletion(id).catch(() => undefined);
    }
    for (const id of await this.#unlisted(stored)) {
      await this.#list.records.write(async (writer) => {
        const isListed = (await writer.get(["project", id])) !== undefined;
        if (!isListed) writer.put(["project", id], foundProject(id, this.#now()));
      });
    }
  }

  /** Projects whose data is there and which the list does not know: it was damaged or cleared. */
  async #unlisted(stored: readonly StoredProject[]): Promise<string[]> {
    const prefix = this.#databaseName("");
    // Not every browser tells its databases.
    const databases = (await indexedDB.databases?.().catch(() => [])) ?? [];
    const ids = databases.flatMap(({ name = "" }) => (name.startsWith(prefix) ? [name.slice(prefix.length)] : []));
    return ids.filter((id) => !stored.some((project) => project.id === id));
  }

  async #finishDeletion(id: string): Promise<void> {
    if (this.kept) await deleteProjectDatabase(this.#databaseName(id));
    this.#inMemory.delete(id);
    await this.#list.writeDeletion(async (writer) => writer.delete(["project", id]));
    this.#announce();
  }

  /** A project is listed once all of it is there. */
  async #make(name: string, fill: (database: ProjectDatabase) => Promise<void>): Promise<ProjectRecord> {
    const now = this.#now();
    const record: StoredProject = {
      id: ulid(now, this.#options.random ?? Math.random),
      name,
      createdAt: now,
      updatedAt: now,
    };
    await this.#put({ ...record, isMaking: true });
    try {
      const database = await this.#openDatabase(record.id, false);
      try {
        await fill(database);
        // Held open until it is listed: one that is being made by nobody is taken away.
        await this.#put(record);
      } finally {
        this.#release(database);
      }
    } catch (error) {
      await this.#finishDeletion(record.id).catch(() => undefined);
      throw error;
    }
    this.#announce();
    return record;
  }

  async #openDatabase(id: string, mustExist: boolean): Promise<ProjectDatabase> {
    const held = this.#inMemory.get(id);
    if (held !== undefined) return held;
    const name = this.#databaseName(id);
    if (this.kept) return openProjectDatabase(name, { ...this.#options.database, mustExist });
    const database = await openProjectDatabase(name, { storage: "memory" });
    this.#inMemory.set(id, database);
    return database;
  }

  #release(database: ProjectDatabase): void {
    if (this.kept) database.close();
  }

  #databaseName(id: string): string {
    return `${this.#name}/project/${id}`;
  }

  async #stored(): Promise<readonly StoredProject[]> {
    const found = await this.#list.records.read((reader) => reader.entries({ prefix: ["project"] }));
    return found.map(([key, record]) => storedProject(String(key[1]), record));
  }

  /** @throws UnavailableError when a newer version keeps the list */
  #assertWritable(): void {
    const { trouble } = this.#list;
    if (trouble?.kind === "newer") throw new UnavailableError("/", trouble.reason);
  }

  async #put(project: StoredProject): Promise<void> {
    this.#assertWritable();
    await this.#list.records.write(async (writer) => writer.put(["project", project.id], project));
  }

  /** @throws UnavailableError */
  async #found(id: string): Promise<StoredProject> {
    const record = await this.#list.records.read((reader) => reader.get(["project", id]));
    const project = record === undefined ? undefined : storedProject(id, record);
    if (project === undefined || !isShown(project)) throw new UnavailableError("/", "There is no such project.");
    return project;
  }

  async #change(id: string, change: (project: StoredProject) => StoredProject): Promise<void> {
    this.#assertWritable();
    // One of the changes is that a project is to be deleted.
    await this.#list.writeDeletion(async (writer) => {
      const record = await writer.get(["project", id]);
      if (record === undefined) throw new UnavailableError("/", "There is no such project.");
      writer.put(["project", id], change(storedProject(id, record)));
    });
    this.#announce();
  }

  #announce(): void {
    this.#list.announce({ kind: "records", topic: "projects" });
  }
}

function isShown({ isDeleting, isMaking }: StoredProject): boolean {
  return !isDeleting && !isMaking;
}

/** The entry, or what the list shows in place of one that is damaged: the project itself can be opened all the same. */
function storedProject(id: string, record: unknown): StoredProject {
  const { createdAt, id: told, name, updatedAt } = (record ?? {}) as Partial<StoredProject>;
  const isWhole = told === id && typeof name === "string" && Number.isFinite(createdAt) && Number.isFinite(updatedAt);
  return isWhole ? (record as StoredProject) : { ...foundProject(id, 0), name: "Project with a damaged entry" };
}

/** What the list knows of a project it knows nothing of. */
function foundProject(id: string, now: number): StoredProject {
  return { id, name: "Project found again", createdAt: now, updatedAt: now };
}
