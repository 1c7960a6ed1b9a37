import { createStore, type StoreApi } from "zustand/vanilla";
import { limits, sha256Hex } from "../base";
import { bytesFromContents, contentsFromBytes, imageMediaType, type FileEntry, type SnapshotTree } from "../fs";
import { agentJsonFromDocument, agentDocumentFromJson } from "./agentJson";
import {
  AGENT_ID,
  INSTRUCTIONS_ID,
  isFileDocument,
  losesEdit,
  newDocument,
  type EditorDocument,
  type EditorView,
} from "./editorDocument";
import { messageFromError } from "./messageFromError";
import type { MountsState } from "./mountsStore";
import type { WorkbenchCore } from "./workbenchCore";

export interface EditorState {
  readonly documents: readonly EditorDocument[];
  readonly activeId: string | undefined;
  /** How often a person or a row has opened something: the screen shows the editor each time. */
  readonly openCount: number;

  /** Opens the tabs the project had. */
  readonly restore: () => Promise<void>;
  /** Opens a document, or shows the tab it has; with the focus in it where a line, from 1, or its kept place is asked for. */
  readonly open: (id: string, view?: EditorView, line?: number | "kept") => Promise<void>;
  /** Saves and closes a tab. One that cannot be saved stays open. */
  readonly close: (id: string) => Promise<void>;
  readonly activate: (id: string) => void;
  /** Something was typed; `readText` answers the whole text when it is needed. Saved after a pause. */
  readonly edited: (id: string, readText: () => string) => void;
  /** Saves now; failures show on the document. */
  readonly save: (id: string) => Promise<void>;
  readonly saveAll: () => Promise<void>;
  readonly setView: (id: string, view: EditorView) => void;
  /** Writes the person's text over what was written since. */
  readonly keepMine: (id: string) => Promise<void>;
  /** Drops the person's text for what was written since. */
  readonly takeTheirs: (id: string) => Promise<void>;
  /** Reads a file that could not be read again. */
  readonly reload: (id: string) => Promise<void>;
  /** A file's text as it was before the run; absent when it was not there, was no text, or no run has begun. */
  readonly textBeforeRun: (id: string) => Promise<string | undefined>;
  /** The bytes of a file as they are now, e.g. for an image. */
  readonly bytes: (id: string) => Promise<Uint8Array | undefined>;
  readonly dispose: () => void;
}

export type EditorStore = StoreApi<EditorState>;

/** Milliseconds of quiet after which what was typed is saved. */
const AUTOSAVE_MS = 700;

/** What a tab needs beside what it shows. */
interface Buffer {
  readText: (() => string) | undefined;
  /** Counts what was typed, so that a save knows whether it saved the last of it. */
  edits: number;
  timer: ReturnType<typeof setTimeout> | undefined;
  /** The text the person's edits began from; kept after saving, so that a later foreign write that undoes them is noticed. */
  base: string | undefined;
  saving: Promise<void>;
}

export function createEditorStore(core: WorkbenchCore): EditorStore {
  const store = createStore<EditorState>()((set, get) => {
    const session = new EditorSession(core, get, set);
    return {
      documents: [],
      activeId: undefined,
      openCount: 0,
      restore: () => session.restore(),
      open: (id, view, line) => session.open(id, view, line),
      close: (id) => session.close(id),
      activate(id) {
        set({ activeId: id });
        session.keepTabs();
      },
      edited: (id, readText) => session.edited(id, readText),
      save: (id) => session.save(id),
      async saveAll() {
        for (const document of get().documents) if (document.dirty) await session.save(document.id);
      },
      setView: (id, view) => session.patch(id, { view }),
      keepMine: (id) => session.keepMine(id),
      takeTheirs: (id) => session.takeTheirs(id),
      reload: (id) => session.reload(id),
      async textBeforeRun(id) {
        const file = core.mounts.getState().baseline?.file(id);
        if (!file || file.sizeBytes > limits.editorBytes) return undefined;
        const contents = contentsFromBytes(await file.bytes());
        return typeof contents === "string" ? contents : undefined;
      },
      bytes: async (id) => (await core.mounts.getState().seenSnapshot()).file(id)?.bytes(),
      dispose: () => session.dispose(),
    };
  });
  void store.getState().restore();
  return store;
}

