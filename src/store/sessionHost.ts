import type { FileSystem, FileToWrite } from "../fs";
import type { Host } from "../host";

/** What an agent on the host gets beside the host's disk. */
export interface SessionHost {
  readonly shell: Host["shell"];
  /** Makes a directory of the disk with those above it; nothing happens where it is there. @throws PathError */
  makeDirectory(path: string): Promise<void>;
  /** Writes files that come from other mounts; nobody has written them here. @throws PathError */
  putFiles(files: readonly FileToWrite[]): Promise<void>;
  /** Every mount: skills are taken from all of them. */
  readonly mounts: FileSystem;
}
