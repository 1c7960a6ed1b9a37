import { diffTrees, isUnder, SnapshotTree, snapshotOf } from "../fs";
import { HOST_ROOT } from "../host";
import type { ReexecutionShell } from "../trajectory";
import { temporaryHost, type TemporaryHost } from "./temporaryHost";
import type { WorkbenchCore } from "./workbenchCore";

/** A shell for commands that only read, on a copy of one directory of the tree. */
export interface ReadingShell {
  readonly run: ReexecutionShell;
  /** Ends the host and deletes the copy. Never throws. */
  close(): Promise<void>;
}

/**
 * Runs recorded commands on the in-page host, over a temporary disk that holds what the tree holds below `directory` when the
 * command runs. Paths are told as the recording has them. Commands that name what lies elsewhere are refused, with the reason.
 */
export function readingShell(
  core: Pick<WorkbenchCore, "services" | "storage" | "project">,
  directory: string,
): ReadingShell {
  let opened: Promise<TemporaryHost> | undefined;
  let onDisk = SnapshotTree.empty;
  return {
    async run(command, tree, { cwd, signal }) {
      const placed = commandOnHost(command, directory);
      if (cwd !== directory && !isUnder(cwd, directory)) throw new Error(`${cwd} lies outside of ${directory}.`);
      const now = (await snapshotOf(tree)).subtree(directory);
      // The first command pays for the copy; where none runs there is none.
      opened ??= temporaryHost(core, "reexecute", SnapshotTree.empty);
      const { host, disk } = await opened;
      const changed = diffTrees(onDisk, now);
      for (const { path, after } of changed) if (after === undefined) await disk.delete(path);
      const current = now;
      await disk.writeMany(
        (async function* () {
          for (const { path, after } of changed) {
            const file = after === undefined ? undefined : current.file(path);
            if (file !== undefined) yield [path, await file.bytes()] as const;
          }
        })(),
      );
      onDisk = now;
      const inside = onHost(cwd, directory);
      const { stdout, stderr, exitCode } = await host.shell(placed, { cwd: inside, signal, readOnly: true });
      return { stdout: fromHost(stdout, directory), stderr: fromHost(stderr, directory), exitCode };
    },
    close: async () => {
      await (await opened?.catch(() => undefined))?.close();
    },
  };
}

function onHost(path: string, directory: string): string {
  if (path === directory) return HOST_ROOT;
  return `${HOST_ROOT}${directory === "/" ? path : path.slice(directory.length)}`;
}

function fromHost(text: string, directory: string): string {
  if (directory === HOST_ROOT) return text;
  const root = directory === "/" ? "" : directory;
  return text.replaceAll(`${HOST_ROOT}/`, () => `${root}/`).replaceAll(HOST_ROOT, () => directory);
}

const ABSOLUTE_PATH = /(?<=^|[\s'"=:;|&])\/[^\s'";|&]*/g;

/** The command with its absolute paths on the host's disk. @throws Error in words where one lies elsewhere */
export function commandOnHost(command: string, directory: string): string {
  if (/(?:^|[\s'"/])\.\.(?:[/\s'"]|$)/.test(command) || /(?:^|[\s'"])~/.test(command))
    throw new Error(`the command names what may lie outside of ${directory}`);
  return command.replaceAll(ABSOLUTE_PATH, (path, offset: number) => {
    // A pattern between slashes, as `sed` has them, is no path; neither is what errors are thrown away to.
    if (path === "/dev/null" || isPattern(command, offset)) return path;
    const plain = path.length > 1 ? path.replace(/\/$/, "") : path;
    if (plain !== directory && !isUnder(plain, directory)) throw new Error(`${path} lies outside of ${directory}`);
    return onHost(plain, directory) + (plain === path ? "" : "/");
  });
}

/** Whether what stands here is a quoted pattern such as `'/start/,/end/p'` or `'/api/'`, and no file somebody names. */
function isPattern(command: string, offset: number): boolean {
  const quote = command.charAt(offset - 1);
  if (quote !== "'" && quote !== '"') return false;
  const inner = command.slice(offset, command.indexOf(quote, offset));
  return /^\/[^/]+\/(?:[,pdg].*)?$/.test(inner);
}
