import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { tempFs } from "../fs";
import { defineAgent } from "./defineAgent";
import { cloudRuntime, grokbotRuntime, localRuntime, sandboxRuntime, virtualRuntime } from "./runtime";
import { sendTarget, sessionCwd, type SendTarget } from "./sendTarget";

const base = { name: "reviewer", instructions: "Review." };
const docs = readFileSync("docs/runtime.md", "utf8");
const cloud = { repos: ["a"] };

type Fields = Readonly<Record<string, unknown>>;
type Kept = readonly [title: string, agent: Fields, sent: Fields, target: SendTarget];
type Refused = readonly [title: string, agent: Fields, sent: Fields, field: string, problem: string, mend: string];

function target(agent: Fields, sent: Fields, current?: SendTarget): SendTarget {
  return sendTarget(defineAgent({ ...base, ...agent }), sent, current);
}

const KEPT: readonly Kept[] = [
  ["localRuntime, nothing sent", {}, {}, { where: "host", options: {} }],
  [
    "localRuntime + cloudRuntime: attach",
    { runtime: localRuntime() },
    { runtime: cloudRuntime({ repos: ["b"] }) },
    { where: "cloud", options: { repos: ["b"] } },
  ],
  [
    "an agent without a runtime, with a base for the cloud + cloudRuntime: the options sent, not merged",
    { cloud: { repos: ["a"], environment: "big" } },
    { runtime: cloudRuntime({ repos: ["b"] }) },
    { where: "cloud", options: { repos: ["b"] } },
  ],
  [
    "localRuntime + localRuntime: overlay of the directory",
    { runtime: localRuntime({ workspaceDir: "/repo", sandbox: true }) },
    { runtime: localRuntime({ workspaceDir: "/pull" }) },
    { where: "host", options: { workspaceDir: "/pull", sandbox: true } },
  ],
  [
    "localRuntime + localRuntime with a base directory: it takes the place of the agent's exact one",
    { runtime: localRuntime({ workspaceDir: "/repo" }) },
    { runtime: localRuntime({ cwd: "/pulls" }) },
    { where: "host", options: { cwd: "/pulls" } },
  ],
  [
    "localRuntime + sandboxRuntime: overlay of the sandbox",
    { local: { workspaceDir: "/repo" } },
    { runtime: sandboxRuntime() },
    { where: "host", options: { workspaceDir: "/repo", sandbox: true } },
  ],
  [
    "cloudRuntime + cloudRuntime: replaced, not merged",
    { runtime: cloudRuntime({ repos: ["a"], environment: "big" }) },
    { runtime: cloudRuntime({ repos: ["b"] }) },
    { where: "cloud", options: { repos: ["b"] } },
  ],
  [
    "localRuntime + the older send.cloud: merged over the agent's cloud",
    { cloud: { repos: ["a"], environment: "big" } },
    { cloud: { repos: ["b"] } },
    { where: "cloud", options: { repos: ["b"], environment: "big" } },
  ],
  [
    "cloudRuntime + the older send.cloud: merged over its options",
    { runtime: cloudRuntime({ repos: ["a"], environment: "big" }) },
    { cloud: { repos: ["b"] } },
    { where: "cloud", options: { repos: ["b"], environment: "big" } },
  ],
  [
    "localRuntime + the older send.workspaceDir: overlay",
    { runtime: "local", local: { sandbox: true } },
    { workspaceDir: "/pull" },
    { where: "host", options: { workspaceDir: "/pull", sandbox: true } },
  ],
  [
    "cloudRuntime + the older send.workspaceDir: ignored",
    { runtime: "cloud", cloud },
    { workspaceDir: "/pull" },
    { where: "cloud", options: cloud },
  ],
  ["virtualRuntime, nothing sent", { runtime: virtualRuntime() }, {}, { where: "tree" }],
  ["root, nothing sent", { root: tempFs() }, {}, { where: "tree" }],
  ["grokbotRuntime, nothing sent", { runtime: grokbotRuntime() }, {}, { where: "grokbot" }],
];

