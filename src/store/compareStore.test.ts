import { describe, expect, it } from "vitest";
import { createModel, type LanguageModelV4, type LanguageModelV4StreamPart } from "../model";
import type { SessionEvent } from "../session";
import { createKeyring } from "../secrets";
import { finishPart, scriptedModel, textParts } from "../testing/scriptedModel";
import { workbenchFixture, type WorkbenchFixture } from "../testing/workbenchFixture";
import { endedAlike, pairMetrics } from "./comparePairs";
import { compareSentence } from "./compareSentence";
import type { ArmSide, CompareRun } from "./compareState";
import type { ProjectDocument } from "./projectDocument";

const repository = {
  "/src/store.ts": "export const store = 1; // TODO reopen\n",
  "/src/other.ts": "export const other = 2;\n",
};
const document = {
  mounts: [
    { id: "repo", prefix: "/repo", kind: "memory", readOnly: false, color: 1, seed: repository },
    { id: "skills", prefix: "/skills", kind: "memory", readOnly: true, color: 2, seed: { "/how.md": "Be brief.\n" } },
  ],
  compare: {
    variants: [
      { id: "a", label: "Baseline", instructions: "Read the files you need.\n" },
      { id: "b", label: "Search", instructions: "Search with Grep before you read; read only what it finds.\n" },
    ],
    prompts: ["Find the TODOs in /repo/src and note them in /repo/notes.md."],
  },
} as const satisfies Partial<ProjectDocument>;

const compareOf = ({ workbench }: WorkbenchFixture) => workbench.compare.getState();

async function eventsOf({ workbench }: WorkbenchFixture, sessionId: string | undefined): Promise<SessionEvent[]> {
  const events: SessionEvent[] = [];
  for await (const batch of workbench.storage.log(sessionId ?? "").read()) events.push(...batch);
  return events;
}

async function callsOf(fixture: WorkbenchFixture, run: CompareRun | undefined): Promise<string[]> {
  const events = await eventsOf(fixture, run?.sessionId);
  return events.flatMap((event) =>
    event.type === "actions.requested"
      ? event.data.actions.map(({ toolName, input }) => `${toolName} ${JSON.stringify(input)}`)
      : [],
  );
}

/** A model that writes what its instructions name, then answers. */
function writer(): LanguageModelV4 {
  const base = scriptedModel([]);
  return {
    ...base,
    doStream({ prompt }) {
      const system = prompt.find(({ role }) => role === "system")?.content as string;
      const word = /"(\w+)"/.exec(system)?.[1] ?? "none";
      const step = prompt.filter(({ role }) => role === "tool").length;
      const calls = [
        { toolName: "Glob", input: { globPattern: "**/*.md" } },
        { toolName: "Write", input: { path: `/repo/${word}.md`, fileText: `${word}\n` } },
        { toolName: "Write", input: { path: "/repo/both.md", fileText: "same\n" } },
        { toolName: "Write", input: { path: "/skills/how.md", fileText: "no\n" } },
        { toolName: "Glob", input: { globPattern: "**/*.md" } },
      ];
      const call = calls[step];
      const parts =
        call === undefined
          ? [...textParts("t", `Wrote ${word}.`), finishPart("stop", { input: 10, output: 2 })]
          : [
              {
                type: "tool-call" as const,
                toolCallId: `c${step}`,
                toolName: call.toolName,
                input: JSON.stringify(call.input),
              },
              finishPart("tool-calls", { input: 10, output: 2 }),
            ];
      const stream = new ReadableStream<LanguageModelV4StreamPart>({
        start(controller) {
          for (const part of parts) controller.enqueue(part);
          controller.close();
        },
      });
      return Promise.resolve({ stream });
    },
  };
}

const writers = {
  ...document.compare,
  variants: [
    { id: "a", label: "One", instructions: 'Write "apple".' },
    { id: "b", label: "Two", instructions: 'Write "birch".' },
  ],
};

