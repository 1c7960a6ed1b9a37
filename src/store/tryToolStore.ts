import { createStore, type StoreApi } from "zustand/vanilla";
import { bindAgent, type AgentDefinition, type BoundAgent } from "../agent";
import { limits, type JsonObject, type JsonValue } from "../base";
import { contentsFromBytes, type FileEntry, type FileSystem, type SnapshotTree, type VersionedTree } from "../fs";
import { HOST_ROOT, type Host } from "../host";
import { callTool, sessionIdsAt, type FileChange, type Served, type ToolOutcome } from "../session";
import { todoList, type ImagePart } from "../tools";
import { hostBinding } from "./hostAgent";
import { isHostRuntime } from "./hostRuntime";
import { messageFromError } from "./messageFromError";
import type { PersonChanges } from "./personChanges";
import { restorePaths } from "./restorePaths";
import { fileDifference, type FileDifference } from "./sessionDifference";
import type { SessionHost } from "./sessionHost";
import type { SessionStore } from "./sessionStoreState";
import type { TryTexts } from "./tryToolFields";
import type { WorkbenchCore } from "./workbenchCore";

/** What a person has written into a tool's form. */
export interface TryDraft {
  readonly texts: TryTexts;
  /** All arguments as one text, where they are written so. */
  readonly json?: string;
  readonly dryRun: boolean;
}

/** What a call by hand came to. */
export interface TryOutcome {
  readonly status: "completed" | "failed" | "rejected";
  readonly errorCode?: string;
  /** A dry run's stand-in: nothing was done. */
  readonly isStub: boolean;
  /** Recorded results of a search: nothing was searched. */
  readonly isFixture: boolean;
  /** What a model would read. */
  readonly text: string;
  readonly images: readonly ImagePart[];
  /** What a log would hold; absent where the call failed. */
  readonly value?: JsonValue;
  readonly served: readonly Served[];
  readonly differences: readonly FileDifference[];
  readonly durationMs?: number;
  readonly undo: "none" | "offered" | "done";
}

export interface TryProgress {
  readonly words: string;
  /** 0…1, where it is known. */
  readonly share?: number;
}

export interface TryCall {
  readonly isRunning: boolean;
  /** How far it is, while it runs and says so. */
  readonly progress?: TryProgress;
  readonly outcome?: TryOutcome;
  /** Why it was not made, or not taken back. */
  readonly problem?: string;
}

export interface TryToolState {
  /** Tools that are opened to be read and tried. */
  readonly openNames: ReadonlySet<string>;
  readonly drafts: Readonly<Record<string, TryDraft>>;
  /** The last call of each tool. */
  readonly calls: Readonly<Record<string, TryCall>>;
  readonly setOpen: (toolName: string, isOpen: boolean) => void;
  readonly setDraft: (toolName: string, draft: TryDraft) => void;
  /** Calls a tool on the mounts as they are, as the person: nobody is asked. Never throws. */
  readonly run: (toolName: string, input: JsonObject, options: { readonly dryRun: boolean }) => Promise<void>;
  /** Forgets the last call of a tool. */
  readonly clear: (toolName: string) => void;
  readonly stop: (toolName: string) => void;
  readonly stopAll: () => void;
  /** Puts back the files the last call of a tool has changed. Never throws. */
  readonly undo: (toolName: string) => Promise<void>;
}

export type TryToolStore = StoreApi<TryToolState>;

export type TryToolNeeds = WorkbenchCore & { readonly session: SessionStore };

