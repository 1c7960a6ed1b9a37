import { createStore, type StoreApi } from "zustand/vanilla";
import { canonicalJson } from "../base";
import type { ModelSettings } from "../model";
import type { ProjectRecord, ProjectStore, StorageUsage } from "../storage";
import type { StorageTrouble } from "../fs";
import { messageFromError } from "./messageFromError";
import type { NoticeStore } from "./noticeStore";
import { openedDocument } from "./openedDocument";
import {
  emptyProjectDocument,
  jsonFromProjectDocument,
  projectDocumentFromJson,
  type AgentDocument,
  type CompareDocument,
  type ProjectDocument,
  type WorkMode,
} from "./projectDocument";
import type { WorkbenchServices } from "./workbenchServices";

export type SaveState = "saved" | "saving" | { readonly failed: string };

/** Another tab has deleted the project: what this one shows is the last of it. */
interface DeletedElsewhere {
  readonly kind: "deleted";
  readonly reason: string;
}

export interface ProjectState extends ProjectDocument {
  readonly id: string;
  readonly name: string;
  /** Every project of this browser, newest first; one about to be deleted is left out. */
  readonly projects: readonly ProjectRecord[];
  readonly saveState: SaveState;
  /** False when nothing outlives the tab; `keptReason` says why. */
  readonly kept: boolean;
  readonly keptReason?: string;
  /** What keeps the project from being written since it was opened, or before. */
  readonly trouble?: StorageTrouble | DeletedElsewhere;
  /** Why the settings are not those that were saved: they are damaged. */
  readonly settingsDamage?: string;
  readonly usage: StorageUsage | undefined;

  /** Changes parts of the document and saves them soon. */
  readonly change: (patch: Partial<ProjectDocument>) => void;
  readonly setMode: (mode: WorkMode) => void;
  readonly changeAgent: (patch: Partial<AgentDocument>) => void;
  readonly setModel: (model: ModelSettings) => void;
  readonly changeCompare: (patch: Partial<CompareDocument>) => void;
  readonly setDraft: (draft: string) => void;
  /** Saves now; resolves when it is done. Failures show as `saveState`. */
  readonly flush: () => Promise<void>;
  readonly refreshUsage: () => Promise<void>;

  readonly rename: (name: string) => Promise<void>;
  /** Makes a project and shows it. */
  readonly createProject: (name: string, document?: ProjectDocument) => Promise<void>;
  readonly openProject: (projectId: string) => Promise<void>;
  readonly duplicateProject: () => Promise<void>;
  /** Takes the project off the list and shows another; it is deleted when the offer to undo is gone. */
  readonly deleteProject: () => Promise<void>;
  readonly dispose: () => void;
}

export type ProjectStateStore = StoreApi<ProjectState>;

export interface ProjectStoreNeeds {
  readonly services: WorkbenchServices;
  readonly storage: ProjectStore;
  readonly notices: NoticeStore;
}

/** Milliseconds of quiet after which a changed document is saved. */
const SAVE_DELAY_MS = 400;
/** Who goes on typing is saved in between. */
const LONGEST_SAVE_DELAY_MS = 2_000;

const DOCUMENT_KEYS = [
  "agent",
  "model",
  "mounts",
  "compare",
  "draft",
  "mode",
  "runsItself",
  "baseline",
  "removedDisks",
  "openDocuments",
  "activeDocument",
  "agentView",
  "host",
  "connections",
  "webSearch",
] as const satisfies readonly (keyof ProjectDocument)[];

export async function createProjectStore(needs: ProjectStoreNeeds): Promise<ProjectStateStore> {
  const { storage, services } = needs;
  const { catalog } = services;
  const [{ document, damage }, projects] = await Promise.all([openedDocument(storage), services.listProjects()]);
  const reason = storage.reason ?? catalog.reason;
  const kept = storage.kept && catalog.kept;
  const record = projects.find((project) => project.id === storage.id);

  const store = createStore<ProjectState>()((set, get) => {
    const saver = documentSaver(
      needs,
      () => projectDocumentFromState(get()),
      (saveState) => set({ saveState }),
      () => get().trouble,
    );
    const stopWatching = storage.subscribe((change) => {
      if (change.kind === "document" && get().saveState === "saved") void takeOver().catch(() => undefined);
      // That its storage is gone follows from the deletion.
      if (change.kind === "trouble" && get().trouble?.kind !== "deleted") set(troubleOf(storage));
    });
    // A list that cannot be read stays as it is.
    const stopListing = catalog.subscribe(() => void refreshProjects().catch(() => undefined));

    const takeOver = async () => {
      const theirs = projectDocumentFromJson(await storage.loadDocument());
      if (get().saveState !== "saved" || canonicalJson(theirs) === canonicalJson(projectDocumentFromState(get())))
        return;
      // What this tab shows stays its own; what the project is, is shared.
      const {
        mode: _mode,
        draft: _draft,
        openDocuments: _open,
        activeDocument: _active,
        agentView: _view,
        ...shared
      } = theirs;
      set(shared);
    };
    const refreshProjects = async () => {
      const list = await services.listProjects();
      const own = list.find((project) => project.id === storage.id);
      set({ projects: list, ...(own ? { name: own.name } : {}) });
      if (own !== undefined || get().trouble !== undefined) return;
      // One about to be deleted by this tab is off that list only.
      if ((await catalog.list()).some((project) => project.id === storage.id)) return;
      const trouble = { kind: "deleted", reason: "This project was deleted in another tab." } as const;
      set({ trouble, saveState: { failed: trouble.reason } });
    };

    const change = (patch: Partial<ProjectDocument>) => {
      set(patch);
      saver.soon();
    };
    return {
      ...document,
      id: storage.id,
      name: record?.name ?? storage.name,
      projects,
      kept,
      ...(reason === undefined ? {} : { keptReason: reason }),
      ...troubleOf(storage),
      ...(damage === undefined ? {} : { settingsDamage: damage }),
      usage: undefined,
      change,
      setMode: (mode) => change({ mode }),
      changeAgent: (patch) => change({ agent: { ...get().agent, ...patch } }),
      setModel: (model) => change({ model }),
      changeCompare: (patch) => change({ compare: { ...get().compare, ...patch } }),
      setDraft: (draft) => change({ draft }),
      flush: () => saver.now(),
      async refreshUsage() {
        try {
          set({ usage: await storage.usage() });
        } catch {
          set({ usage: undefined });
        }
      },
      ...projectActions(needs, { flush: () => saver.now(), refreshProjects, currentName: () => get().name }),
      dispose() {
        stopWatching();
        stopListing();
      },
    };
  });
  return store;
}

