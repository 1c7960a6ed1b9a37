import type { Workbench } from "../../store";

type MountsState = ReturnType<Workbench["mounts"]["getState"]>;

/** The directory that new entries and uploads go to: where the selection is, or else the first mount that takes writes. */
export function uploadTarget(
  state: Pick<MountsState, "mounts" | "selected" | "snapshot" | "mountOf">,
): string | undefined {
  const { mounts, selected = "", snapshot, mountOf } = state;
  const mount = selected === "" ? undefined : mountOf(selected);
  if (mount?.readOnly !== false) return mounts.find((other) => !other.readOnly)?.prefix;
  // What is selected may be a file, or gone, or not yet drawn: the nearest directory of its mount stands for it.
  for (let path = selected; path.length > mount.prefix.length; path = path.slice(0, path.lastIndexOf("/"))) {
    if (snapshot.entry(path)?.kind === "directory") return path;
  }
  return mount.prefix;
}
