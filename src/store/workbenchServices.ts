import type { Clock } from "../base";
import type { IdbFileSystem, ProjectDatabase, TreeEngine } from "../fs";
import type { Host, HostKind } from "../host";
import type { SignInWindow } from "../mcp";
import type { LanguageModelV4, ModelSettings } from "../model";
import type { Keyring } from "../secrets";
import type { Notice } from "./noticeStore";
import type { ProjectCatalog, ProjectRecord } from "../storage";

/** Where a host works: what the page has open of it. */
export interface HostPlace {
  readonly database: ProjectDatabase;
  readonly diskName: string;
  readonly disk: IdbFileSystem;
}

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
  /** What runs the commands of a project's host, on its disk. Absent where there is no host. @throws when it cannot be loaded */
  readonly createHost?: (kind: HostKind, place: HostPlace) => Promise<Host>;
  /** Opens the window for a sign-in; called right in a click. `undefined` where the browser does not allow it. */
  readonly openSignInWindow?: () => SignInWindow | undefined;
  /** Calls back before the next paint, or soon when the tab is hidden. */
  scheduleFrame(callback: () => void): void;
  /** The projects a person can choose, newest first; one about to be deleted is left out. */
  listProjects(): Promise<readonly ProjectRecord[]>;
  /** Shows another project: this workbench is let go and one is made for `projectId`, with something to say there. */
  showProject(projectId: string, notice?: Omit<Notice, "id">): Promise<void>;
  /** Shows another project, offers to undo, and deletes this one when the offer is gone. */
  deleteProjectLater(projectId: string, name: string): Promise<void>;
}
