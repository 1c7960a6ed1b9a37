import type { SnapshotTree } from "../snapshotTree";
import type { ChildMap, ChildNode } from "../treeEntry";
import type { NodesMessage } from "./engineProtocol";
import { TimeSlice } from "./timeSlice";

/** Nodes after which everything is sent anew: those of trees long gone are then forgotten on the other side too. */
const MAX_NODES = 400_000;

/**
 * Sends trees to one worker. What two trees share is sent once: after a change only the few nodes above it go.
 */
export class TreeShipper {
  readonly #send: (message: NodesMessage | { kind: "forgetNodes" }) => void;
  #ids = new WeakMap<ChildNode, number>();
  #lastId = 0;
  #firstUnsent = 1;
  #rows: ChildNode[] = [];

  constructor(send: (message: NodesMessage | { kind: "forgetNodes" }) => void) {
    this.#send = send;
  }

  /**
   * Sends what the worker lacks of a tree, then calls `onShipped` at once with the id of the root's children (0 when it has
   * none): the id holds until the next shipment.
   */
  async ship(tree: SnapshotTree, onShipped: (root: number) => void): Promise<void> {
    const root = tree.root.children;
    if (this.#idOf(root) === undefined) await this.#shipNodes(tree, root);
    onShipped(this.#idOf(root) ?? 0);
  }

  async #shipNodes(tree: SnapshotTree, root: ChildMap): Promise<void> {
    if (this.#lastId > Math.max(MAX_NODES, 4 * tree.fileCount)) this.#forget();
    const slice = new TimeSlice();
    const waiting: ChildNode[] = root === undefined ? [] : [root];
    for (let node = waiting.at(-1), steps = 0; node !== undefined; node = waiting.at(-1), steps++) {
      if (!this.#pushMissing(waiting, node)) {
        waiting.pop();
        this.#add(node);
      }
      if (steps % 128 === 0 && slice.isOver) {
        this.#flush();
        await slice.pause();
      }
    }
    this.#flush();
  }

  #idOf(map: ChildMap): number | undefined {
    return map === undefined ? 0 : this.#ids.get(map);
  }

  /** Puts what must be sent before the node on the stack; whether there was any. */
  #pushMissing(waiting: ChildNode[], node: ChildNode): boolean {
    const before = waiting.length;
    const { left, right, entry } = node;
    if (left !== undefined && !this.#ids.has(left)) waiting.push(left);
    if (right !== undefined && !this.#ids.has(right)) waiting.push(right);
    if (entry.kind === "directory" && entry.children !== undefined && !this.#ids.has(entry.children)) {
      waiting.push(entry.children);
    }
    return waiting.length > before;
  }

  #add(node: ChildNode): void {
    // Another shipment may have sent it during a pause.
    if (this.#ids.has(node)) return;
    this.#ids.set(node, ++this.#lastId);
    this.#rows.push(node);
  }

  #flush(): void {
    if (this.#rows.length === 0) return;
    const numbers = new Float64Array(4 * this.#rows.length);
    const names: string[] = [];
    const hashes: string[] = [];
    this.#rows.forEach(({ name, entry, left, right }, index) => {
      names.push(name);
      if (entry.kind === "file") hashes.push(entry.hash);
      const children = entry.kind === "file" ? -1 : (this.#idOf(entry.children) ?? 0);
      numbers.set([this.#idOf(left) ?? 0, this.#idOf(right) ?? 0, children, entry.sizeBytes], 4 * index);
    });
    this.#send({
      kind: "nodes",
      firstId: this.#firstUnsent,
      names: names.join("\0"),
      hashes: hashes.join(""),
      numbers,
    });
    this.#firstUnsent = this.#lastId + 1;
    this.#rows = [];
  }

  #forget(): void {
    this.#flush();
    this.#ids = new WeakMap();
    this.#lastId = 0;
    this.#firstUnsent = 1;
    this.#send({ kind: "forgetNodes" });
  }
}
