import { expect, test } from "vitest";
import { agentReport } from "../agent";
import { limits } from "../base";
import { tempFs } from "../fs";
import { promptPreview } from "./promptPreview";
import { foundSkills, newSkillPath, newSkillText, skillFolderProblem } from "./skills";

const head = (name: string, description: string) => `---\nname: ${name}\ndescription: ${description}\n---\nBody\n`;

test("Skills are the SKILL.md files in folders of their own, but for packages' and hidden ones, by path", async () => {
  const tree = tempFs({
    "/work/skills/audit/SKILL.md": head("audit", "How to audit."),
    "/agent/changelog/SKILL.md": head("changelog", "How to write it."),
    "/SKILL.md": head("root", "In no folder."),
    "/work/node_modules/p/skills/x/SKILL.md": head("x", "A package's."),
    "/work/.cache/skills/y/SKILL.md": head("y", "Hidden."),
    "/work/skills/audit/notes.md": "n",
  });
  expect(await foundSkills(tree)).toEqual({
    skills: [
      { path: "/agent/changelog/SKILL.md", name: "changelog", description: "How to write it.", faults: [] },
      { path: "/work/skills/audit/SKILL.md", name: "audit", description: "How to audit.", faults: [] },
    ],
    isCut: false,
  });
});

test("What a front matter does not say is told, with what serves instead", async () => {
  const faultsOf = async (text: string | Uint8Array) => {
    const { skills } = await foundSkills(tempFs({ "/s/audit/SKILL.md": text }));
    return skills[0];
  };
  expect(await faultsOf("# Auditing\n")).toMatchObject({
    name: "audit",
    description: "Auditing",
    faults: ["It has no front matter: the folder's name and its first line serve."],
  });
  expect((await faultsOf("---\nname: a\n# No end"))?.faults).toEqual([
    "Its front matter has no closing ---: it is read as text.",
  ]);
  expect((await faultsOf("---\ndescription: d\n---\n"))?.faults).toEqual([
    "Its front matter names it nowhere: it is called audit, as its folder is.",
  ]);
  expect((await faultsOf("---\nname: a\n---\nFirst"))?.faults).toEqual([
    "Its front matter does not describe it: its first line serves.",
  ]);
  expect((await faultsOf(""))?.faults.at(-1)).toBe("It says nowhere what it is for: the model is told its name alone.");
  expect((await faultsOf(new Uint8Array([0, 1, 2])))?.faults).toEqual([
    "It is too large, or no text: only its path is told.",
  ]);
  const long = await faultsOf(head("a", "d".repeat(limits.skillDescriptionCharacters + 1)));
  expect(long?.description).toHaveLength(limits.skillDescriptionCharacters + 1);
});

test("Two of one name are told apart by their paths", async () => {
  const { skills } = await foundSkills(tempFs({ "/a/x/SKILL.md": head("x", "d"), "/b/x/SKILL.md": head("x", "d") }));
  expect(skills.map(({ faults }) => faults)).toEqual([
    ["/b/x/SKILL.md is called x too."],
    ["/a/x/SKILL.md is called x too."],
  ]);
});

test("A new skill is sound as it is made", async () => {
  expect(skillFolderProblem("audit-2")).toBeUndefined();
  expect([skillFolderProblem(""), skillFolderProblem("a/b"), skillFolderProblem("..")].every(Boolean)).toBe(true);
  const { skills } = await foundSkills(tempFs({ [newSkillPath("/work", "audit")]: newSkillText("audit") }));
  expect(skills).toMatchObject([{ path: "/work/skills/audit/SKILL.md", name: "audit", faults: [] }]);
});

test("The prompt that would be sent first is told part by part, with the skills and the tools' schemas", async () => {
  const tree = tempFs({ "/s/audit/SKILL.md": head("audit", "How to audit.") });
  const { definition } = agentReport({ name: "A", instructions: "Work.", tools: ["read"], root: tree }, { tree });
  if (!definition) throw new Error("The definition is sound.");
  const mounts = [{ prefix: "/s", readOnly: true }];
  const parts = await promptPreview(definition, { tree, mounts, harnessTools: {}, asOf: "2026-01-01T00:00:00Z" });
  expect(parts.map(({ owner, title }) => [owner, title])).toEqual([
    ["instructions", "instructions"],
    ["identity", "identity"],
    ["brief", "brief"],
    ["skills", "skills"],
    ["workspace", "workspace"],
    ["asOf", "asOf"],
    ["context", "context"],
    ["tools", "Read"],
  ]);
  expect(parts.find(({ owner }) => owner === "skills")?.text).toContain("- audit: How to audit. (/s/audit/SKILL.md)");
  expect(parts.find(({ owner }) => owner === "context")?.text).toContain("session: (given when it begins)");
});
