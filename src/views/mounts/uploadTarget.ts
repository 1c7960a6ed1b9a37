import type { Workbench } from "../../store";

type MountsState = ReturnType<Workbench["mounts"]["getState"]>;

/** The directory that new entries and uploads go to: the selected one, or else the first mount that takes writes. */
export function uploadTarget(
  state: Pick<MountsState, "mounts" | "selected" | "snapshot" | "mountOf">,
): string | undefined {
  const { mounts, selected, snapshot, mountOf } = state;
  if (selected !== undefined && mountOf(selected)?.readOnly === false) {
    const entry = snapshot.entry(selected);
    // A mount that has just joined may not be drawn yet.
    if (entry?.kind === "directory" || mounts.some(({ prefix }) => prefix === selected)) return selected;
    if (entry?.kind === "file") return selected.slice(0, selected.lastIndexOf("/")) || "/";
  }
  return mounts.find((mount) => !mount.readOnly)?.prefix;
}
