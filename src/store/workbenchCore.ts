import type { ProjectStore } from "../storage";
import type { ConnectionsStore } from "./connectionsState";
import type { MountsStore } from "./mountsStore";
import type { NoticeStore } from "./noticeStore";
import type { ProjectHost } from "./projectHost";
import type { ProjectStateStore } from "./projectStore";
import type { WorkbenchServices } from "./workbenchServices";

/** What every store of one open project may lean on. */
export interface WorkbenchCore {
  readonly services: WorkbenchServices;
  /** The open project's records. */
  readonly storage: ProjectStore;
  readonly notices: NoticeStore;
  readonly project: ProjectStateStore;
  readonly mounts: MountsStore;
  readonly connections: ConnectionsStore;
  /** The project's host, loaded when it is first asked for; the same to whoever asks. Asking makes nothing ready. */
  host(): Promise<ProjectHost>;
  /** Puts what is being typed into the agent, its instructions and files where a run finds it; nothing to wait for, when all is. */
  readonly saveTyped?: () => Promise<void> | undefined;
}
