import { field, fieldAt, filledText, list, text } from "../jsonAccess";
import { blocksOf, isBlock, isSpoken, type Entry } from "./entry";

/** The entries of one conversation: of a session, or of a subagent that worked for a call of it. */
export interface Thread {
  readonly key: string;
  readonly sessionId: string | undefined;
  readonly entries: Entry[];
  /** Set for a subagent. */
  readonly agent?: { readonly id: string | undefined; readonly sessionKey: string };
}

/** A call that starts a subagent. */
export interface AgentCall {
  readonly callId: string;
  readonly threadKey: string;
  readonly prompt: string | undefined;
  readonly description: string | undefined;
  agentId?: string;
  isTaken?: boolean;
}

/** Which entry belongs to which conversation. `name` stands for the session of entries that name none. */
export function threadsOf(entries: readonly Entry[], name: string): Thread[] {
  const threads = new Map<string, Thread>();
  const keys = new ThreadKeys(entries, name);
  for (const entry of entries) {
    const { key, sessionId, agent } = keys.of(entry);
    const thread = threads.get(key) ?? { key, sessionId, entries: [], ...(agent === undefined ? {} : { agent }) };
    threads.set(key, thread);
    thread.entries.push(entry);
  }
  return [...threads.values()];
}

interface Belonging {
  readonly key: string;
  readonly sessionId: string | undefined;
  readonly agent?: { readonly id: string | undefined; readonly sessionKey: string };
}

class ThreadKeys {
  readonly #byUuid = new Map<string, Entry>();
  readonly #known = new Map<Entry, Belonging>();
  readonly #name: string;
  /** Whether no entry says a session's id. */
  readonly #isNameMade: boolean;
  #session: string | undefined;
  #sidechain: Belonging | undefined;

  constructor(entries: readonly Entry[], name: string) {
    // What stands before the first entry of a session, and names none, is told of that one.
    const first = entries.find((entry) => !entry.isSidechain && entry.sessionId !== undefined);
    const said = first?.sessionId ?? entries.find(({ sessionId }) => sessionId !== undefined)?.sessionId;
    this.#name = said ?? name;
    this.#isNameMade = said === undefined;
    for (const entry of entries) {
      if (entry.uuid !== undefined && !this.#byUuid.has(entry.uuid)) this.#byUuid.set(entry.uuid, entry);
    }
  }

  of(entry: Entry): Belonging {
    const path: Entry[] = [];
    let at: Entry | undefined = entry;
    let found: Belonging | undefined;
    while (at !== undefined && !path.includes(at)) {
      found = this.#known.get(at) ?? this.#said(at);
      path.push(at);
      if (found !== undefined) break;
      const parent: Entry | undefined = at.parentUuid === undefined ? undefined : this.#byUuid.get(at.parentUuid);
      // A sidechain may hang on the call it answers, and a conversation never on a sidechain.
      at = parent?.isSidechain === at.isSidechain ? parent : undefined;
    }
    found ??= this.#ofRoot(path.at(-1) ?? entry);
    for (const each of path) this.#known.set(each, found);
    if (entry.isSidechain) this.#sidechain = found;
    else if (isSpoken(entry)) this.#session = found.key;
    return found;
  }

  /** What an entry says by itself. */
  #said({ isSidechain, agentId, sessionId }: Entry): Belonging | undefined {
    if (!isSidechain || agentId === undefined) return undefined;
    const sessionKey = sessionId ?? this.#session ?? this.#name;
    return { key: `${sessionKey}/agent/${agentId}`, sessionId, agent: { id: agentId, sessionKey } };
  }

