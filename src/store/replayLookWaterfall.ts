import { targetOf, type OutlineNode } from "./replayLookOutline";

/** A line of the waterfall: a session of its own as a lane, or something in one that took time. */
export interface WaterfallRow {
  readonly id: string;
  readonly kind: "lane" | "turn" | "step" | "call" | "mark";
  readonly depth: number;
  readonly label: string;
  readonly about: string;
  readonly isFailed: boolean;
  /** On the scale. */
  readonly start: number;
  readonly length: number;
  /** Absent where the recording tells no time. */
  readonly durationMs?: number;
  readonly index: number;
  /** The event to go to for it. */
  readonly target: number;
  readonly sessionId?: string;
}

export interface Waterfall {
  readonly rows: readonly WaterfallRow[];
  /** Length of the scale: milliseconds, or events where times are missing. */
  readonly span: number;
  readonly isByOrder: boolean;
  readonly lanes: number;
  /** Milliseconds since 1970 at the left end of the scale; absent where times are missing. */
  readonly originMs?: number;
}

/** The time of the replay, which the scale shares: what it counts from, and how long it is. */
interface WaterfallClock {
  /** Milliseconds since 1970 of the first event that tells its time. */
  readonly startMs?: number | undefined;
  readonly totalMs: number;
}

/**
 * Everything that took time, over the time it took; where a recording tells no times, over the order of events. Subagents
 * are lanes of their own below the calls they work for.
 */
export function waterfall(nodes: readonly OutlineNode[], clock: WaterfallClock): Waterfall {
  const shown = nodes.filter(({ kind }) => kind in KINDS);
  const timed = shown.filter(({ kind, startMs }) => kind !== "subagent" && startMs !== undefined);
  const isByOrder = timed.length === 0;
  const origin = timed.reduce((first, { startMs = 0 }) => Math.min(first, startMs), clock.startMs ?? Infinity);
  const lanes = laneEnds(shown);
  // What tells no time stands where the line before it does.
  let last = 0;
  const rows = shown.map((node): WaterfallRow => {
    const lane = lanes.get(node.id);
    const own = isByOrder
      ? { start: node.index, length: Math.max(1, node.endIndex - node.index) }
      : timeSpan({ ...node, ...lane }, origin, last);
    last = own.start;
    return {
      id: node.id,
      kind: KINDS[node.kind] ?? "mark",
      depth: node.level - 1,
      label: node.label,
      about: node.about,
      isFailed: node.isFailed,
      index: node.index,
      target: targetOf(node),
      ...own,
      ...(node.sessionId === undefined ? {} : { sessionId: node.sessionId }),
    };
  });
  const least = isByOrder ? 1 : Math.max(1, clock.totalMs);
  const span = rows.reduce((end, { start, length }) => Math.max(end, start + length), least);
  return { rows, span, isByOrder, lanes: lanes.size, ...(isByOrder ? {} : { originMs: origin }) };
}

const KINDS: { readonly [kind in OutlineNode["kind"]]?: WaterfallRow["kind"] } = {
  turn: "turn",
  step: "step",
  call: "call",
  subagent: "lane",
  compaction: "mark",
  interruption: "mark",
};

/** A subagent lasts from the first to the last thing in it. */
function laneEnds(nodes: readonly OutlineNode[]): ReadonlyMap<string, Pick<OutlineNode, "startMs" | "endMs">> {
  const lanes = new Map<string, { startMs?: number; endMs?: number }>();
  let lane: { startMs?: number; endMs?: number } | undefined;
  let level = 0;
  for (const node of nodes) {
    if (node.kind === "subagent") {
      lane = {};
      level = node.level;
      lanes.set(node.id, lane);
    } else if (lane !== undefined && node.level > level && node.startMs !== undefined) {
      lane.startMs = Math.min(lane.startMs ?? Infinity, node.startMs);
      lane.endMs = Math.max(lane.endMs ?? 0, node.endMs ?? node.startMs);
    } else if (node.level <= level) lane = undefined;
  }
  return lanes;
}

function timeSpan({ startMs, endMs, durationMs }: OutlineNode, origin: number, last: number) {
  if (startMs === undefined) return { start: last, length: 0 };
  const length = Math.max(0, (endMs ?? startMs) - startMs);
  // Begun and ended with one event, or with two of one time: how long it took is not known by that.
  const knownMs = durationMs ?? (length > 0 ? length : undefined);
  return { start: startMs - origin, length, ...(knownMs === undefined ? {} : { durationMs: knownMs }) };
}

/** Marks on the scale, at most. */
const MAX_TICKS = 4;

/** Round figures within a span: 1, 2 or 5 of a power of ten apart. */
export function axisTicks(span: number): readonly number[] {
  const rough = span / MAX_TICKS;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= rough) ?? rough;
  return Array.from({ length: Math.floor(span / step) + 1 }, (_, at) => at * step);
}
