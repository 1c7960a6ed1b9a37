import type { JsonObject } from "../base";
import type { ProjectStore } from "./projectStore";

export interface ProjectRecord {
  readonly id: string;
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** Milliseconds since 1970. */
  readonly updatedAt: number;
}

/** The projects of this browser. */
export interface ProjectCatalog {
  /** False when nothing outlives the tab: the browser refuses storage, and `reason` says how. */
  readonly kept: boolean;
  readonly reason?: string;
  /** Newest first. */
  list(): Promise<readonly ProjectRecord[]>;
  create(name: string, document?: JsonObject): Promise<ProjectRecord>;
  rename(id: string, name: string): Promise<void>;
  /** A copy of everything in it, sessions included. */
  duplicate(id: string, name: string): Promise<ProjectRecord>;
  delete(id: string): Promise<void>;
  /** @throws UnavailableError when there is no such project, or its data was cleared, or another tab blocks it */
  open(id: string): Promise<ProjectStore>;
  /** Called after every change of the list, other tabs' too. */
  subscribe(listener: () => void): () => void;
  close(): void;
}
