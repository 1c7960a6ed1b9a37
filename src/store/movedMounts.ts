import { isFilledRecord, type MountRecord } from "./mountRecord";

type OverlayRecord = Extract<MountRecord, { kind: "overlay" }>;

/** Where another table has other mounts, or mounts with other files in them: overlays of such mounts too. */
export function movedPrefixes(before: readonly MountRecord[], after: readonly MountRecord[]): string[] {
  const moved = differing(before, after, (record) => {
    const { color: _color, ...place } = record;
    return JSON.stringify(place);
  });
  const ids = new Set(moved.map(({ id }) => id));
  const overlaid = after.filter((record) => !ids.has(record.id) && isLaidOf(record, ids, after));
  return [...new Set([...moved, ...overlaid].map(({ prefix }) => prefix))];
}

/**
 * Overlays that hold other files because one of their mounts came, went or was filled for the first time: what they held
 * before is nothing to compare with.
 */
export function overlaysBegunAnew(before: readonly MountRecord[], after: readonly MountRecord[]): string[] {
  const layers = differing(before, after, (record) => {
    const layersOf = record.kind === "overlay" ? [record.upper, record.lower] : [];
    return [record.id, isFilledRecord(record) && record.filledAt === undefined, ...layersOf].join("\n");
  });
  const ids = new Set(layers.map(({ id }) => id));
  return after.filter((record) => record.kind === "overlay" && isLaidOf(record, ids, after)).map(({ id }) => id);
}

/** The records of either table that the other has not. */
function differing(
  before: readonly MountRecord[],
  after: readonly MountRecord[],
  lineOf: (record: MountRecord) => string,
): MountRecord[] {
  const [lines, nextLines] = [new Set(before.map(lineOf)), new Set(after.map(lineOf))];
  return [
    ...before.filter((record) => !nextLines.has(lineOf(record))),
    ...after.filter((record) => !lines.has(lineOf(record))),
  ];
}

/** Whether a mount, or what it is laid of, is one of these. */
function isLaidOf(record: MountRecord, ids: ReadonlySet<string>, records: readonly MountRecord[]): boolean {
  const seen = new Set<string>();
  const reaches = (id: string): boolean => {
    if (ids.has(id)) return true;
    if (seen.has(id)) return false;
    seen.add(id);
    const layer = records.find((other): other is OverlayRecord => other.id === id && other.kind === "overlay");
    return layer !== undefined && (reaches(layer.upper) || reaches(layer.lower));
  };
  return reaches(record.id);
}
