// Logs of any length with the shapes of real ones, the same for the same seed: `claude-code` and `rootscope` lines.
// `node bench/longTrajectory.mjs claude-code 100000000 > log.jsonl` writes one of about so many bytes.
import { pathToFileURL } from "node:url";

const WORDS =
  "the of a file function returns value when request server test error path index state event session tree read write is not in and for to with each after before line name type list call result user message step change check".split(
    " ",
  );
const TOOLS = ["Read", "Read", "Read", "Grep", "Grep", "Bash", "Edit", "Glob", "Write"];
const BEGAN = Date.UTC(2026, 0, 5, 9);
/** Steps of a turn, about: people say little and agents do much. */
const STEPS_A_TURN = 24;

/** Numbers from 0 to 1 that depend on the seed alone. @param {number} seed */
function randomFrom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** @param {number} seed */
function writer(seed) {
  const random = randomFrom(seed);
  const pick = (/** @type {readonly string[]} */ list) => list[Math.floor(random() * list.length)] ?? "";
  let ticks = 0;
  return {
    random,
    /** Few texts are long: half have fewer characters than `median`, one in fifty has eight times as many. */
    size: (/** @type {number} */ median) => Math.round(median * 0.25 * 32 ** (random() * 0.85)),
    prose(/** @type {number} */ characters) {
      let text = "";
      while (text.length < characters) text += `${pick(WORDS)}${random() < 0.12 ? ".\n" : " "}`;
      return text;
    },
    code(/** @type {number} */ characters) {
      let text = "";
      for (let line = 1; text.length < characters; line++)
        text += `${" ".repeat(2 * Math.floor(random() * 4))}const ${pick(WORDS)}${line} = ${pick(WORDS)}("${pick(WORDS)}", ${line});\n`;
      return text;
    },
    path: () => `/work/src/${pick(WORDS)}/${pick(WORDS)}${Math.floor(random() * 40)}.ts`,
    tool: () => pick(TOOLS),
    hex: (/** @type {number} */ digits) =>
      Array.from({ length: digits }, () => Math.floor(random() * 16).toString(16)).join(""),
    at: () => new Date(BEGAN + (ticks += 40 + Math.floor(random() * 4_000))).toISOString(),
  };
}

/** What a call is given and what it gives back. @param {ReturnType<typeof writer>} write @param {string} tool */
function callOf(write, tool) {
  const path = write.path();
  switch (tool) {
    case "Read":
      return { input: { file_path: path }, output: write.code(write.size(2_400)) };
    case "Grep":
      return { input: { pattern: "const \\w+", path: "/work/src" }, output: write.code(write.size(900)) };
    case "Glob":
      return { input: { pattern: "**/*.ts" }, output: Array.from({ length: 12 }, () => write.path()).join("\n") };
    case "Bash":
      return { input: { command: "npm test", description: "Run the tests" }, output: write.prose(write.size(1_800)) };
    case "Edit":
      return {
        input: { file_path: path, old_string: write.code(160), new_string: write.code(200) },
        output: `The file ${path} has been updated.`,
      };
    default:
      return { input: { file_path: path, content: write.code(write.size(1_200)) }, output: `Wrote ${path}` };
  }
}

/**
 * Lines of a session as Claude Code writes it: a line a block, results with what the tool said of them, entries of other
 * kinds between, a compaction now and then.
 * @param {{ bytes: number, seed?: number }} options @returns {Generator<string, void>}
 */
