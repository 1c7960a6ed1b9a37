import { describe, expect, it } from "vitest";
import { importTrajectory, sessionFragment } from "../trajectory";
import { until, workbenchFixture, type WorkbenchFixture } from "../testing/workbenchFixture";

const sessionsOf = ({ workbench }: WorkbenchFixture) => workbench.session.getState();
const messagesOf = ({ workbench }: WorkbenchFixture) => workbench.notices.getState().notices.map(({ text }) => text);

const entry = (number: number, parent: number | undefined, fields: object) => ({
  uuid: `u${number}`,
  parentUuid: parent === undefined ? null : `u${parent}`,
  sessionId: "s1",
  timestamp: `2026-01-01T00:00:${String(number).padStart(2, "0")}.000Z`,
  version: "2.0.0",
  cwd: "/work",
  ...fields,
});
const said = (text: string) => ({ type: "user", message: { role: "user", content: text } });
const answered = (content: readonly object[]) => ({
  type: "assistant",
  message: { id: `m${JSON.stringify(content).length}`, role: "assistant", model: "m", content },
});
const calls = (id: string, name: string, input: object) => answered([{ type: "tool_use", id, name, input }]);
const result = (id: string, content: string) => ({
  type: "user",
  message: { role: "user", content: [{ type: "tool_result", tool_use_id: id, content }] },
});

/** A conversation with a subagent inline and a branch that was left. */
const CLAUDE = [
  entry(1, undefined, said("look around")),
  entry(2, 1, calls("c1", "Task", { prompt: "find it", description: "finding" })),
  entry(10, undefined, { ...said("find it"), isSidechain: true, agentId: "a1" }),
  entry(11, 10, { ...answered([{ type: "text", text: "Here it is." }]), isSidechain: true, agentId: "a1" }),
  entry(20, 2, result("c1", "Here it is.")),
  entry(21, 20, answered([{ type: "text", text: "Old answer." }])),
  entry(30, 20, answered([{ type: "text", text: `Found. ${"x".repeat(70_000)}` }])),
];
const lines = (entries: readonly object[]) => entries.map((each) => JSON.stringify(each)).join("\n");
const file = (text: string, name = "log.jsonl") => ({ name, contents: new Blob([text]) });

