import type { Clock, JsonObject } from "../base";
import { contentsFromBytes, pathFromMount, UnavailableError, isVersionId, type SnapshotTree } from "../fs";
import { withoutStandingApprovals, type SessionEvent } from "../session";
import type { ProjectCatalog, ProjectStore, SessionRecord } from "../storage";
import { projectFromZip, projectZip, type SessionOfProject, type UnzippedProject } from "../trajectory";
import {
  jsonFromProjectDocument,
  projectDocumentFromJson,
  type CompareRecord,
  type ProjectDocument,
} from "./projectDocument";
import { diskOfRecord, type MountRecord } from "./mountRecord";

/** A memory mount's files travel like a disk, under this name. */
const MEMORY_DISK = "memory-";
/** Bytes of text up to which an imported memory mount stays one; a larger one, or one with binary files, goes to a disk. */
const SEED_BYTES = 256 * 1024;
/** Events appended at a time. */
const EVENT_BATCH = 500;

/** What an exported project is made of. */
export interface ProjectToExport {
  readonly name: string;
  readonly document: ProjectDocument;
  readonly storage: ProjectStore;
  /** The tree of each mount, by mount id. */
  readonly trees: ReadonlyMap<string, SnapshotTree>;
  /** The session that is open: what the page holds of it is taken where the log cannot be read. */
  readonly openSession?: SessionOfProject;
  readonly work?: FileWork;
}

/** How long work on a project's file is told of and stopped. */
export interface FileWork {
  readonly signal: AbortSignal;
  /** Called often: `done` of about `total` files and values; the total is unknown where it is left out. */
  readonly progress: (done: number, total?: number) => void;
}

/** A project as a file. */
export interface ExportedProject {
  readonly contents: Blob;
  /** What could not be read and is not in it, in words for a person. */
  readonly losses: readonly string[];
}

/** The open project as one file. Endpoints and what was about to run stay here. @throws Error, also what `work.signal` was aborted with */
export async function exportedProject(project: ProjectToExport): Promise<ExportedProject> {
  const { name, document, storage, trees } = project;
  const losses: string[] = [];
  const disks = document.mounts.flatMap((mount) => {
    const id = mount.kind === "memory" ? MEMORY_DISK + mount.id : diskOfRecord(mount);
    const tree = trees.get(mount.id);
    // Files of folders and stores stay where they are.
    return id !== undefined && tree ? [{ id, tree, prefix: mount.prefix }] : [];
  });
  const prefixOf = new Map(disks.map(({ id, prefix }) => [id, prefix]));
  const total = disks.reduce((sum, { tree }) => sum + tree.fileCount, 0);
  let written = 0;
  const toZip = {
    name,
    document: jsonFromProjectDocument(portableDocument(document)),
    disks,
    sessions: sessionsOf(project, losses),
    blobs: storage.blobs,
    loadSnapshot: (rootHash: string) => storage.loadSnapshot(rootHash),
    lost: (disk: string, path: string) =>
      void losses.push(`${pathFromMount(prefixOf.get(disk) ?? "/", path)}: its contents cannot be read`),
    writing: () => project.work?.progress(++written, Math.max(total, written)),
  };
  const contents = await projectZip(toZip, project.work?.signal);
  return { contents, losses };
}

/**
 * Makes a project of a file and answers its id and what of the file was lost. Nothing of it runs.
 * @throws ArchiveError, TrajectoryError when the file is no project; QuotaError when it does not fit; what `work.signal`
 * was aborted with: no half of it is then left
 */
export async function importedProject(
  catalog: ProjectCatalog,
  zip: Blob,
  clock: Clock,
  work?: FileWork,
): Promise<{ readonly id: string; readonly name: string; readonly losses: readonly string[] }> {
  const project = await projectFromZip(zip);
  const portable = portableDocument(projectDocumentFromJson(project.document));
  const { document, disks } = await withMemorySeeds(portable, project);
  const name = freeName(project.name, new Set((await catalog.list()).map((known) => known.name)));
  const { id } = await catalog.create(name, jsonFromProjectDocument(document));
  try {
    const storage = await catalog.open(id);
    try {
      const onDisks = new Set<string>();
      const total = disks.reduce((sum, { tree }) => sum + tree.fileCount, 0);
      const filled = (hash: string) => {
        work?.signal.throwIfAborted();
        onDisks.add(hash);
        work?.progress(onDisks.size, total);
      };
      for (const disk of disks) await fillDisk(storage, disk.id, disk.tree, filled);
      for (const hash of project.blobs.hashes()) {
        work?.signal.throwIfAborted();
        // What a disk holds is stored with it.
        if (onDisks.has(hash)) continue;
        const bytes = await project.blobs.get(hash);
        if (bytes && isVersionId(hash)) await storage.blobs.putAs(hash, bytes);
        else if (bytes) await storage.blobs.put(bytes);
      }
      for (const session of project.sessions) await keepSession(storage, session, clock());
    } finally {
      await storage.close();
    }
  } catch (error) {
    await catalog.delete(id);
    throw error;
  }
  return { id, name, losses: project.warnings.map((warning) => warning.message) };
}

/** One that tells the import from the project it was exported from. */
function freeName(name: string, taken: ReadonlySet<string>): string {
  let free = name;
  for (let count = 1; taken.has(free); count++) free = `${name} (imported${count === 1 ? "" : ` ${count}`})`;
  return free;
}

