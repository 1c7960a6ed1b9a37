import type { McpConnection } from "../mcp";
import type { Keyring } from "../secrets";
import type { Tool } from "../tools";
import type { ConnectionRecord } from "./connectionRecord";

interface LiveConnection {
  readonly record: ConnectionRecord;
  readonly connection: McpConnection;
  readonly unsubscribe: () => void;
}

/** The connections that are switched on, each open or on its way. */
export class LiveConnections {
  readonly #keyring: Keyring;
  readonly #changed: () => void;
  #live = new Map<string, LiveConnection>();
  #following: Promise<void> = Promise.resolve();
  #records: readonly ConnectionRecord[] = [];

  constructor(keyring: Keyring, changed: () => void) {
    this.#keyring = keyring;
    this.#changed = changed;
  }

  get(id: string): McpConnection | undefined {
    return this.#live.get(id)?.connection;
  }

  /** Opens what is on the list by now and closes what is not. The code for it is loaded when there is something to open. */
  follow(records: readonly ConnectionRecord[]): void {
    this.#records = records;
    this.#following = this.#following.then(() => this.#follow()).catch(() => undefined);
  }

  /**
   * Tries again what has failed, and resolves when every connection is open or has said why it is not. A server that did
   * not answer in time is not waited for a second time.
   */
  async settled(): Promise<void> {
    await this.#following;
    const connecting = [...this.#live.values()].map(async ({ connection }) => {
      const { state } = connection;
      if (state.kind === "needs-sign-in") return;
      const done = connection.connect();
      if (state.kind !== "failed" || state.code !== "timeout") await done;
    });
    await Promise.all(connecting);
  }

  tools(): readonly Tool[] {
    return [...this.#live.values()].flatMap(({ connection: { state } }) => (state.kind === "ready" ? state.tools : []));
  }

  closeAll(): void {
    this.follow([]);
  }

  async #follow(): Promise<void> {
    const wanted = new Map(this.#records.filter(({ enabled }) => enabled).map((record) => [record.id, record]));
    for (const [id, { record, connection, unsubscribe }] of this.#live) {
      const next = wanted.get(id);
      if (next !== undefined && isSame(record, next)) continue;
      unsubscribe();
      this.#live.delete(id);
      // Keys are bound to their origin already; at another one a sign-in begins anew.
      void (next !== undefined && isElsewhere(record, next) ? connection.signOut() : connection.close());
    }
    if (wanted.size > this.#live.size) {
      const { McpConnection: Connection } = await import("../mcp");
      for (const [id, record] of wanted) if (!this.#live.has(id)) this.#open(record, Connection);
    }
    this.#changed();
  }

  #open(record: ConnectionRecord, Connection: typeof McpConnection): void {
    const { id, name, url, clientId } = record;
    const connection = new Connection({
      id,
      name,
      url,
      keyring: this.#keyring,
      ...(clientId === undefined ? {} : { clientId }),
    });
    const unsubscribe = connection.subscribe(this.#changed);
    this.#live.set(id, { record, connection, unsubscribe });
    void connection.connect();
  }
}

function isSame(a: ConnectionRecord, b: ConnectionRecord): boolean {
  return a.name === b.name && a.url === b.url && a.clientId === b.clientId;
}

function isElsewhere(a: ConnectionRecord, b: ConnectionRecord): boolean {
  const origins = [a.url, b.url].map((url) => (URL.canParse(url) ? new URL(url).origin : url));
  return origins[0] !== origins[1];
}