describe("importedSessions", () => {
  it("stores every session of a file of another program, linked, with its values and the original bytes", async () => {
    const fixture = await workbenchFixture();
    const text = lines(CLAUDE);
    const first = await sessionsOf(fixture).importSession(file(text));
    const { storage } = fixture.workbench;
    const sessions = await storage.sessions();
    const original = sessions[0]?.imported?.original ?? "";
    expect(sessions.map(({ name, status, origin, imported }) => ({ name, status, origin, imported }))).toMatchObject([
      {
        name: "look around",
        status: "ready",
        origin: "import",
        imported: { format: "claude-code", version: "2.0.0", fileName: "log.jsonl", original, recordedId: "s1" },
      },
      { name: "find it", imported: { parent: { sessionId: first, callId: "c1" }, original } },
      { name: "log.jsonl · Branch 1", imported: { branchOf: first, branch: "Branch 1", original } },
    ]);
    expect(new TextDecoder().decode(await storage.blobs.get(original))).toBe(text);
    expect(new TextDecoder().decode(await storage.blobs.slice(original, 10, 20))).toBe(text.slice(10, 20));
    expect(messagesOf(fixture)).toEqual([expect.stringMatching(/^Imported log\.jsonl: \d+ events in 3 sessions/)]);
    expect(sessionsOf(fixture).imports).toEqual([]);
    expect(sessionsOf(fixture).sessions).toHaveLength(3);
  });

  it("keeps the files of a folder one by one, and a list of them", async () => {
    const fixture = await workbenchFixture();
    const [a, b] = [lines(CLAUDE.slice(0, 2)), lines([entry(1, undefined, { ...said("two"), sessionId: "s2" })])];
    await sessionsOf(fixture).importSessions({
      name: "project",
      files: [
        { path: "project/a.jsonl", blob: new Blob([a]) },
        { path: "project/b.jsonl", blob: new Blob([b]) },
      ],
    });
    const { storage } = fixture.workbench;
    const [{ imported } = {}] = await storage.sessions();
    const list = (await storage.blobs.getText(imported?.original ?? "")) ?? "";
    const kept = await Promise.all(
      list
        .trim()
        .split("\n")
        .map(async (line) => [line.slice(66), await storage.blobs.getText(line.slice(0, 64))]),
    );
    expect(Object.fromEntries(kept)).toEqual({ "project/a.jsonl": a, "project/b.jsonl": b });
  });

  it("says of a log that breaks off in the middle that it was cut, and never that it runs", async () => {
    const fixture = await workbenchFixture();
    const events = [
      { type: "session.started", data: { runtime: { agentId: "a", eveVersion: "26" } } },
      { type: "turn.started", data: { turnId: "turn_0", sequence: 0 } },
      { type: "message.received", data: { turnId: "turn_0", sequence: 0, message: "go" } },
    ].map((event, index) => ({ ...event, meta: { id: `evt_${index}`, at: "2026-01-01T00:00:00.000Z" } }));
    await sessionsOf(fixture).importSession(file(lines(events), "cut.ndjson"));
    expect(sessionsOf(fixture).sessions).toMatchObject([{ status: "cut", name: "go", imported: { format: "eve" } }]);
  });

  it("takes the session a link holds, and says of a broken link that it is", async () => {
    const fixture = await workbenchFixture();
    const { sessions } = await importTrajectory({ files: [{ path: "log.jsonl", blob: new Blob([lines(CLAUDE)]) }] });
    const link = (await sessionFragment({ sessions })) ?? "";
    const id = await sessionsOf(fixture).importLink(`#${link}`);
    expect(sessionsOf(fixture).sessions).toMatchObject([{ id, origin: "import" }]);
    expect(await sessionsOf(fixture).importLink("#session=broken")).toBeUndefined();
    expect(messagesOf(fixture)).toEqual([
      expect.stringMatching(/^Imported linked session: \d+ events/),
      "The session in the link cannot be read.",
    ]);
  });

  it("offers in its notice what it is asked to, of the first session", async () => {
    const fixture = await workbenchFixture();
    const run = () => undefined;
    const offered: string[] = [];
    const first = await sessionsOf(fixture).importSessions(
      { name: "log.jsonl", files: [{ path: "log.jsonl", blob: new Blob([lines(CLAUDE.slice(0, 1))]) }] },
      (sessionId) => {
        offered.push(sessionId);
        return { label: "Open", run };
      },
    );
    expect(offered).toEqual([first]);
    expect(fixture.workbench.notices.getState().notices).toMatchObject([{ action: { label: "Open", run } }]);
  });

  it("stores hundreds of small sessions, told of how many events, with few looks at the list", async () => {
    const fixture = await workbenchFixture();
    const { storage } = fixture.workbench;
    const text = Array.from(
      { length: 300 },
      (_, chat) =>
        `# aider chat started at 2026-01-01 00:00:${String(chat % 60).padStart(2, "0")}\n\n#### question ${chat}\n\nAnswer ${chat}.\n`,
    ).join("\n");
    let looks = 0;
    const list = storage.sessions.bind(storage);
    Object.assign(storage, { sessions: () => (looks++, list()) });
    const told = new Set<string>();
    const stop = fixture.workbench.session.subscribe(({ imports: [each] }) => {
      if (each?.storedEvents !== undefined) told.add(each.storedEvents <= each.events ? "of a total" : "of nothing");
    });
    await sessionsOf(fixture).importSession(file(text, ".aider.chat.history.md"));
    stop();
    expect(sessionsOf(fixture).sessions).toHaveLength(300);
    expect([...told]).toEqual(["of a total"]);
    expect(looks).toBeLessThan(20);
  });

  it("says in a sentence why a file cannot be read, and leaves nothing", async () => {
    const fixture = await workbenchFixture();
    expect(await sessionsOf(fixture).importSession(file("not a log at all", "notes.txt"))).toBeUndefined();
    expect(messagesOf(fixture)).toEqual([
      expect.stringMatching(/^notes\.txt was not imported: Nothing in it is a session/),
    ]);
    expect(await fixture.workbench.storage.sessions()).toEqual([]);
  });

  it("takes back what was stored when it is stopped in the middle", async () => {
    const fixture = await workbenchFixture();
    const { storage } = fixture.workbench;
    const turns = Array.from({ length: 300 }, (_, turn) => [
      entry(2 * turn + 1, turn === 0 ? undefined : 2 * turn, said(`turn ${turn}`)),
      entry(2 * turn + 2, 2 * turn + 1, answered([{ type: "text", text: "y".repeat(turn < 10 ? 70_000 + turn : 9) }])),
    ]).flat();
    const importing = sessionsOf(fixture).importSession(file(lines(turns)));
    await until(() => (sessionsOf(fixture).imports[0]?.storedEvents ?? 0) > 0, "the first stored events");
    const [going] = sessionsOf(fixture).imports;
    expect(sessionsOf(fixture).sessions).toEqual([]);
    expect(await storage.sessions()).toHaveLength(1);
    let saidStopping = false;
    const stop = fixture.workbench.session.subscribe(({ imports: [each] }) => {
      if (each?.isStopping === true) saidStopping = true;
    });
    sessionsOf(fixture).cancelImport(going?.id ?? "");
    expect(await importing).toBeUndefined();
    stop();
    expect(saidStopping).toBe(true);
    expect(await storage.sessions()).toEqual([]);
    await storage.sweep();
    const left = await storage.database.records.read((reader) => reader.keys({ prefix: [] }));
    expect(
      left.filter(([kind]) => kind === "b" || kind === "l" || kind === "r" || kind === "s" || kind === "e"),
    ).toEqual([]);
    expect(messagesOf(fixture)).toEqual(["The import of log.jsonl was stopped."]);
  });
});
