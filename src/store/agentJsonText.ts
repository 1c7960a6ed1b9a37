import { createStore, type StoreApi } from "zustand/vanilla";
import { canonicalJson, limits, type JsonObject, type JsonValue } from "../base";
import { agentJsonFromDocument } from "./agentJson";
import { AGENT_ID, type EditorDocument } from "./editorDocument";
import type { EditorStore } from "./editorStore";
import type { AgentDocument } from "./projectDocument";
import type { ProjectStateStore } from "./projectStore";

/** The text of `agent.json` as it stands, saved or not, whichever view it is edited in. */
export interface AgentJsonText {
  readonly text: string;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  /** Takes what a person wrote. Edits of one kind that follow each other closely are undone together. */
  readonly edit: (text: string, kind: string) => void;
  readonly undo: () => void;
  readonly redo: () => void;
  readonly dispose: () => void;
}

export type AgentJsonTextStore = StoreApi<AgentJsonText>;

/** Edits of one kind with no more than this between them are one step of undo. */
const SAME_STEP_MS = 1_000;

/** One text for all views of the agent, with one history; the editor's document saves it. */
export function createAgentJsonText(editor: EditorStore, project: ProjectStateStore): AgentJsonTextStore {
  const past: string[] = [];
  const future: string[] = [];
  let lastKind = "";
  let lastEditMs = 0;
  /** The document's revision that was last taken over. */
  let taken: number | undefined;
  /** Fields (approvals, steps) that were set outside these views while the text was not saved. */
  const setElsewhere = new Map<string, JsonValue | undefined>();
  const document = () => editor.getState().documents.find(({ id }) => id === AGENT_ID);

  return createStore<AgentJsonText>()((set, get) => {
    const show = (text: string) => set({ text, canUndo: past.length > 0, canRedo: future.length > 0 });
    const keep = (text: string) => {
      past.push(text);
      if (past.length > limits.agentUndoSteps) past.shift();
    };
    /** What another view, another tab or a run setting wrote. */
    const takeOver = (text: string) => {
      if (text === get().text) return;
      keep(get().text);
      future.length = 0;
      lastKind = "";
      show(text);
    };
    const write = (text: string) => {
      show(text);
      editor.getState().edited(AGENT_ID, () => get().text);
      if (setElsewhere.size > 0) void takeIn();
    };
    /** Puts in what was set elsewhere: else saving the text would undo that unseen. A text that is no JSON waits. */
    const takeIn = async () => {
      const [{ agentJsonWithField }, { parsedJson }] = await Promise.all([
        import("./agentJsonEdit"),
        import("./agentJsonParse"),
      ]);
      const parsed = parsedJson(get().text);
      if ("problem" in parsed || !isObject(parsed.value)) return;
      const fields = [...setElsewhere];
      setElsewhere.clear();
      for (const [field, value] of fields) get().edit(agentJsonWithField(get().text, field, value), `set ${field}`);
    };
    const follow = (open: EditorDocument | undefined) => {
      if (open === undefined) taken = undefined;
      else if (open.presentation === "text" && open.revision !== taken) {
        taken = open.revision;
        takeOver(open.text);
      }
    };
    const stops = [
      editor.subscribe(() => follow(document())),
      project.subscribe(({ agent }, before) => {
        if (agent === before.agent) return;
        const open = document();
        if (open === undefined) takeOver(agentJsonFromDocument(agent));
        else if (open.dirty && !open.saving) {
          for (const [field, value] of changedFields(before.agent, agent)) setElsewhere.set(field, value);
          void takeIn();
        }
      }),
    ];
    return {
      text: agentJsonFromDocument(project.getState().agent),
      canUndo: false,
      canRedo: false,
      edit(text, kind) {
        const { text: before } = get();
        if (text === before) return;
        const nowMs = performance.now();
        if (kind !== lastKind || nowMs - lastEditMs > SAME_STEP_MS) keep(before);
        lastKind = kind;
        lastEditMs = nowMs;
        future.length = 0;
        write(text);
      },
      undo() {
        const text = past.pop();
        if (text === undefined) return;
        future.push(get().text);
        lastKind = "";
        write(text);
      },
      redo() {
        const text = future.pop();
        if (text === undefined) return;
        keep(get().text);
        lastKind = "";
        write(text);
      },
      dispose() {
        for (const stop of stops) stop();
      },
    };
  });
}

type ChangedField = readonly [field: string, value: JsonValue | undefined];

function changedFields(before: AgentDocument, after: AgentDocument): ChangedField[] {
  const [old, now] = [before, after] as unknown as readonly JsonObject[];
  return Object.keys({ ...old, ...now })
    .filter((field) => field !== "instructions" && canonicalJson(old?.[field]) !== canonicalJson(now?.[field]))
    .map((field) => [field, now?.[field]]);
}

function isObject(value: unknown): boolean {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}