test.each(KEPT)("%s", (_title, agent, sent, expected) => {
  expect(target(agent, sent)).toEqual(expected);
});

const NO_TREE_CHANGE = [
  "A session on a tree of its own stays on it.",
  "Send without it, or define another agent for that.",
] as const;
const NOT_HERE = [
  "A session in the cloud cannot be brought here.",
  "Send without it, or define an agent that runs here.",
] as const;
const NO_GROKBOT_CHANGE = [
  "A grokbot session stays where it is.",
  "Send without it, or define another agent for that.",
] as const;
const NO_LIST = [
  "A cloud loop chooses its own tools and cannot be held to a list.",
  "Take tools out of the agent, or do not send it to the cloud.",
] as const;
const TO_GROKBOT = [
  "No session can be sent to a grokbot loop.",
  "Define an agent with runtime: grokbotRuntime().",
] as const;

const virtual = { runtime: virtualRuntime(tempFs()) };
const rooted = { root: tempFs() };
const REFUSED: readonly Refused[] = [
  [
    "localRuntime that lists tools + cloudRuntime",
    { tools: ["read"] },
    { runtime: cloudRuntime(cloud) },
    "tools + send.runtime",
    ...NO_LIST,
  ],
  ["localRuntime that lists tools + the older send.cloud", { tools: [] }, { cloud }, "tools + send.cloud", ...NO_LIST],
  [
    "localRuntime + virtualRuntime",
    { runtime: localRuntime() },
    { runtime: virtualRuntime(tempFs()) },
    "runtime + send.runtime",
    "A session cannot get a new tree in its middle.",
    "Define an agent with virtualRuntime(fs), or send localRuntime() to change the directory.",
  ],
  ...(
    [
      ["cloudRuntime", cloudRuntime(cloud)],
      ["localRuntime", localRuntime()],
      ["localRuntime with a directory", localRuntime({ workspaceDir: "/x" })],
      ["sandboxRuntime", sandboxRuntime()],
      ["virtualRuntime", virtualRuntime()],
    ] as const
  ).flatMap(([name, runtime]): Refused[] => [
    [`virtualRuntime + ${name}`, virtual, { runtime }, "runtime + send.runtime", ...NO_TREE_CHANGE],
    [`root + ${name}`, rooted, { runtime }, "root + send.runtime", ...NO_TREE_CHANGE],
    [
      `grokbotRuntime + ${name}`,
      { runtime: grokbotRuntime() },
      { runtime },
      "runtime + send.runtime",
      ...NO_GROKBOT_CHANGE,
    ],
  ]),
  ["virtualRuntime + the older send.cloud", virtual, { cloud }, "runtime + send.cloud", ...NO_TREE_CHANGE],
  ["root + the older send.workspaceDir", rooted, { workspaceDir: "/x" }, "root + send.workspaceDir", ...NO_TREE_CHANGE],
  [
    "virtualRuntime + the older send.workspaceDir",
    virtual,
    { workspaceDir: "/x" },
    "runtime + send.workspaceDir",
    ...NO_TREE_CHANGE,
  ],
  ["grokbot + the older send.cloud", { runtime: "grokbot" }, { cloud }, "runtime + send.cloud", ...NO_GROKBOT_CHANGE],
  [
    "grokbot + the older send.workspaceDir",
    { runtime: "grokbot" },
    { workspaceDir: "/x" },
    "runtime + send.workspaceDir",
    ...NO_GROKBOT_CHANGE,
  ],
  [
    "cloudRuntime + localRuntime",
    { runtime: cloudRuntime(cloud) },
    { runtime: localRuntime() },
    "runtime + send.runtime",
    ...NOT_HERE,
  ],
  [
    "cloudRuntime + sandboxRuntime",
    { runtime: "cloud", cloud },
    { runtime: sandboxRuntime() },
    "runtime + send.runtime",
    ...NOT_HERE,
  ],
  [
    "cloudRuntime + virtualRuntime",
    { runtime: cloudRuntime(cloud) },
    { runtime: virtualRuntime() },
    "runtime + send.runtime",
    ...NOT_HERE,
  ],
  ...[{}, virtual, rooted, { runtime: cloudRuntime(cloud) }, { runtime: grokbotRuntime() }].map(
    (agent, index): Refused => [
      `${["localRuntime", "virtualRuntime", "root", "cloudRuntime", "grokbotRuntime"][index] ?? ""} + grokbotRuntime`,
      agent,
      { runtime: grokbotRuntime() },
      "send.runtime",
      ...TO_GROKBOT,
    ],
  ),
  [
    "send.runtime + send.cloud",
    {},
    { runtime: cloudRuntime(cloud), cloud },
    "send.runtime + send.cloud",
    "They are two ways to say where the session runs.",
    "Put the options into cloudRuntime(options).",
  ],
  [
    "send.runtime + send.workspaceDir",
    {},
    { runtime: localRuntime(), workspaceDir: "/x" },
    "send.runtime + send.workspaceDir",
    "They are two ways to say where the session runs.",
    "Put the directory into localRuntime({ workspaceDir }).",
  ],
  [
    "a runtime that is none",
    {},
    { runtime: "cloud" },
    "send.runtime",
    '"cloud" is no runtime.',
    "Use cloudRuntime({ repos }), localRuntime() or sandboxRuntime().",
  ],
  ["options that are none", {}, { cloud: "x" }, "send.cloud", '"x" is no object.', "Give repos in an object."],
  [
    "a directory that is none",
    {},
    { workspaceDir: " " },
    "send.workspaceDir",
    '" " is no directory.',
    "Give the path of a directory.",
  ],
];