/** Calls of tools by hand, each tool's last one kept. `definition` is the agent as it is typed, where a run could begin. */
export function createTryToolStore(needs: TryToolNeeds, definition: () => AgentDefinition | undefined): TryToolStore {
  const { services, mounts } = needs;
  const running = new Map<string, AbortController>();
  const before = new Map<string, SnapshotTree>();
  const todos = todoList();
  const store = createStore<TryToolState>()((set, get) => {
    const show = (toolName: string, call: TryCall) => set({ calls: { ...get().calls, [toolName]: call } });
    return {
      openNames: new Set(),
      drafts: {},
      calls: {},
      setOpen(toolName, isOpen) {
        const openNames = new Set(get().openNames);
        if (isOpen) openNames.add(toolName);
        else openNames.delete(toolName);
        set({ openNames });
      },
      setDraft: (toolName, draft) => set({ drafts: { ...get().drafts, [toolName]: draft } }),
      async run(toolName, input, { dryRun }) {
        if (running.has(toolName)) return;
        const stop = new AbortController();
        running.set(toolName, stop);
        const last = get().calls[toolName]?.outcome;
        show(toolName, { isRunning: true, ...(last && { outcome: last }) });
        try {
          const agent = definition();
          if (agent === undefined) throw new Error("An agent with faults does not run. Mend them first.");
          const seed = services.randomSeed();
          const invocationId = `try_${seed}`;
          const { asOf } = needs.session.getState();
          const onHost = isHostRuntime(agent.runtime);
          const host = onHost ? await (await needs.host()).forSession() : undefined;
          const tree = (observe: (served: Served) => void = () => undefined) => {
            const table = mounts.getState().table();
            return (onHost ? table.hostOnly() : table).observedTree(observe);
          };
          const place = { toolName, invocationId, todos, asOf, tree: tree(), ...(host && { host }) };
          const bound = await boundForCall(needs, agent, place);
          const start = await mounts.getState().currentSnapshot();
          before.set(toolName, start);
          const made = await callTool({
            bound,
            toolName,
            input,
            invocationId,
            ids: sessionIdsAt(seed, 0, services.clock),
            clock: services.clock,
            signal: stop.signal,
            dryRun,
            ...(asOf === undefined ? {} : { asOf }),
            treeForCall: (observe) => personsTree(tree(observe), mounts.getState().asPerson),
            report: (partial) => show(toolName, { isRunning: true, progress: progressFrom(partial) }),
            scrub: (text) => services.keyring.scrub(text),
          });
          const end = await mounts.getState().currentSnapshot();
          show(toolName, { isRunning: false, outcome: await outcomeFrom(made, start, end) });
        } catch (error) {
          show(toolName, { isRunning: false, problem: services.keyring.scrub(messageFromError(error)) });
        } finally {
          running.delete(toolName);
        }
      },
      clear(toolName) {
        if (running.has(toolName)) return;
        const { [toolName]: _last, ...calls } = get().calls;
        before.delete(toolName);
        set({ calls });
      },
      stop: (toolName) => running.get(toolName)?.abort(),
      stopAll() {
        for (const stop of running.values()) stop.abort();
      },
      async undo(toolName) {
        const outcome = get().calls[toolName]?.outcome;
        const wanted = before.get(toolName);
        if (outcome?.undo !== "offered" || wanted === undefined || running.has(toolName)) return;
        const paths = outcome.differences.map(({ path }) => path);
        const { asPerson, table } = mounts.getState();
        try {
          await asPerson("edit", paths, () => restorePaths(table().tree(), wanted, paths));
          show(toolName, { isRunning: false, outcome: { ...outcome, undo: "done" } });
        } catch (error) {
          show(toolName, { isRunning: false, outcome, problem: `Not put back: ${messageFromError(error)}` });
        }
      },
    };
  });
  return store;
}

interface CallPlace {
  readonly tree: FileSystem & VersionedTree;
  readonly host?: SessionHost;
  readonly toolName: string;
  readonly invocationId: string;
  readonly todos: ReturnType<typeof todoList>;
  readonly asOf: string | undefined;
}

