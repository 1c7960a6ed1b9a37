import { traceMessageKey } from "./traceMessage";
import { hasUsage, spanKey, type TraceSpan } from "./traceSpan";

/** The spans of one session, in the order of time. */
export interface PlannedSession {
  readonly key: string;
  readonly spans: readonly TraceSpan[];
  /** The session it works for, and the call it answers. */
  readonly parent: { readonly key: string; readonly callSpan: TraceSpan | undefined } | undefined;
  readonly agent: TraceSpan | undefined;
}

export interface TracePlan {
  readonly sessions: readonly PlannedSession[];
  /** Spans around a span, from within. */
  ancestors(span: TraceSpan): readonly TraceSpan[];
  /** Spans that are a response of a model each: not those around one, and not a second recording of one. */
  isResponse(span: TraceSpan): boolean;
}

/** Sorts spans into sessions: one for each conversation they say they are of, else for each trace; subagents apart. */
export function tracePlan(spans: readonly TraceSpan[]): TracePlan {
  const tree = new SpanTree(spans);
  const responses = responsesOf(spans, tree);
  const kept = spans.flatMap((span) => {
    if (span.kind !== "model") return [span];
    const response = responses.get(spanKey(span));
    return response === undefined ? [] : [response];
  });
  const sessions = new Map<
    string,
    { spans: TraceSpan[]; parent: PlannedSession["parent"]; agent: TraceSpan | undefined }
  >();
  const open = (agent: TraceSpan | undefined, conversation: string): string => {
    const key = agent === undefined ? conversation : `${conversation}/${agent.id}`;
    if (sessions.has(key)) return key;
    const planned = { spans: [], parent: undefined as PlannedSession["parent"], agent };
    sessions.set(key, planned);
    if (agent !== undefined) {
      const around = tree.ancestors(agent);
      const outer = around.find((each) => tree.isSubagent(each));
      const callSpan = agent.kind === "tool" ? agent : around.find(({ kind }) => kind === "tool");
      planned.parent = { key: open(outer, conversation), callSpan };
    }
    return key;
  };
  const conversations = conversationsOf(spans, tree);
  for (const span of inTime(kept)) {
    const conversation = conversations.get(span) ?? conversations.get(span.traceId) ?? span.traceId;
    // A call that is a subagent is its parent's; what is within it is the subagent's.
    const isOwn = span.kind === "agent" && tree.isSubagent(span);
    const agent = isOwn ? span : tree.ancestors(span).find((each) => tree.isSubagent(each));
    sessions.get(open(agent, conversation))?.spans.push(span);
  }
  return {
    sessions: [...sessions].map(([key, planned]) => ({ key, ...planned })),
    ancestors: (span) => tree.ancestors(span),
    isResponse: (span) => responses.has(spanKey(span)),
  };
}

class SpanTree {
  readonly #byId: ReadonlyMap<string, TraceSpan>;
  readonly #ancestors = new Map<string, readonly TraceSpan[]>();
  readonly #subagents = new Map<string, boolean>();

  constructor(spans: readonly TraceSpan[]) {
    this.#byId = new Map(spans.map((span) => [spanKey(span), span]));
  }

  /** A ring of parents ends where it began. */
  ancestors(span: TraceSpan): readonly TraceSpan[] {
    const known = this.#ancestors.get(spanKey(span));
    if (known !== undefined) return known;
    const found: TraceSpan[] = [];
    const passed = new Set([span.id]);
    for (let id = span.parentId; id !== undefined && !passed.has(id);) {
      passed.add(id);
      const parent = this.#byId.get(spanKey({ traceId: span.traceId, id }));
      if (parent === undefined) break;
      found.push(parent);
      id = parent.parentId;
    }
    this.#ancestors.set(spanKey(span), found);
    return found;
  }

