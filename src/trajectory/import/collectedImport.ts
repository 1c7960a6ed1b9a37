import { limits, type JsonObject } from "../../base";
import {
  EVENT_STREAM_VERSION,
  type EventData,
  type EventOrigin,
  type ImportFidelity,
  type ImportWarning,
  type RecordedSession,
  type SessionEvent,
} from "../../session";
import { eventsOf } from "./draftEvent";
import { combinedFidelity } from "./fidelity";
import type { AdoptedSession, ImportBuilder, SessionAbout, SessionDraft } from "./importBuilder";
import type { ImportedSession } from "./importedTrajectory";
import type { KeptValues } from "./keptValues";
import { SessionWriter } from "./sessionWriter";

/** The facts of a file that stand in each of its logs. */
export interface ImportFacts {
  readonly format: string;
  readonly sha256: string;
  readonly fileName?: string;
}

/** What one import has found so far. One is made for each: nothing is shared between imports. */
export class CollectedImport implements ImportBuilder {
  readonly values: KeptValues;
  readonly #facts: ImportFacts;
  readonly #writers = new Map<string, SessionWriter>();
  readonly #adopted: AdoptedSession[] = [];
  readonly #warnings: ImportWarning[] = [];
  #unlistedWarnings = 0;
  #version = "";
  #told: Partial<ImportFidelity> = {};

  constructor(facts: ImportFacts, values: KeptValues) {
    this.#facts = facts;
    this.values = values;
  }

  /** @param prefix sets the keys of files apart that know nothing of each other */
  session(ownKey: string, about?: SessionAbout, prefix = ""): SessionDraft {
    const key = `${prefix}${ownKey}`;
    let writer = this.#writers.get(key);
    if (writer === undefined) {
      const seed = `${this.#facts.sha256}/${this.#facts.format}/${key}`;
      writer = new SessionWriter({ key, prefix }, seed, this.values, this);
      this.#writers.set(key, writer);
    }
    if (about !== undefined) writer.about(about);
    return writer;
  }

  adopt(session: AdoptedSession): void {
    this.#adopted.push(session);
  }

