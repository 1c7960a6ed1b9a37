import type { FormatInput, SourceRecord } from "../format";
import type { ImportBuilder } from "../importBuilder";
import { field, fieldAt, filledText, isRecord, list, number, text } from "../jsonAccess";

export interface OpencodeMessage {
  readonly info: SourceRecord;
  readonly parts: readonly SourceRecord[];
}

export interface OpencodeSession {
  readonly key: string;
  readonly info: SourceRecord;
  readonly messages: readonly OpencodeMessage[];
}

/** An export is one document, `{ info, messages: [{ info, parts }] }`. */
export function sessionFromExport(document: SourceRecord, key: string): OpencodeSession {
  const { value, origin } = document;
  const messages = list(field(value, "messages")).map((message, index): OpencodeMessage => {
    const pointer = `${origin.pointer ?? ""}/messages/${index}`;
    return {
      info: { value: field(message, "info"), origin: { ...origin, pointer: `${pointer}/info` } },
      parts: list(field(message, "parts")).map((part, at) => ({
        value: part,
        origin: { ...origin, pointer: `${pointer}/parts/${at}` },
      })),
    };
  });
  return { key, info: { value: field(value, "info"), origin }, messages };
}

const SESSION = /(^|\/)session\/(?:info\/|[^/]+\/)?([^/]+)\.json$/;
const MESSAGE = /(^|\/)message\/([^/]+)\/([^/]+)\.json$/;
const PART = /(^|\/)part\/(?:(.+)\/)?([^/]+)\.json$/;

export function isStorage(paths: readonly string[]): boolean {
  return paths.some((path) => MESSAGE.test(path)) && paths.some((path) => PART.test(path) || SESSION.test(path));
}

/** The folder the program keeps: a file for each session, message and part. Folders name what fields leave out. */
export async function sessionsFromStorage(input: FormatInput, out: ImportBuilder): Promise<OpencodeSession[]> {
  const infos = new Map<string, SourceRecord>();
  const messages: { session: string; id: string; info: SourceRecord }[] = [];
  const parts = new Map<string, SourceRecord[]>();
  for (const file of input.files.toSorted((a, b) => (a.path < b.path ? -1 : 1))) {
    input.progress();
    const message = MESSAGE.exec(file.path);
    const part = message === null ? PART.exec(file.path) : null;
    const session = message === null && part === null ? SESSION.exec(file.path) : null;
    if (message === null && part === null && session === null) continue;
    const document = await input.document(file);
    if (document === undefined || !isRecord(document.value)) continue;
    const id = filledText(field(document.value, "id"));
    if (session !== null) infos.set(id ?? (session[2] as string), document);
    else if (message !== null) {
      const folder = message[2] as string;
      messages.push({
        session: filledText(field(document.value, "sessionID")) ?? folder,
        id: id ?? (message[3] as string),
        info: document,
      });
    } else if (part !== null) {
      const owner = filledText(field(document.value, "messageID")) ?? part[2]?.split("/").at(-1);
      if (owner === undefined) out.warn({ code: "part-without-message", origin: document.origin, kept: false });
      else parts.set(owner, [...(parts.get(owner) ?? []), document]);
    }
  }
  const sessionIds = [...new Set([...infos.keys(), ...messages.map(({ session }) => session)])];
  const known = new Set(messages.map(({ id }) => id));
  for (const [owner, lost] of parts) {
    if (known.has(owner)) continue;
    for (const { origin } of lost) out.warn({ code: "part-without-message", origin, kept: false });
  }
  return sessionIds.map((id) => ({
    key: id,
    info: infos.get(id) ?? { value: { id }, origin: { byte: 0, length: 0 } },
    messages: messages
      .filter(({ session }) => session === id)
      .toSorted((a, b) => createdAt(a.info.value) - createdAt(b.info.value))
      .map((message) => ({ info: message.info, parts: parts.get(message.id) ?? [] })),
  }));
}

function createdAt(info: unknown): number {
  return number(fieldAt(info, "time", "created")) ?? 0;
}

/** Whether a document is an export. */
export function isExport(document: unknown): boolean {
  const messages = list(field(document, "messages"));
  const [first] = messages;
  return (
    isRecord(field(document, "info")) &&
    (messages.length === 0
      ? filledText(fieldAt(document, "info", "directory")) !== undefined
      : isRecord(field(first, "info")) &&
        Array.isArray(field(first, "parts")) &&
        text(fieldAt(first, "info", "role")) !== undefined)
  );
}