  /** An agent is a subagent's when a tool called it, or another agent, which has another name. */
  isSubagent(span: TraceSpan): boolean {
    if (span.name === "agent_sdk.subagent") return true;
    if (span.kind !== "agent") return false;
    const known = this.#subagents.get(spanKey(span));
    if (known !== undefined) return known;
    const around = this.ancestors(span);
    const agents = around.filter(({ kind }) => kind === "agent");
    const isSubagent =
      around.some(({ kind }) => kind === "tool") ||
      (span.agentName !== undefined &&
        agents.some(({ agentName }) => agentName !== undefined && agentName !== span.agentName));
    this.#subagents.set(spanKey(span), isSubagent);
    return isSubagent;
  }
}

/** The conversation of each span by what it or one around it says; and of each trace, by what any span of it says. */
function conversationsOf(spans: readonly TraceSpan[], tree: SpanTree): Map<TraceSpan | string, string> {
  const found = new Map<TraceSpan | string, string>();
  for (const span of spans) {
    const said = [span, ...tree.ancestors(span)].map(({ conversation }) => conversation).find(Boolean);
    if (said === undefined) continue;
    found.set(span, said);
    if (!found.has(span.traceId)) found.set(span.traceId, said);
  }
  return found;
}

/** In the order they began; one that does not say when stays behind the one before it in the file. */
function inTime(spans: readonly TraceSpan[]): TraceSpan[] {
  let last = 0;
  const timed = spans.map((span) => {
    last = span.startMs ?? last;
    return { span, at: last };
  });
  return timed.toSorted((a, b) => a.at - b.at).map(({ span }) => span);
}

/** The responses by the id of their span, each with what a second recording of it adds. */
function responsesOf(spans: readonly TraceSpan[], tree: SpanTree): Map<string, TraceSpan> {
  const models = inTime(spans.filter(({ kind }) => kind === "model"));
  const around = new Set(models.flatMap((span) => tree.ancestors(span).filter(({ kind }) => kind === "model")));
  const kept: TraceSpan[] = [];
  for (const span of models) {
    if (around.has(span)) continue;
    const index = kept.findLastIndex((each) => isSameResponse(each, span));
    const other = kept[index];
    if (other === undefined) kept.push(span);
    else kept[index] = merged(other, span);
  }
  // What an outer span has and the last response within it lacks is that one's.
  for (const outer of around) {
    const index = kept.findLastIndex((span) => tree.ancestors(span).includes(outer));
    const last = kept[index];
    if (last !== undefined && last.output.length === 0) kept[index] = { ...last, output: outer.output };
  }
  return new Map(kept.map((span) => [spanKey(span), span]));
}

/** Two instrumentations record one call when one's time lies within the other's and both have the same answer. */
function isSameResponse(a: TraceSpan, b: TraceSpan): boolean {
  if (a.traceId !== b.traceId || a.scope === b.scope || a.output.length === 0 || b.output.length === 0) return false;
  const [aStart, aEnd, bStart, bEnd] = [a.startMs, a.endMs, b.startMs, b.endMs];
  if (aStart === undefined || aEnd === undefined || bStart === undefined || bEnd === undefined) return false;
  const within = (aStart <= bStart && bEnd <= aEnd) || (bStart <= aStart && aEnd <= bEnd);
  return within && keyOfAll(a) === keyOfAll(b);
}

function keyOfAll(span: TraceSpan): string {
  return span.output.map((message) => traceMessageKey(message)).join("\n");
}

function merged(first: TraceSpan, second: TraceSpan): TraceSpan {
  const idCount = (span: TraceSpan) =>
    [...span.input, ...span.output].flatMap(({ calls }) => calls).filter(({ callId }) => callId !== undefined).length;
  const fuller = idCount(second) > idCount(first) ? second : first;
  return {
    ...first,
    input: fuller.input.length > 0 ? fuller.input : [...first.input, ...second.input],
    output: fuller.output,
    usage: hasUsage(first.usage) ? first.usage : second.usage,
    finishReason: first.finishReason ?? second.finishReason,
    tools: first.tools.length > 0 ? first.tools : second.tools,
  };
}
