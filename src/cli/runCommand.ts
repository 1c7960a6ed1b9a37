import { randomBytes } from "node:crypto";
import { sha256HexSync } from "../base";
import {
  definitionHash,
  definitionJson,
  ndjsonFromEvents,
  resumeTurn,
  runTurn,
  seededRandom,
  sessionIdFromSeed,
  sessionIdsAt,
  startSession,
  systemClock,
  type InputRequest,
  type JsonObject,
  type OfferedTool,
  type SessionEvent,
  type TurnOptions,
} from "../index";
import { answersOf } from "./approval";
import type { Command, GivenOptions } from "./command";
import { failure, usageError } from "./commandError";
import { agentOption, asOfOption, treeOptions } from "./commandOptions";
import { openAgent, type ConnectedAgent, type OpenedAgent } from "./openAgent";
import { replyPrinter } from "./replyPrinter";
import { chosenModel, modelOptions, type ChosenModel } from "./runModel";
import type { Terminal } from "./terminal";
import { treeIdentity } from "./treeIdentity";
import { webOptions } from "./webTools";

export const runCommand: Command = {
  name: "run",
  operands: [],
  summary: "Sends an agent a message and prints what it answers, as it comes; with --json the session's log.",
  details: [
    "The message comes from --message or standard input. Without --dir an agent is made up; without --root and --mount it",
    "has its own tree, or an empty one in memory. A call that needs a person's yes is asked about in the terminal; where",
    "nobody is there the run ends with it unanswered, and with 1.",
  ].join("\n"),
  options: {
    message: { value: "TEXT", help: "what the agent is asked" },
    dir: agentOption,
    ...treeOptions,
    ...modelOptions,
    ...webOptions,
    "max-steps": { value: "N", help: "model calls of the turn" },
    approve: {
      value: "never|writes",
      help: "whether a person is asked before every write; as the agent says when omitted",
    },
    "dry-run": { help: "reads run, writes are only acknowledged" },
    "as-of": asOfOption,
    seed: { value: "TEXT", help: "what the session's id and tokens are made from; chance when omitted" },
    json: { help: "prints the session's log, one event a line (.ndjson)" },
  },
  async run(given, terminal, { modules }) {
    const approvals = given.oneOf("approve", ["never", "writes"] as const);
    const maxSteps = given.count("max-steps");
    const message = await messageFrom(given, terminal);
    const asOf = given.text("as-of");
    const seed = given.text("seed") ?? randomBytes(16).toString("hex");
    const agent = await openAgent(given, terminal, modules, {
      sessionId: sessionIdFromSeed(seed),
      ...(asOf === undefined ? {} : { asOf }),
      ...(maxSteps === undefined ? {} : { fields: { maxSteps } }),
    });
    const chosen = await chosenModel(given, terminal, agent.definition().model);
    await using connected = await agent.connect({ keyring: chosen.keyring });
    const session = new CommandSession(seed, { agent, connected, chosen, given, terminal });
    return await session.send(message, approvals);
  },
};

type Approvals = "never" | "writes" | undefined;

interface SessionNeeds {
  readonly agent: OpenedAgent;
  readonly connected: ConnectedAgent;
  readonly chosen: ChosenModel;
  readonly given: GivenOptions;
  readonly terminal: Terminal;
}

/** One session of the command line: its log is printed or read for its replies, and kept nowhere. */
class CommandSession {
  readonly #seed: string;
  readonly #needs: SessionNeeds;
  readonly #events: SessionEvent[] = [];

  constructor(seed: string, needs: SessionNeeds) {
    this.#seed = seed;
    this.#needs = needs;
  }

