import type { ChildMap, ChildNode, TreeEntry } from "./treeEntry";

/*
 * The children of one directory: an immutable map sorted by name, balanced by a priority that is a hash of the name (a
 * treap). A change copies the path to one node and shares the rest, so a directory of 100,000 names costs as little to
 * change or compare as a small one; and the same names always make the same shape, so two maps of different history line
 * up and a hash over the shape is a hash of the content.
 */

export function childEntry(map: ChildMap, name: string): TreeEntry | undefined {
  let node = map;
  while (node !== undefined) {
    if (name === node.name) return node.entry;
    node = name < node.name ? node.left : node.right;
  }
  return undefined;
}

export function withChild(map: ChildMap, name: string, entry: TreeEntry): ChildNode {
  return inserted(map, name, namePriority(name), entry);
}

export function withoutChild(map: ChildMap, name: string): ChildMap {
  if (map === undefined) return undefined;
  if (name === map.name) return joined(map.left, map.right);
  if (name < map.name) {
    const left = withoutChild(map.left, name);
    return left === map.left ? map : childNode(map.name, map.priority, map.entry, left, map.right);
  }
  const right = withoutChild(map.right, name);
  return right === map.right ? map : childNode(map.name, map.priority, map.entry, map.left, right);
}

/** Both maps in one; `combine` decides about a name that both hold. */
export function mergedChildren(
  a: ChildMap,
  b: ChildMap,
  combine: (a: TreeEntry, b: TreeEntry, name: string) => TreeEntry,
): ChildMap {
  if (a === undefined || a === b) return b;
  if (b === undefined) return a;
  if (isHigher(b.priority, b.name, a)) return mergedAround(b, a, (own, other, name) => combine(other, own, name));
  return mergedAround(a, b, combine);
}

function mergedAround(
  top: ChildNode,
  other: ChildNode,
  combine: (top: TreeEntry, other: TreeEntry, name: string) => TreeEntry,
) {
  const { left, middle, right } = splitChildren(other, top.name);
  const entry = middle === undefined ? top.entry : combine(top.entry, middle, top.name);
  return childNode(
    top.name,
    top.priority,
    entry,
    mergedChildren(top.left, left, combine),
    mergedChildren(top.right, right, combine),
  );
}

/** A map from children already in order and unique, in linear time. */
export function childMapFromSorted(children: readonly (readonly [name: string, entry: TreeEntry])[]): ChildMap {
  const draft = cartesianShape(children.map(([name]) => name));
  const build = (index: number): ChildMap => {
    const child = children[index];
    if (child === undefined) return undefined;
    const left = build(draft.left[index] ?? -1);
    return childNode(child[0], draft.priority[index] ?? 0, child[1], left, build(draft.right[index] ?? -1));
  };
  return build(draft.root);
}

/** Where each of the sorted names lies in its treap, by index; -1 is none. */
function cartesianShape(names: readonly string[]) {
  const priority = names.map(namePriority);
  const left = new Int32Array(names.length).fill(-1);
  const right = new Int32Array(names.length).fill(-1);
  const spine: number[] = [];
  for (let index = 0; index < names.length; index++) {
    let last = -1;
    // On equal priorities the smaller name is higher, and that is the one already on the spine.
    while (spine.length > 0 && (priority[spine.at(-1) ?? 0] ?? 0) < (priority[index] ?? 0)) last = spine.pop() ?? -1;
    left[index] = last;
    const parent = spine.at(-1);
    if (parent !== undefined) right[parent] = index;
    spine.push(index);
  }
  return { root: spine[0] ?? -1, priority, left, right };
}

/** The map cut at a name: what is before it, what it holds, what is after it. */
export function splitChildren(
  map: ChildMap,
  name: string,
): { left: ChildMap; middle: TreeEntry | undefined; right: ChildMap } {
  if (map === undefined) return { left: undefined, middle: undefined, right: undefined };
  if (name === map.name) return { left: map.left, middle: map.entry, right: map.right };
  if (name < map.name) {
    const { left, middle, right } = splitChildren(map.left, name);
    return { left, middle, right: childNode(map.name, map.priority, map.entry, right, map.right) };
  }
  const { left, middle, right } = splitChildren(map.right, name);
  return { left: childNode(map.name, map.priority, map.entry, map.left, left), middle, right };
}

/** Whether a child would lie above the node: the one rule the shape follows. */
export function isHigher(priority: number, name: string, node: ChildNode): boolean {
  return priority > node.priority || (priority === node.priority && name < node.name);
}