  warn(warning: Parameters<ImportBuilder["warn"]>[0]): void {
    const { code, origin, pointer = origin?.pointer, kept } = warning;
    if (this.#warnings.length >= limits.importWarnings) {
      this.#unlistedWarnings++;
      return;
    }
    const place: Pick<ImportWarning, "file" | "line" | "byteOffset"> = placeOf(origin);
    this.#warnings.push({
      code,
      message: warning.message ?? `${sentence(code)}${placeText(place)}.`,
      ...place,
      ...(pointer === undefined ? {} : { jsonPointer: pointer }),
      ...(kept === undefined ? {} : { kept }),
    });
  }

  version(version: string): void {
    if (this.#version === "") this.#version = this.values.text(version);
  }

  fidelity(part: Partial<ImportFidelity>): void {
    this.#told = { ...this.#told, ...part };
  }

  blob(bytes: Uint8Array): string {
    return this.values.blob(bytes);
  }

  get versionSaid(): string {
    return this.#version;
  }

  get sessionCount(): number {
    return this.#writers.size + this.#adopted.length;
  }

  get eventCount(): number {
    let count = this.#adopted.reduce((sum, { events }) => sum + events.length, 0);
    for (const { events } of this.#writers.values()) count += events.length;
    return count;
  }

  warnings(): readonly ImportWarning[] {
    if (this.#unlistedWarnings === 0) return this.#warnings;
    return [...this.#warnings, { code: "more", message: `${this.#unlistedWarnings} more warnings are not shown.` }];
  }

  /** Closes every session. Of those with a parent, each stands after it. */
  finish(): { readonly sessions: ImportedSession[]; readonly fidelity: ImportFidelity } {
    const writers = [...this.#writers.values()];
    for (const writer of writers) writer.close();
    const fidelity = combinedFidelity(writers, this.#told);
    const ids = sessionIds(writers);
    const ordered = inFamilies(writers);
    const sessions = ordered.map((writer) => this.#finished(writer, ids, fidelity));
    return { sessions: [...sessions, ...this.#adopted.map(adoptedSession)], fidelity };
  }

  #finished(writer: SessionWriter, ids: ReadonlyMap<string, string>, fidelity: ImportFidelity): ImportedSession {
    const { known } = writer;
    const id = ids.get(writer.key) ?? writer.madeId;
    const idOf = (key: string | undefined): string | undefined =>
      key === undefined ? undefined : (ids.get(`${writer.prefix}${key}`) ?? key);
    const parentId = idOf(known.parent?.key);
    const predecessor = idOf(known.predecessor);
    const parent =
      parentId === undefined
        ? undefined
        : { sessionId: parentId, ...(typeof known.parent?.callId === "string" ? { callId: known.parent.callId } : {}) };
    const session: RecordedSession = { id, ...sessionFacts(known), ...(parent === undefined ? {} : { parent }) };
    const [started, source, ...rest] = eventsOf(writer.events);
    const events = [
      { ...started, data: startedData(this.#facts.format, known, predecessor) },
      { ...source, data: this.#sourceData(session, fidelity) },
      ...rest,
    ] as SessionEvent[];
    // The first two happened when the first entry did.
    const first = rest[0];
    if (first !== undefined) {
      const { at, time } = first.meta;
      const when = time === undefined ? { at } : { at, time };
      events[0] = { ...events[0], meta: { id: started?.meta.id ?? "", ...when } } as SessionEvent;
      events[1] = { ...events[1], meta: { id: source?.meta.id ?? "", ...when } } as SessionEvent;
    }
    const title = known.title === undefined ? {} : { title: known.title };
    return { id, ...title, events, ...(parent === undefined ? {} : { parent }) };
  }

  #sourceData(session: RecordedSession, fidelity: ImportFidelity): EventData["import.source"] {
    const { format, sha256, fileName } = this.#facts;
    const name = fileName === undefined || fileName === "" ? {} : { fileName: this.values.text(fileName) };
    const version = this.#version === "" ? "unknown" : this.#version;
    return { format, version, sha256, ...name, warnings: this.warnings(), fidelity, session };
  }
}

function startedData(
  format: string,
  known: SessionAbout,
  predecessor: string | undefined,
): EventData["session.started"] {
  return {
    runtime: {
      agentId: known.agentName ?? format,
      ...(known.agentName === undefined ? {} : { agentName: known.agentName }),
      eveVersion: EVENT_STREAM_VERSION,
    },
    ...(predecessor === undefined ? {} : { predecessor: { sessionId: predecessor } }),
  };
}

function sessionFacts(known: SessionAbout): Omit<RecordedSession, "id" | "parent"> {
  const { title, agentName, agentVersion, modelId, cwd, instructions, tools, branch } = known;
  const facts = { title, agentName, agentVersion, modelId, cwd, instructions, tools, branch };
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined)) as JsonObject;
}

/** Ids by key; of several sessions with one id, the first has it and the others a number behind it. */
function sessionIds(writers: readonly SessionWriter[]): Map<string, string> {
  const ids = new Map<string, string>();
  const taken = new Set<string>();
  for (const writer of writers) {
    const wanted = writer.known.id === undefined || writer.known.id === "" ? writer.madeId : writer.known.id;
    let id = wanted;
    for (let number = 2; taken.has(id); number++) id = `${wanted}-${number}`;
    taken.add(id);
    ids.set(writer.key, id);
  }
  return ids;
}

/** Each session after the one it works for, in the order of their first use. */
function inFamilies(writers: readonly SessionWriter[]): SessionWriter[] {
  const keys = new Set(writers.map(({ key }) => key));
  const children = new Map<string | undefined, SessionWriter[]>();
  for (const writer of writers) {
    const named = writer.known.parent?.key;
    const parent = named === undefined ? undefined : `${writer.prefix}${named}`;
    const under = parent !== undefined && keys.has(parent) && parent !== writer.key ? parent : undefined;
    children.set(under, [...(children.get(under) ?? []), writer]);
  }
  const ordered = new Set<SessionWriter>();
  const waiting = (children.get(undefined) ?? []).toReversed();
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (ordered.has(next)) continue;
    ordered.add(next);
    waiting.push(...(children.get(next.key) ?? []).toReversed());
  }
  // Those that name each other as parents belong to nobody.
  return [...ordered, ...writers.filter((writer) => !ordered.has(writer))];
}

/** The session a log works for is named in it. */
function adoptedSession({ events, id, title }: AdoptedSession): ImportedSession {
  const source = events.find((event) => event.type === "import.source");
  const parent = source?.type === "import.source" ? source.data.session?.parent : undefined;
  return {
    id: id ?? "",
    events,
    ...(title === undefined ? {} : { title }),
    ...(parent === undefined ? {} : { parent }),
  };
}

function placeOf(origin: EventOrigin | undefined): Pick<ImportWarning, "file" | "line" | "byteOffset"> {
  if (origin === undefined) return {};
  const { file, line, byte } = origin;
  return { ...(file === undefined ? {} : { file }), ...(line === undefined ? {} : { line }), byteOffset: byte };
}

function sentence(code: string): string {
  const words = code.replaceAll("-", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function placeText({ file, line, byteOffset }: Pick<ImportWarning, "file" | "line" | "byteOffset">): string {
  const where = line !== undefined ? ` in line ${line}` : byteOffset !== undefined ? ` at byte ${byteOffset}` : "";
  return file === undefined ? where : `${where} of ${file}`;
}