  /** Runs a turn to its end, a person's answers included. Answers whether it completed. */
  async send(message: string, approvals: Approvals): Promise<boolean> {
    const print = this.#needs.given.has("json") ? logPrinter(this.#needs.terminal) : replyPrinter(this.#needs.terminal);
    const take = async (events: Iterable<SessionEvent> | AsyncIterable<SessionEvent>) => {
      for await (const event of events) {
        this.#events.push(event);
        await print(event);
      }
    };
    await take(await this.#start());
    const options = this.#turnOptions(approvals);
    await take(runTurn({ ...options(), message }));
    for (let open = this.#openRequests(); open.length > 0; open = this.#openRequests()) {
      const resolutions = await answersOf(open, this.#needs.terminal);
      if (resolutions === undefined) throw failure(unansweredText(open, this.#needs.terminal));
      await take(resumeTurn({ ...options(), resolutions }));
    }
    const end = this.#events.findLast(({ type }) => type === "turn.completed" || type === "turn.failed");
    if (end?.type === "turn.failed") throw failure(`The turn failed (${end.data.code}): ${end.data.message}`);
    return true;
  }

  async #start(): Promise<SessionEvent[]> {
    const { report, opened } = this.#needs.agent;
    const definition = this.#needs.agent.definition();
    const asOf = this.#needs.given.text("as-of");
    return startSession({
      seed: this.#seed,
      ids: sessionIdsAt(this.#seed, 0, systemClock),
      clock: systemClock,
      agentId: definition.name,
      agentName: definition.name,
      definition: definitionJson(definition),
      definitionHash: definitionHash(definition),
      model: JSON.parse(JSON.stringify(this.#needs.chosen.settings)) as JsonObject,
      tools: [...report.offered, ...this.#needs.connected.tools].map(offeredTool),
      mounts: opened.mounts.map(({ prefix, kind, readOnly }) => ({ prefix, kind, readOnly })),
      snapshot: await treeIdentity(opened.tree),
      startedAt: new Date(systemClock()).toISOString(),
      ...(this.#needs.given.has("dry-run") ? { dryRun: true } : {}),
      ...(asOf === undefined ? {} : { asOf }),
    });
  }

  #turnOptions(approvals: Approvals): () => TurnOptions {
    const { settings, model, keyring } = this.#needs.chosen;
    const asOf = this.#needs.given.text("as-of");
    const sessionId = sessionIdFromSeed(this.#seed);
    const bound = this.#needs.connected.session({ sessionId, ...(asOf === undefined ? {} : { asOf }) });
    const { opened } = this.#needs.agent;
    return () => ({
      bound,
      events: [...this.#events],
      signal: this.#needs.terminal.signal,
      ...(approvals === undefined ? {} : { approvals }),
      ...(opened.observed === undefined ? {} : { treeForCall: opened.observed }),
      ...(settings.kind === "demo" || settings.temperature === undefined
        ? {}
        : { callSettings: { temperature: settings.temperature } }),
      services: {
        model,
        ids: sessionIdsAt(this.#seed, this.#events.length, systemClock),
        clock: systemClock,
        random: seededRandom(`${this.#seed}/retries/${this.#events.length}`),
        // The log that is printed names what it does not hold, and nothing more is kept.
        blobs: { put: async (text) => sha256HexSync(text) },
        durable: async () => undefined,
        keep: async () => undefined,
        scrub: (text) => keyring.scrub(text),
      },
    });
  }

  /** What waits for a person. */
  #openRequests(): readonly InputRequest[] {
    if (this.#events.at(-1)?.type !== "turn.waiting") return [];
    const answered = new Set<string>();
    const requests: InputRequest[] = [];
    for (const event of this.#events) {
      if (event.type === "input.requested") requests.push(...event.data.requests);
      if (event.type === "input.resolved") for (const { requestId } of event.data.resolutions) answered.add(requestId);
    }
    return requests.filter(({ requestId }) => !answered.has(requestId));
  }
}

function offeredTool({ name, description, inputSchema }: OfferedTool): OfferedTool {
  return { name, description, inputSchema };
}

function logPrinter(terminal: Terminal): (event: SessionEvent) => Promise<void> {
  return async (event) => {
    for await (const line of ndjsonFromEvents([event])) await terminal.write(line);
  };
}

function unansweredText(open: readonly InputRequest[], { isPersonThere }: Terminal): string {
  const calls = open.map(({ action }) => action.toolName).join(", ");
  const wayOut = isPersonThere
    ? ""
    : " Run it in a terminal, or with --approve never where the tool itself does not ask.";
  return `Nobody answered whether ${calls} may run.${wayOut}`;
}

/** @throws CommandError */
async function messageFrom(given: GivenOptions, terminal: Terminal): Promise<string> {
  const named = given.text("message");
  if (named === undefined && terminal.isPersonThere) throw usageError("run needs --message, or a message piped in.");
  const message = named ?? (await terminal.readInput());
  if (message.trim() === "") throw usageError("The message is empty.");
  return message;
}