export function childNode(
  name: string,
  priority: number,
  entry: TreeEntry,
  left: ChildMap,
  right: ChildMap,
): ChildNode {
  const isFile = entry.kind === "file";
  return {
    name,
    priority,
    entry,
    left,
    right,
    count: 1 + (left?.count ?? 0) + (right?.count ?? 0),
    fileCount: (isFile ? 1 : entry.fileCount) + (left?.fileCount ?? 0) + (right?.fileCount ?? 0),
    sizeBytes: entry.sizeBytes + (left?.sizeBytes ?? 0) + (right?.sizeBytes ?? 0),
    id: undefined,
  };
}

function inserted(map: ChildMap, name: string, priority: number, entry: TreeEntry): ChildNode {
  if (map === undefined) return childNode(name, priority, entry, undefined, undefined);
  if (name === map.name) return map.entry === entry ? map : childNode(name, priority, entry, map.left, map.right);
  if (isHigher(priority, name, map)) {
    const { left, right } = splitChildren(map, name);
    return childNode(name, priority, entry, left, right);
  }
  return name < map.name
    ? childNode(map.name, map.priority, map.entry, inserted(map.left, name, priority, entry), map.right)
    : childNode(map.name, map.priority, map.entry, map.left, inserted(map.right, name, priority, entry));
}

function joined(left: ChildMap, right: ChildMap): ChildMap {
  if (left === undefined) return right;
  if (right === undefined) return left;
  return isHigher(left.priority, left.name, right)
    ? childNode(left.name, left.priority, left.entry, left.left, joined(left.right, right))
    : childNode(right.name, right.priority, right.entry, joined(left, right.left), right.right);
}

/** FNV-1a over the UTF-16 units, finished as murmur3 does. Stored ids rest on it: it must never change. */
export function namePriority(name: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < name.length; index++) hash = Math.imul(hash ^ name.charCodeAt(index), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Nodes passed over before a walk lets its caller pause. */
const STEP_NODES = 256;

/** A child about which two directories differ. */
export interface ChildDifference {
  readonly name: string;
  readonly before: TreeEntry | undefined;
  readonly after: TreeEntry | undefined;
}

/** Every child about which two maps differ, files by their contents, in any order; `undefined` now and then, where a caller may pause or leave. */
export function* childDifferenceSteps(
  before: ChildMap,
  after: ChildMap,
): Generator<ChildDifference | undefined, void, undefined> {
  const open: [before: ChildMap, after: ChildMap][] = [[before, after]];
  let passed = 0;
  for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
    if (++passed % STEP_NODES === 0) yield undefined;
    const [old, fresh] = pair;
    if (old === fresh || (old?.id !== undefined && old.id === fresh?.id)) continue;
    if (old !== undefined && old.name === fresh?.name) {
      open.push([old.left, fresh.left], [old.right, fresh.right]);
      if (!isAlike(old.entry, fresh.entry)) yield { name: old.name, before: old.entry, after: fresh.entry };
      continue;
    }
    const top = old === undefined || (fresh !== undefined && isHigher(fresh.priority, fresh.name, old)) ? fresh : old;
    if (top === undefined) continue;
    const [was, is] = [splitChildren(old, top.name), splitChildren(fresh, top.name)];
    open.push([was.left, is.left], [was.right, is.right]);
    if (!isAlike(was.middle, is.middle)) yield { name: top.name, before: was.middle, after: is.middle };
  }
}

function isAlike(a: TreeEntry | undefined, b: TreeEntry | undefined): boolean {
  return a === b || (a?.kind === "file" && b?.kind === "file" && a.hash === b.hash);
}

/**
 * Every name about which two maps differ, in order. What they share is passed over: by identity, and by id where both
 * have one, so that trees loaded apart compare as cheaply as trees made one from the other.
 */
export function diffChildren(
  before: ChildMap,
  after: ChildMap,
  visit: (name: string, before: TreeEntry | undefined, after: TreeEntry | undefined) => void,
): void {
  if (before === after) return;
  if (before !== undefined && after !== undefined && before.name === after.name) {
    if (before.id !== undefined && before.id === after.id) return;
    diffChildren(before.left, after.left, visit);
    if (before.entry !== after.entry) visit(after.name, before.entry, after.entry);
    diffChildren(before.right, after.right, visit);
  } else if (after === undefined || (before !== undefined && isHigher(before.priority, before.name, after))) {
    if (before === undefined) return;
    const other = splitChildren(after, before.name);
    diffChildren(before.left, other.left, visit);
    visit(before.name, before.entry, other.middle);
    diffChildren(before.right, other.right, visit);
  } else {
    const other = splitChildren(before, after.name);
    diffChildren(other.left, after.left, visit);
    visit(after.name, other.middle, after.entry);
    diffChildren(other.right, after.right, visit);
  }
}
