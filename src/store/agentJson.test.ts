import { describe, expect, test } from "vitest";
import { allowlistNames } from "../base";
import { tempFs } from "../fs";
import { agentDocumentFromJson } from "./agentJson";
import { agentJsonReport, agentJsonSchema, placedAgent } from "./agentJsonCheck";
import { jsonCompletions, jsonHover } from "./agentJsonCompletion";
import { agentJsonWithField } from "./agentJsonEdit";
import { agentJsonMarkers } from "./agentJsonMarkers";
import { parsedJson } from "./agentJsonParse";

const tree = tempFs({ "/a.txt": "a" });
const place = { instructions: "Work.", tree };

describe("agent.json as it is typed", () => {
  test("A text that is no JSON says where and what, and nothing else", () => {
    expect(agentJsonReport('{\n  "name": "A"\n  "maxSteps": 3\n}', place)).toEqual({
      problem: {
        words: "A comma is missing.",
        sentence: "agent.json is no JSON: line 3, column 3: A comma is missing.",
        line: 3,
        column: 3,
        offset: 18,
      },
      faults: [],
      warnings: [],
    });
    expect(
      ["", "{", '{"a":1,}', "[1] 2", '{"a": 1} // b', '{"a', "{'a': 1}"].filter((text) => "value" in parsedJson(text)),
    ).toEqual([]);
  });

  test("What parses is what JSON.parse makes of it", () => {
    for (const text of ["null", "[]", '"a"', "-1.5e3", '{"a": [1, {"b": null}]}', '{"name": "é\\u0000"}'])
      expect(parsedJson(text)).toEqual({ value: JSON.parse(text) });
  });

  test("A value that is no object, an unknown field, a field of elsewhere and one named twice are faults with a mend", () => {
    expect(agentJsonReport("[]", place).faults).toEqual([
      { field: "agent", problem: "It is not an object.", mend: "Give name and instructions at least." },
    ]);
    const { faults } = agentJsonReport('{"name": "A", "model": {}, "colour": 1, "name": "B"}', place);
    expect(faults).toEqual([
      { field: "model", problem: "The model is chosen in the header.", mend: "Choose it there, and take this out." },
      { field: "name", problem: "It stands there twice.", mend: "Take one of them out." },
      {
        field: "colour",
        problem: "There is no such field; it is ignored.",
        mend: "The fields are name, description, instructions, model, tools, maxSteps, root, runtime, local, cloud, approvals.",
      },
    ]);
  });

  test("Empty instructions are warned of and keep nothing from being saved", async () => {
    const { faults, warnings } = agentJsonReport('{"name": "A"}', { ...place, instructions: " " });
    expect([faults, warnings.map(({ field }) => field)]).toEqual([[], ["instructions"]]);
    expect(await agentDocumentFromJson('{"name": "A", "description": "d"}', " ")).toEqual({
      name: "A",
      description: "d",
      instructions: " ",
    });
  });

  test("On a virtual runtime the mounts are its tree: task may be listed, and web tools only come listed", () => {
    const virtual = '"runtime": { "kind": "local", "workspace": "virtual" }';
    const offered = (fields: string) =>
      agentJsonReport(`{"name": "A"${fields}}`, place).report?.offered.map(({ name }) => name);
    expect(offered(`, ${virtual}, "tools": ["read", "task"]`)).toEqual(["Read", "task"]);
    expect(agentJsonReport('{"name": "A", "tools": ["read", "task"]}', place).faults.map(({ field }) => field)).toEqual(
      ["root + tools"],
    );
    expect(offered("")).toContain("updateTodos");
    expect(offered(`, ${virtual}`)).not.toContain("updateTodos");
    expect(placedAgent({ name: "A", runtime: { kind: "local", workspace: "virtual" } }, tree)).toEqual({
      name: "A",
      runtime: { kind: "local", workspace: "virtual", tree },
    });
  });

  test("A fault that keeps the text from being saved is the one it says while it is typed", async () => {
    await expect(agentDocumentFromJson('{ "name": "A", "tools": ["reed"] }', "Work.")).rejects.toMatchObject({
      faults: agentJsonReport('{ "name": "A", "tools": ["reed"] }', place).faults,
    });
    await expect(agentDocumentFromJson("{ no json", "Work.")).rejects.toThrow(
      "agent.json is no JSON: line 1, column 3",
    );
  });
});

describe("A field of agent.json set by the form", () => {
  test("is changed where it stands, put in at the end, or taken out; the rest stays as it was written", () => {
    const text = '{ "name": "A",\n\n    "tools": ["read"] }\n';
    expect(agentJsonWithField(text, "name", "B")).toBe('{ "name": "B",\n\n    "tools": ["read"] }\n');
    expect(agentJsonWithField(text, "tools", undefined)).toBe('{\n  "name": "A"\n}\n');
    expect(JSON.parse(agentJsonWithField(text, "maxSteps", 4))).toEqual({ name: "A", tools: ["read"], maxSteps: 4 });
    expect(agentJsonWithField(text, "name", undefined)).not.toContain("name");
  });
});

test("The schema of agent.json has what a person may set here, each with its words", () => {
  const { properties, required } = agentJsonSchema();
  expect(Object.keys(properties)).toEqual(["name", "description", "tools", "maxSteps", "runtime", "approvals"]);
  expect(required).toEqual(["name"]);
  expect(Object.values(properties).every(({ description }) => typeof description === "string")).toBe(true);
});

