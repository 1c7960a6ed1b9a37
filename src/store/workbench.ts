import type { Clock } from "../base";
import type { TreeEngine } from "../fs";
import type { LanguageModelV4, ModelSettings } from "../model";
import type { Keyring } from "../secrets";
import type { ProjectCatalog, ProjectStore } from "../storage";
import { createEditorStore, type EditorStore } from "./editorStore";
import { createMountsStore, type MountsStore } from "./mountsStore";
import { createNoticeStore, type NoticeStore } from "./noticeStore";
import { createProjectStore, type ProjectStateStore } from "./projectStore";

/** What the stores need of the world; built once, in the composition root. */
export interface WorkbenchServices {
  readonly catalog: ProjectCatalog;
  readonly engine: TreeEngine;
  readonly keyring: Keyring;
  readonly clock: Clock;
  /** A fresh seed for a run's ids and choices. */
  randomSeed(): string;
  /** @throws when the settings name a provider that cannot be loaded. */
  createModel(settings: ModelSettings): Promise<LanguageModelV4>;
  /** Calls back before the next paint, or soon when the tab is hidden. */
  scheduleFrame(callback: () => void): void;
  /** Shows another project: the root lets this workbench go and makes one for `projectId`. */
  showProject(projectId: string): Promise<void>;
}

/** What every store of one open project may lean on. */
export interface WorkbenchCore {
  readonly services: WorkbenchServices;
  /** The open project's records. */
  readonly storage: ProjectStore;
  readonly notices: NoticeStore;
  readonly project: ProjectStateStore;
  readonly mounts: MountsStore;
}

/** One open project with all its stores. Another project is another workbench. */
export interface Workbench extends WorkbenchCore {
  readonly editor: EditorStore;
  /** Writes what is unsaved and lets the project's records go. */
  dispose(): Promise<void>;
}

/** @throws UnavailableError when the project's records cannot be opened. */
export async function createWorkbench(services: WorkbenchServices, projectId: string): Promise<Workbench> {
  const storage = await services.catalog.open(projectId);
  const notices = createNoticeStore();
  const project = await createProjectStore({ services, storage, notices });
  const mounts = await createMountsStore({ services, storage, notices, project });
  const core: WorkbenchCore = { services, storage, notices, project, mounts };
  const editor = createEditorStore(core);
  return {
    ...core,
    editor,
    async dispose() {
      await editor.getState().saveAll();
      mounts.getState().dispose();
      await project.getState().flush();
      storage.close();
    },
  };
}