describe("createCompareStore", () => {
  it("runs both arms on the same start, each on a fork of its own; the real tree stays as it is", async () => {
    const fixture = await workbenchFixture({ document: { ...document, compare: writers }, model: writer() });
    const before = await fixture.workbench.mounts.getState().currentSnapshot();
    await compareOf(fixture).run();
    const { pairs, files, status, lines } = compareOf(fixture);
    const [pair] = pairs;
    expect([status, pair?.a.state, pair?.b.state]).toEqual(["idle", "completed", "completed"]);
    expect(await (await fixture.workbench.mounts.getState().currentSnapshot()).rootHash()).toBe(
      await before.rootHash(),
    );
    expect(files).toEqual([
      { path: "/repo/apple.md", a: "added", b: undefined, isSame: false },
      { path: "/repo/birch.md", a: undefined, b: "added", isSame: false },
      { path: "/repo/both.md", a: "added", b: "added", isSame: true },
    ]);
    // The last listing of each arm holds its own files and not the other's; the read-only mount refused.
    for (const [side, own, other] of [
      ["a", "apple", "birch"],
      ["b", "birch", "apple"],
    ] as const) {
      const results = (await eventsOf(fixture, pair?.[side].sessionId)).filter(
        (event) => event.type === "action.result",
      );
      const last = JSON.stringify(results.at(-1)?.data.result.output);
      expect([last.includes(own), last.includes(other)]).toEqual([true, false]);
      expect(results.map(({ data }) => data.status)).toEqual([
        "completed",
        "completed",
        "completed",
        "failed",
        "completed",
      ]);
      expect(results[1]?.data.served?.map(({ mount }) => mount)).toContain("/repo");
    }
    expect(lines.filter(({ kind }) => kind === "call").map(({ relation }) => relation)).toEqual([
      "same",
      "parted",
      "same",
      "same",
      "same",
    ]);
    expect(pair && compareSentence(pair, files)).toBe(
      "A changed 2 files, B changed 2; 2 files ended different. Both made 5 tool calls on this prompt.",
    );
    expect(pair && endedAlike(pair)).toBe(false);
    const figures = pairMetrics(pairs).map(({ metric, means }) => [metric.id, ...means]);
    expect(figures).toContainEqual(["toolCalls", 5, 5]);
    expect(figures).toContainEqual(["inputTokens", 60, 60]);
    expect(figures).toContainEqual(["costUsd", undefined, undefined]);
    const difference = await compareOf(fixture).fileDifference("/repo/apple.md", "a-b");
    expect([difference.kind, difference.lines]).toEqual(["deleted", [{ kind: "removed", text: "apple" }]]);
  });

  it("saves every run as a session of the comparison, with the arm it was assigned", async () => {
    const fixture = await workbenchFixture({ document: { ...document, compare: writers }, model: writer() });
    await compareOf(fixture).run();
    const { record, pairs } = compareOf(fixture);
    const sessions = await fixture.workbench.storage.sessions();
    expect(sessions.map(({ origin, experimentId, status }) => [origin, experimentId, status])).toEqual(
      [1, 2].map(() => ["compare", record?.plan.id, "ready"]),
    );
    const [started, assigned] = await eventsOf(fixture, pairs[0]?.b.sessionId);
    expect(assigned?.type === "ab.assigned" && assigned.data).toEqual({
      name: record?.plan.id,
      variant: "b",
      label: "Two",
    });
    expect(started?.type === "session.started" && started.data.playground?.snapshot).toBe(record?.tree);
  });

  it("makes the same calls again with the same seed", async () => {
    const calls = async () => {
      const model = await createModel({ kind: "demo" }, { keyring: createKeyring() });
      const fixture = await workbenchFixture({ document, model });
      await compareOf(fixture).run();
      const [pair] = compareOf(fixture).pairs;
      return [await callsOf(fixture, pair?.a), await callsOf(fixture, pair?.b)];
    };
    const [first, second] = [await calls(), await calls()];
    expect(first).toEqual(second);
    expect(first.flat().length).toBeGreaterThan(2);
  });

  it("marks a run whose model cannot be reached as no result, and runs it again on its own", async () => {
    let reachable = false;
    const good = writer();
    const model: LanguageModelV4 = {
      ...good,
      doStream(options) {
        const isB = JSON.stringify(options.prompt).includes("birch");
        if (isB && !reachable) return Promise.reject(Object.assign(new Error("401"), { statusCode: 401 }));
        return good.doStream(options);
      },
    };
    const fixture = await workbenchFixture({ document: { ...document, compare: writers }, model });
    await compareOf(fixture).run();
    const states = () => compareOf(fixture).pairs.map(({ a, b }) => [a.state, b.state]);
    expect(states()).toEqual([["completed", "environment"]]);
    const first = compareOf(fixture).pairs[0]?.a.sessionId;
    expect(compareOf(fixture).files?.length).toBe(2);
    reachable = true;
    await compareOf(fixture).runRest();
    expect(states()).toEqual([["completed", "completed"]]);
    expect(compareOf(fixture).pairs[0]?.a.sessionId).toBe(first);
    expect(compareOf(fixture).files?.length).toBe(3);
  });

  it("keeps what is done after a stop, shows it after a reload, and goes on with the rest", async () => {
    const many = { ...writers, prompts: ["one", "two"], repeats: 2, concurrency: 1 };
    const before = await workbenchFixture({ document: { ...document, compare: many }, model: writer() });
    const results = (fixture: WorkbenchFixture) =>
      compareOf(fixture)
        .pairs.flatMap(({ a, b }) => [a.state, b.state])
        .filter((state) => state === "completed").length;
    before.workbench.compare.subscribe(({ status, stop }) => {
      if (status === "running" && results(before) === 2) stop();
    });
    await compareOf(before).run();
    const done = results(before);
    expect(done).toBeLessThan(8);
    const { record } = compareOf(before);
    await before.workbench.project.getState().flush();
    await before.workbench.dispose();

    const after = await workbenchFixture({ from: before, model: writer() });
    await compareOf(after).open();
    expect([results(after), compareOf(after).record]).toEqual([done, record]);
    await compareOf(after).runRest();
    expect(results(after)).toBe(8);
    const seeds = compareOf(after).pairs.map(({ a, b }) => [a, b].map(({ planned }) => planned.seed));
    expect(new Set(seeds.flat()).size).toBe(4);
    for (const [a, b] of seeds) expect(a).toBe(b);
  });

  it("takes an arm's instructions for the agent, and can be undone", async () => {
    const fixture = await workbenchFixture({ document });
    const instructions = () => fixture.workbench.project.getState().agent.instructions;
    const before = instructions();
    compareOf(fixture).takeInstructions("b" satisfies ArmSide, "written");
    expect(instructions()).toBe(document.compare.variants[1].instructions);
    fixture.workbench.notices.getState().notices.at(-1)?.action?.run();
    expect(instructions()).toBe(before);
  });

  it("takes the text that ran, though it was edited since", async () => {
    const fixture = await workbenchFixture({ document: { ...document, compare: writers }, model: writer() });
    const instructions = () => fixture.workbench.project.getState().agent.instructions;
    await compareOf(fixture).run();
    const [a, b] = writers.variants;
    if (!a || !b) throw new Error("two variants");
    fixture.workbench.project.getState().changeCompare({ variants: [a, { ...b, instructions: "Never ran." }] });
    compareOf(fixture).takeInstructions("b", "ran");
    expect(instructions()).toBe(b.instructions);
    compareOf(fixture).takeInstructions("b", "written");
    expect(instructions()).toBe("Never ran.");
  });

  it("shows the instructions line by line as they are written", async () => {
    const fixture = await workbenchFixture({ document });
    await compareOf(fixture).open();
    const [a, b] = document.compare.variants;
    fixture.workbench.project.getState().changeCompare({
      variants: [
        { ...a, instructions: "One.\nTwo.\n" },
        { ...b, instructions: "One.\nThree.\n" },
      ],
    });
    expect(compareOf(fixture).instructions).toEqual({
      a: [
        { kind: "same", text: "One." },
        { kind: "removed", text: "Two." },
      ],
      b: [
        { kind: "same", text: "One." },
        { kind: "added", text: "Three." },
      ],
    });
  });
});
