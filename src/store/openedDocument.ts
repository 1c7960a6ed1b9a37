import { DamagedRecordError } from "../fs";
import type { ProjectStore } from "../storage";
import { emptyProjectDocument, projectDocumentFromJson, type ProjectDocument } from "./projectDocument";

/** As many colours as the theme has for mounts. */
const COLORS = 8;

export interface OpenedDocument {
  readonly document: ProjectDocument;
  /** Why it is not the one that was saved, in words for a person. */
  readonly damage?: string;
}

/**
 * The project's settings; of a project whose settings are damaged, those of an empty one, with every disk it has mounted
 * under its own name.
 */
export async function openedDocument(storage: ProjectStore): Promise<OpenedDocument> {
  try {
    return { document: projectDocumentFromJson(await storage.loadDocument()) };
  } catch (error) {
    if (!(error instanceof DamagedRecordError)) throw error;
    const disks = await storage.diskIds();
    const mounts = disks.map((disk, index) => ({
      id: `mount_${index + 1}`,
      prefix: `/${disk}`,
      kind: "idb" as const,
      readOnly: false,
      color: (index % COLORS) + 1,
      disk,
    }));
    return { document: { ...emptyProjectDocument, mounts }, damage: error.reason ?? error.message };
  }
}
