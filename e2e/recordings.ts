/** A picture of one pixel. */
const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/**
 * A log as Claude Code writes it: two turns with an image, parallel calls, a failed one, a subagent, a compaction, an
 * interruption, a prompt sent twice in other words (a branch), an entry no importer knows, and a line that is cut.
 */
export function claudeCodeSession(): string {
  const log = new LogWriter();
  const begun = log.user([
    { type: "text", text: "Find the needle in the haystack" },
    { type: "image", source: { type: "base64", media_type: "image/png", data: PNG } },
  ]);
  log.model("m1", { type: "thinking", thinking: "I look for it with grep first.", signature: "s" });
  log.model("m1", {
    type: "tool_use",
    id: "c1",
    name: "Bash",
    input: { command: "grep -r needle .", description: "Find" },
  });
  log.model("m1", { type: "tool_use", id: "c2", name: "Read", input: { file_path: "/repo/hay.txt" } });
  log.result("c1", "hay.txt: a needle");
  log.result("c2", "1\ta straw\n2\tanother");
  log.model("m2", { type: "tool_use", id: "c3", name: "Task", input: { description: "Look deeper", prompt: "Look" } });
  log.subagent("c3");
  log.result("c3", "Nothing more was found.");
  log.model("m3", { type: "tool_use", id: "c4", name: "Bash", input: { command: "false" } });
  log.result("c4", "Exit code 1", { is_error: true });
  log.model("m4", { type: "text", text: "The needle lies in hay.txt." });
  log.compact();
  log.user([{ type: "text", text: "Now write it down" }]);
  log.model("m5", {
    type: "tool_use",
    id: "c5",
    name: "Write",
    input: { file_path: "/repo/found.md", content: "found\n" },
  });
  log.result("c5", "File created", {
    toolUseResult: { type: "create", filePath: "/repo/found.md", content: "found\n" },
  });
  log.user([{ type: "text", text: "[Request interrupted by user]" }]);
  log.raw({ type: "file-history-snapshot", messageId: "x", snapshot: {} });
  const lines = log.lines();
  const branch = new LogWriter(begun, "b");
  branch.model("b1", { type: "text", text: "An answer that was thrown away." });
  const cut = '{"type":"user","message":{"role":"us';
  return [...lines.slice(0, 1), ...branch.lines(), ...lines.slice(1, -1), cut, ...lines.slice(-1)].join("\n");
}

class LogWriter {
  readonly #lines: string[] = [];
  #parent: string | null;
  readonly #name: string;
  #number = 0;

  constructor(parent: string | null = null, name = "u") {
    this.#parent = parent;
    this.#name = name;
  }

  lines(): readonly string[] {
    return this.#lines;
  }

  user(content: unknown, fields: object = {}): string {
    return this.#entry("user", { message: { role: "user", content }, ...fields });
  }

  model(id: string, block: unknown): void {
    const message = {
      id,
      type: "message",
      role: "assistant",
      model: "claude-x",
      content: [block],
      stop_reason: null,
      usage: { input_tokens: 100, output_tokens: 20 },
    };
    this.#entry("assistant", { message });
  }

  result(
    callId: string,
    content: unknown,
    { is_error, toolUseResult }: { is_error?: boolean; toolUseResult?: object } = {},
  ) {
    const block = { type: "tool_result", tool_use_id: callId, content, ...(is_error ? { is_error } : {}) };
    this.user([block], toolUseResult === undefined ? {} : { toolUseResult });
  }

  /** Entries beside the main chain. */
  subagent(callId: string): void {
    const parent = this.#parent;
    this.#parent = null;
    const side = { isSidechain: true, agentId: "a1", parentToolUseID: callId };
    this.user("Look", side);
    const content = [{ type: "tool_use", id: "s1", name: "Grep", input: { pattern: "straw" } }];
    this.#entry("assistant", { message: { id: "a-m1", role: "assistant", model: "claude-x", content }, ...side });
    this.user([{ type: "tool_result", tool_use_id: "s1", content: "2 straws" }], side);
    const said = [{ type: "text", text: "Nothing more was found." }];
    this.#entry("assistant", { message: { id: "a-m2", role: "assistant", model: "claude-x", content: said }, ...side });
    this.#parent = parent;
  }

  compact(): void {
    const about = { trigger: "auto", preTokens: 1000 };
    this.#entry("system", { subtype: "compact_boundary", content: "Conversation compacted", compactMetadata: about });
    this.user("This session goes on from one that ran out of context. Summary: it was found.", {
      isCompactSummary: true,
      isVisibleInTranscriptOnly: true,
    });
  }

  raw(entry: object): void {
    this.#lines.push(JSON.stringify(entry));
  }

  #entry(type: string, fields: object): string {
    const uuid = `${this.#name}${++this.#number}`;
    const timestamp = new Date(Date.UTC(2026, 0, 2, 10) + this.#number * 1_500).toISOString();
    const place = { parentUuid: this.#parent, isSidechain: false, sessionId: "s1", version: "2.1.0", cwd: "/repo" };
    this.raw({ type, uuid, ...place, timestamp, ...fields });
    this.#parent = uuid;
    return uuid;
  }
}
