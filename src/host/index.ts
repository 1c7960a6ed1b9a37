/**
 * Where an agent without a root runs: a disk, and a shell on the same disk.
 *
 * - *host*: what runs commands; *embedded* is a simulated bash in a worker of the page, *WebContainer* a real Node.
 * - *host disk*: the project's disk at the host's root, which file tools and commands share.
 */
export { embeddedHost } from "./embedded/embeddedHost";
export {
  HOST_ROOT,
  HostError,
  type Host,
  type HostKind,
  type HostStatus,
  type ShellChunk,
  type ShellEnd,
  type ShellOptions,
  type ShellResult,
} from "./host";
export { holdHostLock } from "./hostLock";
export { localFileSystem } from "./localFileSystem";
export { isolatePage } from "./webcontainer/isolatePage";
export type { HostPreview } from "./webcontainer/previewList";
export { webcontainerHost } from "./webcontainer/webcontainerHost";
export { WEBCONTAINER_LICENCE } from "./webcontainer/webContainerLicence";
export { webContainerPage, type WebContainerPage } from "./webcontainer/webContainerPage";