function troubleOf(storage: ProjectStore): Pick<ProjectState, "trouble" | "saveState"> {
  const trouble = storage.trouble();
  return trouble === undefined ? { saveState: "saved" } : { trouble, saveState: { failed: trouble.reason } };
}

/** What of the state is kept. */
export function projectDocumentFromState(state: ProjectState): ProjectDocument {
  const entries = DOCUMENT_KEYS.flatMap((key) => (state[key] === undefined ? [] : [[key, state[key]] as const]));
  return { ...emptyProjectDocument, ...Object.fromEntries(entries) };
}

/** Saves the document after a pause, one save at a time, the newest state last. */
function documentSaver(
  { storage, notices }: ProjectStoreNeeds,
  document: () => ProjectDocument,
  report: (state: SaveState) => void,
  troubleSeen: () => ProjectState["trouble"],
): { soon(): void; now(): Promise<void> } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running: Promise<void> = Promise.resolve();
  let changes = 0;
  /** When the oldest change that is not saved was made. */
  let unsavedSinceMs: number | undefined;

  const save = async () => {
    const saved = changes;
    const trouble = storage.trouble() ?? troubleSeen();
    // It is told by itself, once.
    if (trouble !== undefined) return report({ failed: trouble.reason });
    try {
      await storage.saveDocument(jsonFromProjectDocument(document()));
      if (saved === changes) report("saved");
    } catch (error) {
      const failed = messageFromError(error);
      report({ failed });
      notices.getState().push({
        tone: "bad",
        text: `The project is not saved: ${failed}`,
        details: ["What you see is still here. Export the project, or make room and save again."],
        action: { label: "Save again", run: () => void now() },
      });
    }
  };
  const now = () => {
    clearTimeout(timer);
    timer = undefined;
    unsavedSinceMs = undefined;
    running = running.then(save);
    return running;
  };
  return {
    soon() {
      changes++;
      report("saving");
      clearTimeout(timer);
      unsavedSinceMs ??= performance.now();
      const leftMs = unsavedSinceMs + LONGEST_SAVE_DELAY_MS - performance.now();
      timer = setTimeout(() => void now(), Math.max(0, Math.min(SAVE_DELAY_MS, leftMs)));
    },
    now,
  };
}

interface ProjectActionNeeds {
  flush(): Promise<void>;
  refreshProjects(): Promise<void>;
  currentName(): string;
}

function projectActions({ services, storage, notices }: ProjectStoreNeeds, needs: ProjectActionNeeds) {
  const { catalog } = services;
  const report = (what: string, error: unknown) =>
    void notices.getState().push({ tone: "bad", text: `${what}: ${messageFromError(error)}` });
  return {
    async rename(name: string) {
      const trimmed = name.trim();
      if (trimmed === "") return;
      try {
        await catalog.rename(storage.id, trimmed);
        await needs.refreshProjects();
      } catch (error) {
        report("The project keeps its name", error);
      }
    },
    async createProject(name: string, document: ProjectDocument = emptyProjectDocument) {
      try {
        await needs.flush();
        const { id } = await catalog.create(name, jsonFromProjectDocument(document));
        await services.showProject(id);
      } catch (error) {
        report("No project was made", error);
      }
    },
    async openProject(projectId: string) {
      if (projectId === storage.id) return;
      try {
        await needs.flush();
        await services.showProject(projectId);
      } catch (error) {
        report("The project does not open", error);
      }
    },
    async duplicateProject() {
      try {
        await needs.flush();
        const { id } = await catalog.duplicate(storage.id, `${needs.currentName()} copy`);
        await services.showProject(id);
      } catch (error) {
        report("The project was not duplicated", error);
      }
    },
    async deleteProject() {
      try {
        await needs.flush();
        await services.deleteProjectLater(storage.id, needs.currentName());
      } catch (error) {
        report("The project was not deleted", error);
      }
    },
  };
}
