/** Marks that are told apart on a narrow screen; of more, each stands for all in its part of the line. */
const TOLD_APART = 125;
const LINE_UNITS = 1_000;
export const MARK_UNITS = 5;

/**
 * The marks of events on a line of a thousand units, as the path of an SVG. Where there are more than can be told apart
 * each part of the line has one mark, the taller the more of them lie in it.
 */
export function timelineMarks(indexes: readonly number[], count: number): string {
  const places = indexes.map((index) => ((index + 1) / Math.max(1, count)) * LINE_UNITS);
  const distinct = new Set(places.map((place) => place.toFixed(1)));
  if (distinct.size <= TOLD_APART) return [...distinct].map((place) => `M${place} 0v${MARK_UNITS}`).join("");
  const width = LINE_UNITS / TOLD_APART;
  const parts = new Map<number, number>();
  for (const place of places) {
    const part = Math.min(TOLD_APART - 1, Math.floor(place / width));
    parts.set(part, (parts.get(part) ?? 0) + 1);
  }
  const most = [...parts.values()].reduce((a, b) => Math.max(a, b), 1);
  const mark = ([part, marks]: readonly [number, number]) =>
    `M${(part + 0.5) * width} 0v${Math.max(1, Math.round((marks / most) * MARK_UNITS))}`;
  return [...parts].map(mark).join("");
}