class EditorSession {
  readonly #core: WorkbenchCore;
  readonly #get: () => EditorState;
  readonly #set: (patch: Partial<EditorState>) => void;
  readonly #buffers = new Map<string, Buffer>();
  readonly #stops: (() => void)[];

  constructor(core: WorkbenchCore, get: () => EditorState, set: (patch: Partial<EditorState>) => void) {
    this.#core = core;
    this.#get = get;
    this.#set = set;
    this.#stops = [
      core.mounts.subscribe((state, before) => {
        if (state.runsBegun !== before.runsBegun) this.#forgetSavedEdits();
        if (seenTree(state) !== seenTree(before)) void this.#follow(seenTree(state));
        else if (state.mounts !== before.mounts) this.#followMounts();
      }),
      core.project.subscribe((state, before) => {
        if (state.agent !== before.agent) this.#followAgent();
      }),
    ];
  }

  dispose(): void {
    for (const stop of this.#stops) stop();
    for (const buffer of this.#buffers.values()) clearTimeout(buffer.timer);
  }

  patch(id: string, patch: Partial<EditorDocument>): void {
    this.#set({
      documents: this.#get().documents.map((document) => (document.id === id ? { ...document, ...patch } : document)),
    });
  }

  keepTabs(): void {
    const { documents, activeId } = this.#get();
    this.#core.project.getState().change({
      openDocuments: documents.map((document) => document.id),
      ...(activeId === undefined ? {} : { activeDocument: activeId }),
    });
  }

  /** Opens the tabs the project had. */
  async restore(): Promise<void> {
    const { openDocuments = [], activeDocument } = this.#core.project.getState();
    for (const id of openDocuments) await this.#add(id);
    const { documents, activeId } = this.#get();
    const shown = documents.find((document) => document.id === activeDocument) ?? documents[0];
    if (activeId === undefined && shown) this.#set({ activeId: shown.id });
  }

  async #add(id: string): Promise<void> {
    if (this.#document(id)) return;
    const buffer = { readText: undefined, edits: 0, timer: undefined, base: undefined, saving: Promise.resolve() };
    this.#buffers.set(id, buffer);
    this.#set({ documents: [...this.#get().documents, newDocument(id)] });
    await this.#load(id);
  }

  async open(id: string, view?: EditorView, line?: number | "kept"): Promise<void> {
    await this.#add(id);
    if (view) this.patch(id, { view });
    if (line !== undefined) this.patch(id, { goTo: { line } });
    this.#set({ activeId: id, openCount: this.#get().openCount + 1 });
    this.keepTabs();
  }

  async close(id: string): Promise<void> {
    await this.save(id);
    const document = this.#document(id);
    if (!document || document.dirty || document.conflict) return;
    clearTimeout(this.#buffers.get(id)?.timer);
    this.#buffers.delete(id);
    const { documents, activeId } = this.#get();
    const at = documents.indexOf(document);
    const rest = documents.filter((other) => other.id !== id);
    this.#set({ documents: rest, activeId: activeId === id ? (rest[at] ?? rest[at - 1])?.id : activeId });
    this.keepTabs();
  }

  edited(id: string, readText: () => string): void {
    const buffer = this.#buffers.get(id);
    const document = this.#document(id);
    if (!buffer || !document) return;
    buffer.readText = readText;
    buffer.edits++;
    buffer.base ??= document.text;
    if (!document.dirty || document.problem) this.patch(id, { dirty: true, problem: undefined });
    clearTimeout(buffer.timer);
    if (!document.conflict) buffer.timer = setTimeout(() => void this.save(id), AUTOSAVE_MS);
  }

  save(id: string): Promise<void> {
    const buffer = this.#buffers.get(id);
    if (!buffer) return Promise.resolve();
    clearTimeout(buffer.timer);
    buffer.saving = buffer.saving.then(() => this.#save(id, buffer));
    return buffer.saving;
  }

  async keepMine(id: string): Promise<void> {
    const conflict = this.#document(id)?.conflict;
    const buffer = this.#buffers.get(id);
    if (!conflict || !buffer) return;
    const text = this.#typedText(id) ?? conflict.mine;
    try {
      await this.#core.mounts.getState().write(id, text);
      await this.#saved(id, text, conflict.theirs ?? "");
    } catch (error) {
      this.patch(id, { problem: messageFromError(error) });
    }
  }

  async reload(id: string): Promise<void> {
    this.patch(id, { presentation: "loading", problem: undefined });
    await this.#load(id);
  }

  async takeTheirs(id: string): Promise<void> {
    this.patch(id, { conflict: undefined, dirty: false, problem: undefined });
    await this.#load(id);
  }

  #document(id: string): EditorDocument | undefined {
    return this.#get().documents.find((document) => document.id === id);
  }

  /** What stands in the editor, when something was typed there. */
  #typedText(id: string): string | undefined {
    const document = this.#document(id);
    return document?.dirty ? this.#buffers.get(id)?.readText?.() : document?.text;
  }

  async #load(id: string): Promise<void> {
    if (!isFileDocument(id)) return this.#show(id, this.#projectText(id), undefined);
    const snapshot = await this.#core.mounts.getState().seenSnapshot();
    await this.#loadFile(id, snapshot.file(id));
  }

  async #loadFile(id: string, file: FileEntry | undefined): Promise<void> {
    const place = this.#placeOf(id);
    if (!file) return this.patch(id, { presentation: "gone", hash: undefined, ...place });
    const common = { hash: file.hash, sizeBytes: file.sizeBytes, ...place, problem: undefined } as const;
    if (file.sizeBytes > limits.editorBytes) return this.patch(id, { ...common, presentation: "large" });
    try {
      const contents = contentsFromBytes(await file.bytes());
      if (this.#document(id)?.dirty) return;
      if (typeof contents === "string") {
        this.patch(id, common);
        this.#show(id, contents, file.hash);
      } else
        this.patch(id, {
          ...common,
          presentation: imageMediaType(contents) ? "image" : "binary",
          revision: this.#nextRevision(id),
        });
    } catch (error) {
      this.patch(id, { ...common, presentation: "unreadable", problem: messageFromError(error) });
    }
  }

  #show(id: string, text: string, hash: string | undefined): void {
    const buffer = this.#buffers.get(id);
    if (buffer) Object.assign(buffer, { readText: undefined, base: undefined });
    this.patch(id, { presentation: "text", text, hash, dirty: false, revision: this.#nextRevision(id) });
  }

  #nextRevision(id: string): number {
    return (this.#document(id)?.revision ?? 0) + 1;
  }

  async #save(id: string, buffer: Buffer): Promise<void> {
    const document = this.#document(id);
    if (!document?.dirty || document.conflict || !buffer.readText) return;
    const { edits } = buffer;
    const text = buffer.readText();
    this.patch(id, { saving: true });
    try {
      if (isFileDocument(id)) {
        const file = (await this.#core.mounts.getState().currentSnapshot()).file(id);
        if (file?.hash !== document.hash) return await this.#meetForeign(id, file);
        await this.#core.mounts.getState().write(id, text);
      } else await this.#saveProjectText(id, text);
      if (buffer.edits === edits) await this.#saved(id, text);
      else this.patch(id, { text, hash: await hashOf(id, text) });
    } catch (error) {
      this.patch(id, { problem: messageFromError(error) });
    } finally {
      this.patch(id, { saving: false });
    }
  }

  async #saved(id: string, text: string, base?: string): Promise<void> {
    const buffer = this.#buffers.get(id);
    if (buffer && base !== undefined) buffer.base = base;
    const sizeBytes = bytesFromContents(text).length;
    this.patch(id, {
      text,
      hash: await hashOf(id, text),
      sizeBytes,
      dirty: false,
      problem: undefined,
      conflict: undefined,
      presentation: "text",
    });
  }

  /** Files changed by others: taken over where nothing typed is at stake, else both sides are shown. */
  async #follow(snapshot: SnapshotTree): Promise<void> {
    for (const document of this.#get().documents) {
      if (!isFileDocument(document.id) || document.saving || document.presentation === "loading") continue;
      const file = snapshot.file(document.id);
      if (file?.hash !== document.hash) await this.#meetForeign(document.id, file);
    }
    this.#followMounts();
  }

  async #meetForeign(id: string, file: FileEntry | undefined): Promise<void> {
    const document = this.#document(id);
    const buffer = this.#buffers.get(id);
    if (!document || !buffer) return;
    const mine = this.#typedText(id) ?? document.text;
    const edited = document.dirty || buffer.base !== undefined;
    if (!edited || (document.conflict && document.conflict.theirHash === file?.hash)) {
      if (!edited) await this.#loadFile(id, file);
      return;
    }
    const contents = file && file.sizeBytes <= limits.editorBytes ? contentsFromBytes(await file.bytes()) : undefined;
    const theirs = typeof contents === "string" ? contents : undefined;
    const lost =
      theirs === undefined || (document.dirty ? theirs !== mine : losesEdit(buffer.base ?? "", mine, theirs));
    if (lost) {
      clearTimeout(buffer.timer);
      this.patch(id, { conflict: { mine, theirs, theirHash: file?.hash }, saving: false });
    } else if (file) {
      this.patch(id, { dirty: false });
      await this.#loadFile(id, file);
    }
  }

  /** A run begins: what was saved before it is what it works on, not an edit it could undo unseen. */
  #forgetSavedEdits(): void {
    for (const { id, dirty } of this.#get().documents) {
      const buffer = this.#buffers.get(id);
      if (buffer && !dirty) buffer.base = undefined;
    }
  }

  #followMounts(): void {
    for (const { id, readOnly, hidden } of this.#get().documents) {
      const now = this.#placeOf(id);
      if (now.readOnly !== readOnly || now.hidden?.by !== hidden?.by || now.hidden?.of !== hidden?.of)
        this.patch(id, now);
    }
  }

  /** What the mounts say of a file: whether it takes writes, and whether one of them stands before it. */
  #placeOf(id: string): Pick<EditorDocument, "readOnly" | "hidden"> {
    const { mountOf, hiddenAt, ...state } = this.#core.mounts.getState();
    if (!isFileDocument(id)) return { readOnly: false, hidden: undefined };
    return { readOnly: mountOf(id)?.readOnly ?? false, hidden: seenTree(state).file(id) ? undefined : hiddenAt(id) };
  }

  #followAgent(): void {
    for (const { id, dirty, saving, text } of this.#get().documents) {
      if (isFileDocument(id) || dirty || saving) continue;
      const now = this.#projectText(id);
      if (now !== text) this.#show(id, now, undefined);
    }
  }

  #projectText(id: string): string {
    const { agent } = this.#core.project.getState();
    return id === INSTRUCTIONS_ID ? agent.instructions : agentJsonFromDocument(agent);
  }

  /** @throws Error with the reason when the text is no agent definition */
  async #saveProjectText(id: string, text: string): Promise<void> {
    const { agent, changeAgent, change } = this.#core.project.getState();
    if (id === INSTRUCTIONS_ID) changeAgent({ instructions: text });
    else if (id === AGENT_ID) change({ agent: await agentDocumentFromJson(text, agent.instructions) });
  }
}

async function hashOf(id: string, text: string): Promise<string | undefined> {
  return isFileDocument(id) ? sha256Hex(text) : undefined;
}

/** The files a person may look at: those of the mounts, and of the turn that runs. */
function seenTree({ scratch, snapshot }: Pick<MountsState, "scratch" | "snapshot">): SnapshotTree {
  return scratch?.snapshot ?? snapshot;
}