/** Without anything that lets more happen than the person here has allowed; a guard stays. */
function portableDocument(document: ProjectDocument): ProjectDocument {
  const { runsItself: _runs, baseline: _baseline, removedDisks: _removed, ...own } = document;
  // They name servers of somebody's own.
  const { connections: _connections, webSearch: _search, ...rest } = own;
  const { approvals, ...agent } = rest.agent;
  const { last, ...compare } = rest.compare;
  return {
    ...rest,
    mounts: rest.mounts.map(portableMount),
    agent: approvals === "writes" ? { ...agent, approvals } : agent,
    compare: last === undefined ? compare : { ...compare, last: portableComparison(last) },
    model: rest.model.kind === "demo" ? rest.model : { kind: "demo", pace: "natural" },
  };
}

/** Without what leads to a folder or server of somebody's own: it is to be chosen again. */
function portableMount(record: MountRecord): MountRecord {
  if (record.kind === "folder") {
    const { handle: _handle, ...rest } = record;
    return rest;
  }
  if (record.kind === "s3") {
    const { endpoint: _endpoint, ...rest } = record;
    return rest;
  }
  if (record.kind === "webdav") {
    const { url: _url, user: _user, ...rest } = record;
    return rest;
  }
  if (record.kind !== "address" || record.url === undefined || isPublicAddress(record.url)) return record;
  // What went wrong names the server too.
  const { url: _url, problem: _problem, ...rest } = record;
  return rest;
}

/** What follows the path of an address may be a key to it. */
function isPublicAddress(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { username, password, search, hash } = new URL(url);
  return `${username}${password}${search}${hash}` === "";
}

/** Without the model: it may name a server of the person's own. */
function portableComparison({ model: _model, ...last }: CompareRecord): CompareRecord {
  return last;
}

/** Every session that can be read; of one that cannot, what the page holds of it, if it is open. */
async function* sessionsOf(
  { storage, openSession }: ProjectToExport,
  losses: string[],
): AsyncGenerator<SessionOfProject> {
  const records = await storage.sessions().catch((error: unknown) => {
    if (!(error instanceof UnavailableError)) throw error;
    losses.push(
      openSession === undefined ? "The sessions cannot be read" : "The sessions, but for the open one, cannot be read",
    );
    return undefined;
  });
  if (records === undefined && openSession !== undefined) yield openSession;
  for (const record of records ?? []) {
    const session = { record: record as unknown as JsonObject, events: await eventsOf(storage, record.id) };
    if (session.events !== undefined) yield { ...session, events: session.events };
    else if (openSession?.record["id"] === record.id) yield openSession;
    else losses.push(`The session “${record.name}” cannot be read`);
  }
}

async function eventsOf(storage: ProjectStore, sessionId: string): Promise<SessionEvent[] | undefined> {
  const events: SessionEvent[] = [];
  try {
    for await (const batch of storage.log(sessionId).read()) events.push(...batch);
    return events;
  } catch (error) {
    if (error instanceof UnavailableError) return undefined;
    throw error;
  }
}

/** Memory mounts begin with the files they were exported with. */
async function withMemorySeeds(document: ProjectDocument, project: UnzippedProject) {
  const disks = project.disks.filter((disk) => !disk.id.startsWith(MEMORY_DISK));
  const mounts: MountRecord[] = [];
  for (const mount of document.mounts) {
    const saved = project.disks.find((disk) => disk.id === MEMORY_DISK + mount.id);
    if (mount.kind !== "memory" || !saved) {
      mounts.push(mount);
      continue;
    }
    const seed = await seedFromTree(saved.tree);
    if (seed) mounts.push({ ...mount, seed });
    else {
      const { seed: _seed, ...rest } = mount;
      mounts.push({ ...rest, kind: "idb", disk: mount.id });
      disks.push({ id: mount.id, tree: saved.tree });
    }
  }
  return { document: { ...document, mounts }, disks };
}

async function seedFromTree(tree: SnapshotTree): Promise<Record<string, string> | undefined> {
  if (tree.sizeBytes > SEED_BYTES) return undefined;
  const seed: Record<string, string> = {};
  for (const [path, file] of tree.files()) {
    const contents = contentsFromBytes(await file.bytes());
    if (typeof contents !== "string") return undefined;
    seed[path] = contents;
  }
  return seed;
}

async function fillDisk(
  storage: ProjectStore,
  id: string,
  tree: SnapshotTree,
  filled: (hash: string) => void,
): Promise<void> {
  const disk = storage.disk(id);
  try {
    await disk.writeMany(
      (async function* () {
        for (const [path, file] of tree.files()) {
          yield [path, await file.bytes()] as const;
          filled(file.hash);
        }
      })(),
    );
    for (const [path, entry] of tree.walk()) {
      if (entry.kind === "directory" && entry.fileCount === 0) await disk.makeDirectory(path);
    }
  } finally {
    await disk.close();
  }
}

async function keepSession(
  storage: ProjectStore,
  { record, events, start }: UnzippedProject["sessions"][number],
  now: number,
): Promise<void> {
  const saved = record as Partial<SessionRecord>;
  const id = saved.id ?? `ses_${now.toString(36)}`;
  await storage.createSession({
    id,
    name: saved.name ?? "Imported session",
    createdAt: saved.createdAt ?? now,
    updatedAt: saved.updatedAt ?? now,
    eventCount: 0,
    status: saved.status ?? "ready",
    preview: saved.preview ?? "",
    origin: saved.origin ?? "import",
    ...(saved.experimentId === undefined ? {} : { experimentId: saved.experimentId }),
  });
  if (start) await storage.saveSnapshot(start);
  const log = storage.log(id);
  for (let from = 0; from < events.length; from += EVENT_BATCH)
    await log.append(events.slice(from, from + EVENT_BATCH).map(withoutStandingApprovals));
}