export function* claudeCodeLines({ bytes, seed = 1 }) {
  const write = writer(seed);
  const sessionId = "5f0c9a52-1d3e-4b7a-9c11-000000000001";
  /** @type {string | null} */
  let parentUuid = null;
  let written = 0;
  let count = 0;
  const isLongEnough = () => written >= bytes;
  const line = (/** @type {object} */ fields) => {
    const uuid = `u-${count++}`;
    const shared = { isSidechain: false, userType: "external", cwd: "/work", sessionId, version: "2.0.29" };
    const text = JSON.stringify({ parentUuid, ...shared, gitBranch: "main", ...fields, uuid, timestamp: write.at() });
    parentUuid = uuid;
    written += text.length + 1;
    return text;
  };
  const answer = (/** @type {string} */ id, /** @type {object} */ block) => {
    const usage = {
      input_tokens: 12,
      cache_read_input_tokens: 40_000,
      cache_creation_input_tokens: 900,
      output_tokens: 210,
    };
    const message = { id, type: "message", role: "assistant", model: "claude-sonnet-4-5", content: [block], usage };
    return line({ type: "assistant", requestId: `req_${id}`, message });
  };
  for (let turn = 0; !isLongEnough(); turn++) {
    yield JSON.stringify({
      type: "file-history-snapshot",
      messageId: `u-${count}`,
      snapshot: { trackedFileBackups: {} },
    });
    yield line({ type: "user", message: { role: "user", content: write.prose(write.size(300)) } });
    const steps = 1 + Math.floor(write.random() * 2 * STEPS_A_TURN);
    for (let step = 0; step < steps && !isLongEnough(); step++) {
      const id = `msg_${turn}_${step}`;
      if (write.random() < 0.3)
        yield answer(id, { type: "thinking", thinking: write.prose(write.size(500)), signature: write.hex(200) });
      if (write.random() < 0.6) yield answer(id, { type: "text", text: write.prose(write.size(240)) });
      const tool = write.tool();
      const { input, output } = callOf(write, tool);
      const callId = `toolu_${turn}_${step}`;
      yield answer(id, { type: "tool_use", id: callId, name: tool, input });
      const failed = write.random() < 0.04;
      const content = failed ? "<tool_use_error>File does not exist.</tool_use_error>" : output;
      const result = { tool_use_id: callId, type: "tool_result", content, ...(failed ? { is_error: true } : {}) };
      const toolUseResult = failed ? "Error: File does not exist." : { durationMs: 40, truncated: false, numLines: 20 };
      yield line({ type: "user", message: { role: "user", content: [result] }, toolUseResult });
    }
    yield answer(`msg_${turn}_end`, { type: "text", text: write.prose(write.size(900)) });
    if (turn % 40 === 39) {
      const compactMetadata = { trigger: "auto", preTokens: 155_000 };
      yield line({ type: "system", subtype: "compact_boundary", content: "Conversation compacted", compactMetadata });
    }
  }
}

/**
 * Lines of a session as it is recorded here.
 * @param {{ bytes: number, seed?: number }} options @returns {Generator<string, void>}
 */
export function* ownLines({ bytes, seed = 1 }) {
  const write = writer(seed);
  let written = 0;
  let count = 0;
  const isLongEnough = () => written >= bytes;
  const line = (/** @type {string} */ type, /** @type {object} */ data) => {
    const meta = { id: `evt_${String(count++).padStart(26, "0")}`, at: write.at() };
    const text = JSON.stringify({ type, data, meta });
    written += text.length + 1;
    return text;
  };
  yield line("session.started", { runtime: { agentId: "long", agentName: "Long", eveVersion: "26" } });
  for (let turn = 0; !isLongEnough(); turn++) {
    const ofTurn = { turnId: `turn_${turn}`, sequence: turn };
    yield line("turn.started", ofTurn);
    yield line("message.received", { ...ofTurn, message: write.prose(write.size(300)) });
    const steps = 1 + Math.floor(write.random() * 2 * STEPS_A_TURN);
    for (let stepIndex = 0; stepIndex < steps; stepIndex++) {
      const ofStep = { ...ofTurn, stepIndex };
      const tool = write.tool();
      const { input, output } = callOf(write, tool);
      const callId = `call_${turn}_${stepIndex}`;
      const changesFile = tool === "Edit" || tool === "Write";
      yield line("step.started", { ...ofStep, modelId: "claude-sonnet-4-5" });
      yield line("message.completed", { ...ofStep, message: write.prose(write.size(240)), finishReason: "tool-calls" });
      yield line("actions.requested", { ...ofStep, actions: [{ kind: "tool-call", callId, toolName: tool, input }] });
      const { file_path: path } = /** @type {{ file_path?: string }} */ (input);
      yield line("action.result", {
        ...ofStep,
        status: "completed",
        toolName: tool,
        result: { kind: "tool-result", callId, toolName: tool, output },
        durationMs: Math.floor(write.random() * 900),
        served: changesFile || path === undefined ? [] : [{ mount: "/work", path, verb: "read" }],
        changes: changesFile && path !== undefined ? [{ path, after: write.hex(64), sizeBytes: 1_200 }] : [],
      });
      const usage = { inputTokens: 41_000, outputTokens: 210, cacheReadTokens: 40_000 };
      yield line("step.completed", { ...ofStep, finishReason: "tool-calls", usage });
    }
    yield line("turn.completed", ofTurn);
    yield line("session.waiting", { continuationToken: `t${turn}`, wait: "next-user-message" });
  }
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [, , format = "claude-code", bytes = "100000000"] = process.argv;
  const lines = (format === "rootscope" ? ownLines : claudeCodeLines)({ bytes: Number(bytes) });
  for (const text of lines)
    if (!process.stdout.write(`${text}\n`)) await new Promise((done) => process.stdout.once("drain", done));
}
