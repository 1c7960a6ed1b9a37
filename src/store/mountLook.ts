import type { RecordedMount } from "../session";
import type { MountView } from "./mountView";

/** A mount as a session's views name it: where it stands, and its colour. */
export type MountLook = Pick<MountView, "prefix" | "readOnly" | "color">;

const COLORS = 8;

/** The mounts a session recorded, in the colours the project's mounts have there now, or else in the order of the table. */
export function mountLooks(recorded: readonly RecordedMount[], current: readonly MountLook[]): readonly MountLook[] {
  return recorded.map(({ prefix, readOnly }, index) => ({
    prefix,
    readOnly,
    color: current.find((mount) => mount.prefix === prefix)?.color ?? (index % COLORS) + 1,
  }));
}