/** The agent for one call. @throws DiscoveryError */
async function boundForCall(
  { mounts, connections, project, services }: TryToolNeeds,
  agent: AgentDefinition,
  { toolName, invocationId, todos, asOf, tree, host }: CallPlace,
): Promise<BoundAgent> {
  // Only a search asks for the model, which may search by itself.
  const settings = toolName === "webSearch" ? project.getState().model : undefined;
  const harnessTools = await connections.getState().currentTools(settings);
  const shared = { todos, now: services.clock, sessionId: invocationId, ...(asOf === undefined ? {} : { asOf }) };
  if (host === undefined || !isHostRuntime(agent.runtime))
    return await bindAgent(agent, tree, { ...shared, harnessTools, mounts: mounts.getState().table().recorded() });
  // What a command by hand does is a person's doing, known when it has ended.
  const shell: Host["shell"] = (command, options) =>
    mounts.getState().asPerson("edit", [HOST_ROOT], () => host.shell(command, options));
  const { shell: tools, ...onHost } = hostBinding({
    options: agent.runtime.options ?? {},
    sessionId: invocationId,
    disk: tree,
    shell,
  });
  await host.makeDirectory(onHost.cwd);
  const { tree: hostTree, ...binding } = onHost;
  return await bindAgent(agent, hostTree, { ...shared, ...binding, harnessTools: { ...harnessTools, shell: tools } });
}

/** The tree whose writes are a person's. */
function personsTree(tree: FileSystem, asPerson: PersonChanges["report"]): FileSystem {
  const writes: Pick<FileSystem, "write" | "delete"> = {
    write: (path, contents) => asPerson("edit", [path], () => tree.write(path, contents)),
    delete: (path) => asPerson("edit", [path], () => tree.delete(path)),
  };
  return new Proxy(tree, {
    get: (target, key): unknown => {
      if (key === "write" || key === "delete") return writes[key];
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

/** What a tool says on its way: a server's progress in words, anything else as it is. */
function progressFrom(partial: JsonValue): TryProgress {
  if (typeof partial === "string") return { words: partial };
  const fields = partial !== null && typeof partial === "object" ? (partial as JsonObject) : {};
  const { progress, total, message } = fields;
  if (typeof progress !== "number") return { words: JSON.stringify(partial) };
  const figures = typeof total === "number" ? `${progress} of ${total}` : `${progress}`;
  const words = typeof message === "string" ? `${figures} · ${message}` : figures;
  return typeof total === "number" && total > 0 ? { words, share: Math.min(1, progress / total) } : { words };
}

async function outcomeFrom(
  { result, text }: ToolOutcome,
  before: SnapshotTree,
  after: SnapshotTree,
): Promise<TryOutcome> {
  const parts = typeof text === "string" ? [{ type: "text" as const, text }] : text;
  const { output } = result.result;
  const differences = await Promise.all((result.changes ?? []).map((change) => differenceOf(change, before, after)));
  return {
    status: result.status,
    ...(result.error === undefined ? {} : { errorCode: result.error.code }),
    isStub: result.stub === true,
    isFixture: isFixture(output),
    text: parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n"),
    images: parts.filter((part) => part.type === "image"),
    ...(result.status === "completed" ? { value: output } : {}),
    served: result.served ?? [],
    differences,
    ...(result.durationMs === undefined ? {} : { durationMs: result.durationMs }),
    undo: differences.length === 0 ? "none" : "offered",
  };
}

function isFixture(output: JsonValue): boolean {
  return output !== null && typeof output === "object" && (output as JsonObject)["fixture"] === true;
}

async function differenceOf({ path }: FileChange, before: SnapshotTree, after: SnapshotTree): Promise<FileDifference> {
  const [old, current] = [before.file(path), after.file(path)];
  const kind = old === undefined ? "added" : current === undefined ? "deleted" : "modified";
  const unshown = (reason: string): FileDifference => {
    return { path, kind, linesAdded: 0, linesRemoved: 0, lines: [], reason };
  };
  if (Math.max(old?.sizeBytes ?? 0, current?.sizeBytes ?? 0) > limits.editorBytes)
    return unshown("Too large to compare line by line.");
  try {
    return fileDifference(path, await contentsOf(old), await contentsOf(current));
  } catch (error) {
    return unshown(messageFromError(error));
  }
}

async function contentsOf(file: FileEntry | undefined): Promise<string | Uint8Array | undefined> {
  return file === undefined ? undefined : contentsFromBytes(await file.bytes());
}
