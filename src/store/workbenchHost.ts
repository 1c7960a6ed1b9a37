import { createStore, type StoreApi } from "zustand/vanilla";
import { limits } from "../base";
import type { ProjectRecord } from "../storage";
import { messageFromError } from "./messageFromError";
import type { Notice } from "./noticeStore";
import { emptyProjectDocument, jsonFromProjectDocument, type ProjectDocument } from "./projectDocument";
import { createWorkbench, type Workbench } from "./workbench";
import type { WorkbenchServices } from "./workbenchServices";

/** Which workbench is shown. */
export interface HostState {
  readonly workbench: Workbench | undefined;
  /** Why no project opens. */
  readonly failure: string | undefined;
}

export interface WorkbenchHost {
  readonly state: StoreApi<HostState>;
  /** Shows the project shown last, or the newest, or on the first visit the sample. Failures show as `failure`. */
  begin(): Promise<void>;
}

export interface HostNeeds {
  readonly services: Omit<WorkbenchServices, "listProjects" | "showProject" | "deleteProjectLater">;
  /** Small things remembered for this browser; they may be lost. */
  readonly memory: { get(key: string): string | undefined; set(key: string, value: string): void };
  /** What a first visit shows, loaded when it is wanted. @throws when it cannot be loaded */
  sample(): Promise<SampleProject>;
}

/** On a first visit its draft runs by itself, and `nextPrompt` then waits in the box. */
export interface SampleProject {
  readonly name: string;
  readonly document: ProjectDocument;
  readonly nextPrompt: string;
}

const LAST_PROJECT = "last-project";
const VISITED = "visited";

const CLEARED: Omit<Notice, "id"> = {
  tone: "warn",
  text: "The browser's storage for this page was cleared, and the projects kept in it are gone. This is the sample.",
  details: ["A project that was exported can be imported from the project menu."],
};

export function createWorkbenchHost(needs: HostNeeds): WorkbenchHost {
  const { services: base, memory } = needs;
  const state = createStore<HostState>()(() => ({ workbench: undefined, failure: undefined }));
  const leaving = new Set<string>();
  const listProjects = async () => (await base.catalog.list()).filter((project) => !leaving.has(project.id));

  const showProject: WorkbenchServices["showProject"] = async (projectId, notice) => {
    const next = await createWorkbench(services, projectId);
    const before = state.getState().workbench;
    memory.set(LAST_PROJECT, projectId);
    state.setState({ workbench: next, failure: undefined });
    if (notice) next.notices.getState().push(notice);
    await before?.dispose();
  };
  const deleteProjectLater = async (projectId: string, name: string) => {
    leaving.add(projectId);
    const [next = await base.catalog.create("New project", jsonFromProjectDocument(emptyProjectDocument))] =
      await listProjects();
    await showProject(next.id, {
      tone: "info",
      text: `Deleted the project “${name}”`,
      timeoutMs: limits.undoMs,
      action: { label: "Undo", run: () => undo() },
    });
    const timer = setTimeout(() => {
      leaving.delete(projectId);
      base.catalog.delete(projectId).catch((error: unknown) => {
        state
          .getState()
          .workbench?.notices.getState()
          .push({
            tone: "bad",
            text: `“${name}” was not deleted: ${messageFromError(error)}`,
          });
      });
    }, limits.undoMs + 1_000);
    const undo = () => {
      clearTimeout(timer);
      leaving.delete(projectId);
      void showProject(projectId);
    };
  };
  const services: WorkbenchServices = { ...base, listProjects, showProject, deleteProjectLater };

  return {
    state,
    async begin() {
      try {
        const projects = await listProjects();
        const last = memory.get(LAST_PROJECT);
        // Deleting the last project makes another: none at all means that the browser has dropped them.
        const isCleared = projects.length === 0 && last !== undefined && base.catalog.kept;
        await showFirstThatOpens(inOrder(projects, last), isCleared ? CLEARED : undefined);
        memory.set(VISITED, "yes");
      } catch (error) {
        state.setState({ failure: messageFromError(error) });
      }
    },
  };

  /** One that does not open is said, and keeps nobody from the others; when none does, there is the sample. */
  async function showFirstThatOpens(projects: readonly ProjectRecord[], notice?: Omit<Notice, "id">): Promise<void> {
    const problems: string[] = [];
    for (const { id, name } of projects) {
      try {
        return await showProject(id, problems.length > 0 ? closedNotice(problems) : notice);
      } catch (error) {
        problems.push(`“${name}” does not open: ${messageFromError(error)}`);
      }
    }
    const { id } = await firstProject();
    await showProject(id, problems.length > 0 ? closedNotice(problems) : notice);
  }

  async function firstProject(): Promise<ProjectRecord> {
    const isFirstVisit = memory.get(VISITED) === undefined;
    const sample = await needs.sample();
    const document: ProjectDocument = isFirstVisit
      ? { ...sample.document, runsItself: sample.document.draft, draft: sample.nextPrompt }
      : sample.document;
    return base.catalog.create(sample.name, jsonFromProjectDocument(document));
  }
}

/** The project shown last before the others. */
function inOrder(projects: readonly ProjectRecord[], last: string | undefined): ProjectRecord[] {
  return [...projects.filter((project) => project.id === last), ...projects.filter((project) => project.id !== last)];
}

function closedNotice([text = "", ...details]: readonly string[]): Omit<Notice, "id"> {
  return { tone: "bad", text, details };
}
