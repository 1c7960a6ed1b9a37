import type { SessionOfProject } from "../trajectory";
import { messageFromError } from "./messageFromError";
import type { Notice } from "./noticeStore";
import { projectDocumentFromState } from "./projectStore";
import { shownWork } from "./shownWork";
import type { WorkbenchCore } from "./workbenchCore";

/** A project as a file, out and in. Failures are told as notices. */
export interface ProjectFileActions {
  /** The open project with all its files and sessions as one zip. */
  readonly exportProject: () => Promise<{ readonly name: string; readonly contents: Blob } | undefined>;
  /** Makes a project of a zip and shows it. Nothing of it runs. */
  readonly importProject: (file: { readonly name: string; readonly contents: Blob }) => Promise<void>;
}

export function projectFileActions(
  { services, storage, notices, project, mounts }: WorkbenchCore,
  openSession: () => SessionOfProject | undefined,
): ProjectFileActions {
  const report = (text: string, error: unknown) =>
    void notices.getState().push({ tone: "bad", text: `${text}: ${messageFromError(error)}` });
  return {
    async exportProject() {
      const work = shownWork(notices, "Exporting the project…");
      try {
        await project.getState().flush();
        const { exportedProject } = await import("./projectFiles");
        const { name } = project.getState();
        const document = projectDocumentFromState(project.getState());
        const { treesByMount, trees: drawn } = mounts.getState();
        // Where the storage is gone, what was last drawn is the last there is.
        const trees = await treesByMount().catch(() => drawn);
        const open = openSession();
        const { contents, losses } = await exportedProject({
          name,
          document,
          storage,
          trees,
          ...(open && { openSession: open }),
          work: {
            signal: work.signal,
            progress: (done, total) => work.progress(`Exporting the project: ${countWords(done, total)}`),
          },
        });
        if (losses.length > 0) notices.getState().push(lossNotice(losses));
        return { name: `${fileName(name)}.zip`, contents };
      } catch (error) {
        if (!work.signal.aborted) report("The project was not exported", error);
        return undefined;
      } finally {
        work.end();
      }
    },
    async importProject({ name, contents }) {
      const work = shownWork(notices, `Importing ${name}…`);
      try {
        const { importedProject } = await import("./projectFiles");
        const imported = await importedProject(services.catalog, contents, services.clock, {
          signal: work.signal,
          progress: (done, total) => work.progress(`Importing ${name}: ${countWords(done, total)}`),
        });
        await services.showProject(imported.id, {
          tone: imported.losses.length > 0 ? "warn" : "good",
          text: `“${imported.name}” comes from the file ${name}. Nothing of it has run.`,
          details: imported.losses,
        });
      } catch (error) {
        if (!work.signal.aborted) report(`${name} was not imported`, error);
      } finally {
        work.end();
      }
    },
  };
}

function lossNotice(losses: readonly string[]): Omit<Notice, "id"> {
  return { tone: "warn", text: "The exported file holds all that could be read. Not in it:", details: losses };
}

function countWords(done: number, total = done): string {
  return `${done.toLocaleString("en")} of ${total.toLocaleString("en")} files and values`;
}

function fileName(name: string): string {
  return name.replaceAll(/[^\p{L}\p{N}._ -]+/gu, "-").trim() || "project";
}
