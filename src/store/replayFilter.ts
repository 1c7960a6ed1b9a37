import { isOfMount, type OutlineNode } from "./replayLookOutline";

/** What a line of the outline can be asked to be. */
export type FilterKind = "messages" | "reasoning" | "calls" | "changes" | "errors" | "entries";

/** What of a session is shown. Nothing set: everything but the entries that are no events of ours. */
export interface ReplayFilter {
  /** Any of these; all when empty. */
  readonly kinds: ReadonlySet<FilterKind>;
  readonly toolName?: string | undefined;
  readonly failedOnly: boolean;
  readonly changedOnly: boolean;
  /** Prefix of a mount. */
  readonly mount?: string | undefined;
}

export const NO_FILTER: ReplayFilter = { kinds: new Set(), failedOnly: false, changedOnly: false };

export function isFiltering({ kinds, toolName, failedOnly, changedOnly, mount }: ReplayFilter): boolean {
  return kinds.size > 0 || toolName !== undefined || failedOnly || changedOnly || mount !== undefined;
}

/** The lines that are shown, which of them were asked for, and how many. */
export interface OutlineRows {
  readonly rows: readonly OutlineNode[];
  /** Lines a filter let through; absent without one. */
  readonly found?: number;
  /** Ids of the lines that have others below them, shown or not. */
  readonly parents: ReadonlySet<string>;
  /** Of these the ones whose lines below are shown. */
  readonly open: ReadonlySet<string>;
}

/** What is open by itself: turns, and while a session is short its steps too. */
const SHORT_OUTLINE_NODES = 60;

/**
 * The lines to show: those below closed ones are left out. With a filter they are those it lets through and what they
 * stand below, open, whatever is closed without it.
 */
export function outlineRows(
  nodes: readonly OutlineNode[],
  filter: ReplayFilter,
  toggled: ReadonlySet<string>,
): OutlineRows {
  const shown = filter.kinds.has("entries") ? nodes : nodes.filter(({ kind }) => kind !== "entry");
  const parents = new Set<string>();
  for (const [at, node] of shown.entries()) {
    const next = shown[at + 1];
    if (node.kind === "subagent" || (next !== undefined && next.level > node.level)) parents.add(node.id);
  }
  if (isFiltering(filter)) return { ...filtered(shown, filter), parents, open: parents };
  const rows: OutlineNode[] = [];
  const open = new Set<string>();
  let closedLevel = Infinity;
  for (const node of shown) {
    if (node.level > closedLevel) continue;
    rows.push(node);
    closedLevel = Infinity;
    if (!parents.has(node.id)) continue;
    if (isOpen(node, shown.length, toggled)) open.add(node.id);
    else closedLevel = node.level;
  }
  return { rows, parents, open };
}

/** Whether what is below a line is shown: what a person toggled is the other way round. */
function isOpen({ kind, id }: OutlineNode, nodeCount: number, toggled: ReadonlySet<string>): boolean {
  const atFirst = kind === "turn" || (kind === "step" && nodeCount <= SHORT_OUTLINE_NODES);
  return atFirst !== toggled.has(id);
}

/** The lines to toggle so that all are open, or all closed. */
export function toggledFor(nodes: readonly OutlineNode[], open: boolean): ReadonlySet<string> {
  const count = nodes.filter(({ kind }) => kind !== "entry").length;
  return new Set(nodes.filter((node) => isOpen(node, count, new Set()) !== open).map(({ id }) => id));
}

function filtered(nodes: readonly OutlineNode[], filter: ReplayFilter): Pick<OutlineRows, "rows" | "found"> {
  const rows: OutlineNode[] = [];
  /** What the line at hand stands below, and whether that is among the rows. */
  const above: { readonly node: OutlineNode; isShown: boolean }[] = [];
  let found = 0;
  for (const node of nodes) {
    while ((above.at(-1)?.node.level ?? 0) >= node.level) above.pop();
    const isFound = matches(node, filter);
    if (isFound) {
      found++;
      for (const parent of above) {
        if (!parent.isShown) rows.push(parent.node);
        parent.isShown = true;
      }
      rows.push(node);
    }
    above.push({ node, isShown: isFound });
  }
  return { rows, found };
}

function matches(node: OutlineNode, filter: ReplayFilter): boolean {
  const { kinds, toolName, failedOnly, changedOnly, mount } = filter;
  if (node.kind === "step" || node.kind === "subagent") return false;
  if (kinds.size > 0 && ![...kinds].some((kind) => isOfKind(node, kind))) return false;
  if (toolName !== undefined && node.toolName !== toolName) return false;
  if (failedOnly && !node.isFailed) return false;
  if (changedOnly && node.changed.length === 0) return false;
  return mount === undefined || isOfMount(node, mount);
}

function isOfKind(node: OutlineNode, kind: FilterKind): boolean {
  switch (kind) {
    case "messages":
      return node.kind === "answer" || (node.kind === "turn" && node.about !== "") || node.label === "Message";
    case "reasoning":
      return node.kind === "reasoning";
    case "calls":
      return node.kind === "call";
    case "changes":
      return node.changed.length > 0;
    case "errors":
      return node.isFailed;
    default:
      return node.kind === "entry";
  }
}

/** The tools of a session and how often each was called, most used first. */
export function toolsCalled(nodes: readonly OutlineNode[]): readonly (readonly [name: string, calls: number])[] {
  const counts = new Map<string, number>();
  for (const { toolName } of nodes) if (toolName !== undefined) counts.set(toolName, (counts.get(toolName) ?? 0) + 1);
  return [...counts].toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
}
