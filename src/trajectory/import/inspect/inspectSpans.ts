import { field, filledText, list, text } from "../jsonAccess";

/** The span of an agent that another one called, and the call it answers. */
export interface AgentSpan {
  readonly id: string;
  readonly name: string | undefined;
  readonly callId: string | undefined;
  /** The agent span around it, if that is a subagent's too. */
  readonly parent: string | undefined;
  /** Set where it is no subagent but another way the sample went: the span it left, if that is no session's main one. */
  readonly branch?: { readonly from: string | undefined };
}

interface Span {
  readonly parent: string | undefined;
  readonly kind: string | undefined;
  readonly name: string | undefined;
}

/** Which agent each event of a sample belongs to, and what is scoring and not the agent's. */
export interface InspectSpans {
  /** The subagent an event is of; `undefined` for the main one. */
  agentOf(event: unknown): AgentSpan | undefined;
  scoring(event: unknown): boolean;
  /** Whether an event of a branch was run again only to get to where it leaves. */
  replayed(event: unknown): boolean;
}

/** An agent is a subagent's when a tool or another agent called it: the outermost one is the sample's own. */
export function inspectSpans(events: readonly unknown[]): InspectSpans {
  const spans = new Map<string, Span>();
  const callOfSpan = new Map<string, string>();
  const tools = new Map<string, string[]>();
  const branches = new Map<string, { readonly from: string | undefined; readonly at: number }>();
  const places = new Map<unknown, number>();
  for (const [place, event] of events.entries()) {
    places.set(event, place);
    const kind = field(event, "event");
    const id = filledText(field(event, "id"));
    const own = kind === "branch" ? filledText(field(event, "span_id")) : undefined;
    if (own !== undefined) branches.set(own, { from: filledText(field(event, "from_span")), at: place });
    if (id === undefined) continue;
    if (kind === "span_begin") {
      const parent = filledText(field(event, "parent_id"));
      spans.set(id, { parent, kind: text(field(event, "type")), name: text(field(event, "name")) });
    } else if (kind === "tool") {
      const span = filledText(field(event, "agent_span_id"));
      if (span !== undefined) callOfSpan.set(span, id);
      const key = `${filledText(field(event, "span_id")) ?? ""} ${text(field(event, "function")) ?? ""}`;
      tools.set(key, [...(tools.get(key) ?? []), id]);
    }
  }
  const agents = new Map<string, AgentSpan>();
  const agentAt = (spanId: string | undefined): AgentSpan | undefined => {
    for (const id of ancestry(spans, spanId)) {
      const known = agents.get(id);
      if (known !== undefined) return known;
      const span = spans.get(id);
      const left = branches.get(id);
      if (left !== undefined) {
        const from = left.from === id ? undefined : agentAt(left.from)?.id;
        const agent = { id, name: span?.name, callId: undefined, parent: undefined, branch: { from } };
        agents.set(id, agent);
        return agent;
      }
      if (span?.kind !== "agent") continue;
      const outer = [...ancestry(spans, span.parent)];
      const caller = outer.find((name) => spans.get(name)?.kind === "tool");
      if (!callOfSpan.has(id) && caller === undefined && !outer.some((name) => spans.get(name)?.kind === "agent"))
        continue;
      const callId = callOfSpan.get(id) ?? (caller === undefined ? undefined : takenCall(spans, tools, caller));
      const agent = { id, name: span.name, callId, parent: agentAt(span.parent)?.id };
      agents.set(id, agent);
      return agent;
    }
    return undefined;
  };
  return {
    agentOf: (event) => agentAt(filledText(field(event, "span_id"))),
    replayed: (event) =>
      branches.size > 0 &&
      [...ancestry(spans, filledText(field(event, "span_id")))].some(
        (id) => (branches.get(id)?.at ?? -1) > (places.get(event) ?? 0),
      ),
    scoring: (event) =>
      [...ancestry(spans, filledText(field(event, "span_id")))].some((id) =>
        /^scorers?$/.test(spans.get(id)?.kind ?? ""),
      ),
  };
}

/** A span and what is around it, from within; a ring of parents ends where it began. */
function* ancestry(spans: ReadonlyMap<string, Span>, from: string | undefined): Generator<string> {
  const passed = new Set<string>();
  for (let id = from; id !== undefined && !passed.has(id); id = spans.get(id)?.parent) {
    passed.add(id);
    yield id;
  }
}

/** The call a tool's span is of: of the events of that tool beside the span the first that is not taken. */
function takenCall(
  spans: ReadonlyMap<string, Span>,
  tools: ReadonlyMap<string, string[]>,
  span: string,
): string | undefined {
  const { parent, name } = spans.get(span) ?? {};
  return tools.get(`${parent ?? ""} ${name ?? ""}`)?.shift();
}

/** Messages a model was sent: in the event, or by ranges of the sample's pool. */
export function inputMessages(event: unknown, pool: readonly unknown[]): readonly unknown[] {
  const refs = field(event, "input_refs");
  return Array.isArray(refs) ? rangesOf(refs, pool) : list(field(event, "input"));
}

/** What ranges, each with the number after its last one, name of a list. */
export function rangesOf(ranges: unknown, pool: readonly unknown[]): readonly unknown[] {
  return list(ranges).flatMap((range) => {
    const [start, end] = list(range);
    return typeof start === "number" && typeof end === "number" ? pool.slice(start, end) : [];
  });
}