describe("Refused", () => {
  test.each(REFUSED)("%s", (_title, agent, sent, field, problem, mend) => {
    let thrown: unknown;
    try {
      target(agent, sent);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toMatchObject({ code: "discovery", faults: [{ field, problem, mend }] });
  });

  test("docs/runtime.md tells each of them", () => {
    const problems = REFUSED.filter(([title]) => !title.endsWith("none")).flatMap(([, , , , ...texts]) => texts);
    expect(problems.filter((text) => !docs.includes(text))).toEqual([]);
  });
});

test("A message says in one way where its session runs", () => {
  expect(() => target({}, { cloud, workspaceDir: "/x" })).toThrow(
    "send.cloud + send.workspaceDir: They are two ways to say where the session runs. Send one of them.",
  );
});

test("A message's options of the host's disk are checked", () => {
  const runtime = localRuntime({ workspaceDir: 7 } as never);
  expect(() => target({}, { runtime })).toThrow(
    "send.runtime.workspaceDir: 7 is no directory. Give the path of a directory.",
  );
});

test("Where a message sent the session holds for the messages after it", () => {
  const attached = target({}, { runtime: cloudRuntime(cloud) });
  expect(target({}, {}, attached)).toBe(attached);
  expect(target({}, { runtime: cloudRuntime({ repos: ["b"] }) }, attached)).toEqual({
    where: "cloud",
    options: { repos: ["b"] },
  });
  expect(() => target({}, { runtime: localRuntime() }, attached)).toThrow(
    "A session in the cloud cannot be brought here.",
  );
  const overlaid = target({ local: { cwd: "/a" } }, { workspaceDir: "/pull" });
  expect(target({ local: { cwd: "/a" } }, {}, overlaid)).toEqual({
    where: "host",
    options: { cwd: "/a", workspaceDir: "/pull" },
  });
});

test.each([
  ["the directory sent", { cwd: "/agents", workspaceDir: "/repo" }, { workspaceDir: "/pull" }, "/pull"],
  ["the agent's own directory", { cwd: "/agents", workspaceDir: "/repo/" }, {}, "/repo"],
  ["cwd/<session id>", { cwd: "/agents" }, {}, "/agents/ses_1"],
  ["the session's own directory", {}, {}, "/sessions/ses_1"],
])("A session on the host's disk works in %s", (_title, local, sent, cwd) => {
  const { options } = target({ local }, sent) as Extract<SendTarget, { where: "host" }>;
  expect(sessionCwd(options, { sessionId: "ses_1", sessionDirectory: "/sessions/ses_1" })).toBe(cwd);
});
