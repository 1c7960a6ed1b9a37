import type { EditableFileSystem } from "../fs";
import { HOST_ROOT, type Host, type HostStatus, type ShellOptions, type ShellResult } from "../host";

export interface ScriptedCommand {
  readonly command: string;
  readonly options: ShellOptions;
  /** Rooted at the host's root. */
  readonly disk: EditableFileSystem;
}

/** A host whose commands a test carries out; what it leaves out of the result is that of a command that went well. */
export function scriptedHost(
  disk: EditableFileSystem,
  run: (command: ScriptedCommand) => Promise<Partial<ShellResult>>,
): Host {
  let status: HostStatus = { state: "idle" };
  const listeners = new Set<(status: HostStatus) => void>();
  const show = (next: HostStatus) => {
    status = next;
    for (const listener of listeners) listener(next);
  };
  return {
    kind: "embedded",
    caps: { realNode: false, splitStderr: true, streaming: true, needsNetwork: false, preview: false },
    root: HOST_ROOT,
    disk,
    status: () => status,
    onStatus(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    boot: async () => show({ state: "ready" }),
    async shell(command, options = {}) {
      show({ state: "ready" });
      options.onStart?.();
      return { stdout: "", stderr: "", exitCode: 0, end: "exit", ...(await run({ command, options, disk })) };
    },
    flush: () => Promise.resolve(),
    dispose: async () => show({ state: "disposed" }),
  };
}
