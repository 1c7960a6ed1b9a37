import type { MountRecord, OverlaySource } from "./mountRecord";
import { readyStatus, type MountStatus } from "./mountStatus";

type OverlayRecord = MountRecord & OverlaySource;

/** The layers of an overlay that are in the table, the upper one first. */
export function layerRecords(overlay: OverlaySource, records: readonly MountRecord[]): MountRecord[] {
  return [overlay.upper, overlay.lower].flatMap((id) => records.filter((record) => record.id === id));
}

/** Whether an overlay of these two would hold the mount `self`, itself or through other overlays. */
export function holdsItself(overlay: OverlaySource, self: string, records: readonly MountRecord[]): boolean {
  const seen = new Set<string>();
  const reaches = (id: string): boolean => {
    if (id === self) return true;
    const record = records.find((other) => other.id === id);
    if (record?.kind !== "overlay" || seen.has(id)) return false;
    seen.add(id);
    return reaches(record.upper) || reaches(record.lower);
  };
  return reaches(overlay.upper) || reaches(overlay.lower);
}

/** How it is with an overlay: a layer that is not there, or cannot be reached, costs its own files only. */
export function overlayStatus(
  overlay: OverlayRecord,
  records: readonly MountRecord[],
  statusOf: (record: MountRecord) => MountStatus,
): MountStatus {
  const layers = layerRecords(overlay, records).filter((layer) => layer.id !== overlay.id);
  const readOnlyReason = "An overlay is for reading only: write to one of its two mounts.";
  if (layers.length === 0 || holdsItself(overlay, overlay.id, records)) {
    return { state: "needs-source", readOnlyReason, error: "Its two mounts are gone: choose two others." };
  }
  const down = layers.filter((layer) => statusOf(layer).state !== "ready");
  const words = [
    ...(layers.length < 2 ? ["One of its two mounts was removed: the other one shows."] : []),
    ...down.map(({ prefix }) => `Without what ${prefix} cannot give now.`),
  ];
  const error = words.length === 0 ? {} : { error: words.join(" ") };
  return { ...readyStatus, readOnlyReason, ...error };
}