  #ofRoot(root: Entry): Belonging {
    const { sessionId, isSidechain, parentUuid, uuid } = root;
    if (!isSidechain) {
      // What names no session is of the one that is being told of.
      const key = sessionId ?? this.#session ?? this.#name;
      return { key, sessionId: sessionId ?? (this.#isNameMade && key === this.#name ? undefined : key) };
    }
    const isBroken = parentUuid !== undefined && !this.#byUuid.has(parentUuid);
    if ((isBroken || uuid === undefined) && this.#sidechain !== undefined) return this.#sidechain;
    const sessionKey = sessionId ?? this.#session ?? this.#name;
    return { key: `${sessionKey}/sidechain/${uuid ?? root.index}`, sessionId, agent: { id: undefined, sessionKey } };
  }
}

/** What stands in the file beside a subagent's log. */
export interface AgentSidecar {
  readonly agentType: string | undefined;
  readonly description: string | undefined;
  /** Of the call it works for. */
  readonly callId: string | undefined;
}

/** `undefined` for what is no such file. */
export function agentSidecar(value: unknown): AgentSidecar | undefined {
  const agentType = filledText(field(value, "agentType"));
  const description = filledText(field(value, "description"));
  const callId = filledText(field(value, "toolUseId"));
  const isOne =
    field(value, "type") === undefined &&
    agentType !== undefined &&
    (description !== undefined || callId !== undefined || field(value, "spawnDepth") !== undefined);
  return isOne ? { agentType, description, callId } : undefined;
}

/** All calls that may have started a subagent: those with a prompt, and those of the tool that does. */
export function agentCalls(threads: readonly Thread[]): AgentCall[] {
  const calls: AgentCall[] = [];
  const byId = new Map<string, AgentCall>();
  for (const { key, entries } of threads) {
    for (const { value } of entries) {
      const blocks = blocksOf(value) ?? [];
      for (const block of blocks) {
        const callId = filledText(field(block, "id"));
        if (!isBlock(block, "tool_use") || callId === undefined) continue;
        const prompt = text(fieldAt(block, "input", "prompt"));
        if (prompt === undefined && !/^(?:Task|Agent)$/.test(text(field(block, "name")) ?? "")) continue;
        const description = text(fieldAt(block, "input", "description"));
        const call: AgentCall = { callId, threadKey: key, prompt, description };
        calls.push(call);
        byId.set(callId, call);
      }
      for (const block of blocks) {
        if (!isBlock(block, "tool_result")) continue;
        const call = byId.get(text(field(block, "tool_use_id")) ?? "");
        const agentId = filledText(fieldAt(value, "toolUseResult", "agentId")) ?? saidAgentId(block);
        if (call !== undefined && agentId !== undefined) call.agentId = agentId;
      }
    }
  }
  return calls;
}

/** The agent's id as the last block of a result may say it. */
function saidAgentId(block: unknown): string | undefined {
  for (const part of list(field(block, "content"))) {
    const match = /^agentId: ([\w-]+)/.exec(text(field(part, "text")) ?? "");
    if (match !== null) return match[1];
  }
  return undefined;
}

/** The call a subagent worked for: by its id, else by its prompt or what it is called, each call once. */
export function callOfAgent(
  thread: Thread,
  calls: readonly AgentCall[],
  sidecar: AgentSidecar | undefined,
): AgentCall | undefined {
  const { agent, entries } = thread;
  if (agent === undefined) return undefined;
  const free = calls.filter((call) => call.isTaken !== true && call.threadKey !== thread.key);
  const byId =
    free.find(({ callId }) => callId === sidecar?.callId) ??
    (agent.id === undefined ? undefined : free.find(({ agentId }) => agentId === agent.id));
  const prompt = entries.map(({ type, value }) => (type === "user" ? promptOf(value) : undefined)).find(Boolean);
  const found =
    byId ??
    free.find((call) => prompt !== undefined && call.agentId === undefined && call.prompt === prompt) ??
    free.find((call) => prompt !== undefined && call.prompt === prompt) ??
    free.find((call) => sidecar?.description !== undefined && call.description === sidecar.description);
  if (found !== undefined) found.isTaken = true;
  return found;
}

function promptOf(value: unknown): string | undefined {
  const texts = (blocksOf(value) ?? []).flatMap((block) => filledText(field(block, "text")) ?? []);
  return texts.length === 0 ? undefined : texts.join("\n");
}