describe("What agent.json may say where the cursor is", () => {
  const schema = agentJsonSchema();
  /** The cursor is the `|`. */
  const labelsAt = (marked: string) => {
    const offset = marked.indexOf("|");
    return jsonCompletions(marked.replace("|", ""), offset, schema).map(({ label }) => label);
  };
  const chosen = (marked: string, label: string) => {
    const offset = marked.indexOf("|");
    const text = marked.replace("|", "");
    const found = jsonCompletions(text, offset, schema).find((each) => each.label === label);
    return found && text.slice(0, found.start) + found.text + text.slice(found.end);
  };

  test("Names of fields that are not there yet, begun with a value of their kind", () => {
    expect(labelsAt('{ "name": "A", | }')).toEqual(["description", "tools", "maxSteps", "runtime", "approvals"]);
    expect(labelsAt("{|}")).toContain("name");
    expect(chosen('{ "name": "A", "app|" }', "approvals")).toBe('{ "name": "A", "approvals": "never" }');
    expect(chosen('{ "na|": "A" }', "name")).toBe('{ "name": "A" }');
    expect(chosen('{ "to|"', "tools")).toBe('{ "tools": []');
  });

  test("Values a field may have; names of the list that are not in it yet", () => {
    expect(labelsAt('{ "approvals": | }')).toEqual(["never", "writes"]);
    expect(labelsAt('{ "tools": ["read", "|"] }')).toEqual(allowlistNames.filter((name) => name !== "read"));
    expect(chosen('{ "tools": ["gr|"] }', "grep")).toBe('{ "tools": ["grep"] }');
    expect(JSON.parse(chosen('{ "runtime": | }', labelsAt('{ "runtime": | }')[0] ?? "") ?? "")).toEqual({
      runtime: { kind: "local", workspace: "virtual" },
    });
    expect(labelsAt('{ "runtime": { "kind": | } }')).toEqual(["local"]);
    expect([labelsAt('{ "name": | }'), labelsAt('{ "colour": | }'), labelsAt("[ | ]")]).toEqual([[], [], []]);
  });

  test("Never throws, whatever is typed", () => {
    const text = '{ "name": "A", "tools": ["read", 1], "runtime": { "kind": "local" } }';
    for (let end = 0; end <= text.length; end++)
      for (const part of [text.slice(0, end), `${text.slice(0, end)}]`, text])
        expect(Array.isArray(jsonCompletions(part, Math.min(end, part.length), schema))).toBe(true);
  });

  test("The words of a field are shown at its name and at its value", () => {
    const text = '{ "maxSteps": 3, "colour": 1 }';
    const told = "Model calls a turn may take.";
    expect(jsonHover(text, text.indexOf("max") + 1, schema)?.words).toBe(told);
    expect(jsonHover(text, text.indexOf("3"), schema)?.words).toBe(told);
    expect(jsonHover(text, text.indexOf("colour") + 1, schema)).toBeUndefined();
  });
});

test("A fault is marked at the entry, the field, or the brace of a field that is missing", () => {
  const text = '{ "tools": ["read", "reed"], "maxSteps": 0 }';
  const marked = agentJsonMarkers(text, agentJsonReport(text, place)).map(({ start, end, words }) => [
    text.slice(start, end),
    words.slice(0, words.indexOf(":")),
  ]);
  expect(marked).toEqual([
    ["{", "name"],
    ['"reed"', "tools"],
    ['"maxSteps": 0', "maxSteps"],
  ]);
  expect(agentJsonMarkers("{", agentJsonReport("{", place))).toEqual([{ start: 0, end: 1, words: "A } is missing." }]);
});

describe("agent.json of an agent on the host", () => {
  const host = (more = "", options = "") =>
    `{"name": "A", "runtime": { "kind": "local", "workspace": "host"${options} }${more}}`;
  const offered = (text: string) => agentJsonReport(text, place).report?.offered.map(({ name }) => name);

  test("is offered the host's tools, Shell among them; the list only narrows", () => {
    expect(offered(host())?.join(" ")).toBe(
      "Read LS Grep Glob Write StrReplace Delete Shell updateTodos readTodos task",
    );
    expect(offered(host(', "tools": ["read", "shell"]'))).toEqual(["Read", "Shell"]);
    expect(offered(host(', "tools": []'))).toEqual([]);
    expect(agentJsonReport(host(', "tools": ["semSearch"]'), place).faults.map(({ field }) => field)).toEqual([
      "tools + tree",
    ]);
    const { report } = agentJsonReport('{"name": "A"}', place);
    expect(report?.refused.find(({ name }) => name === "Shell")?.reason).toBe("A root has no shell.");
  });

  test("names directories of its disk only; the marker stands at the option", async () => {
    const text = host("", ', "options": { "workspaceDir": "/work", "cwd": "runs", "sandbox": true }');
    const report = agentJsonReport(text, place);
    expect(report.faults).toEqual([
      {
        field: "runtime.workspaceDir",
        problem: '"/work" does not lie on the host\'s disk, which is at /home/project.',
        mend: "Name a directory below /home/project, or a relative one.",
      },
    ]);
    const [marker] = agentJsonMarkers(text, report);
    expect(text.slice(marker?.start, marker?.end)).toBe('"workspaceDir": "/work"');
    const sound = host("", ', "options": { "workspaceDir": "app" }');
    expect(await agentDocumentFromJson(sound, "Work.")).toEqual({
      name: "A",
      instructions: "Work.",
      runtime: { kind: "local", workspace: "host", options: { workspaceDir: "app" } },
    });
    expect(placedAgent({ name: "A", runtime: { kind: "local", workspace: "host" } }, tree)).toEqual({
      name: "A",
      runtime: { kind: "local", workspace: "host", options: {} },
    });
    expect(agentJsonReport('{"name": "A", "local": {}}', place).faults.map(({ problem }) => problem)).toEqual([
      "Where the agent runs is said in runtime.",
    ]);
  });
});
