/**
 * The state of the open project, in stores that know no screen.
 *
 * - *workbench*: the stores of one open project, made together.
 * - *project document*: what a project keeps of its agent, mounts, comparison and screen, as one JSON record.
 * - *mount*: a tree of the project at a prefix of the one merged tree.
 * - *changed*: different from the merged tree as it was when the last run began.
 * - *document*: what a tab of the editor shows: a file, the instructions, the agent definition.
 */
export { createWorkbench, type Workbench, type WorkbenchCore, type WorkbenchServices } from "./workbench";
export { createNoticeStore, type Notice, type NoticeState, type NoticeStore, type NoticeTone } from "./noticeStore";
