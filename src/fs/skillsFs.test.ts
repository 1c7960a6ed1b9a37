import { describe, expect, it } from "vitest";
import { InvalidPathError } from "./pathError";
import { skillHead } from "./skillHead";
import { skillsFs } from "./skillsFs";
import { expectError, pathsOf } from "./suiteCase.suite";
import { unionFs } from "./unionFs";

const context = { sessionId: "s" };
const pdf = "---\nname: fill-pdf\ndescription: Fill in PDF forms.\n---\n\n# PDF\n\nUse the script.\n";

describe("skillsFs", () => {
  it("is a tree with a folder a skill, its text as it was written, for reading only", async () => {
    const tree = skillsFs([{ folder: "pdf", text: pdf, files: { "scripts/fill.py": "print()" } }]);
    expect(await pathsOf(tree.list())).toEqual(["/pdf", "/pdf/SKILL.md", "/pdf/scripts", "/pdf/scripts/fill.py"]);
    expect(await tree.read("/pdf/SKILL.md")).toBe(pdf);
    await expectError(
      tree.write("/pdf/SKILL.md", ""),
      "read-only-mount",
      "read-only mount: /pdf/SKILL.md",
      "/pdf/SKILL.md",
    );
  });

  it("advertises its index in the brief of the mount", async () => {
    const tree = skillsFs({ pdf, "review/code": "# Review code\n\nCarefully." });
    expect(tree.index).toEqual([
      { name: "fill-pdf", description: "Fill in PDF forms.", path: "/pdf/SKILL.md" },
      { name: "code", description: "Review code", path: "/review/code/SKILL.md" },
    ]);
    expect(await unionFs({ "/agent/skills": tree }).brief?.(context)).toBe(
      [
        "/agent/skills: skills; read a skill's file before you do what it is about:",
        "- fill-pdf: Fill in PDF forms. (./pdf/SKILL.md)",
        "- code: Review code (./review/code/SKILL.md)",
      ].join("\n"),
    );
    expect(await skillsFs({}).brief?.(context)).toBeUndefined();
  });

  it("indexes what the tree holds where two skills have one folder: the later", async () => {
    const later = pdf.replace("fill-pdf", "later");
    const tree = skillsFs([
      { folder: "pdf", text: pdf, files: { "a.py": "" } },
      { folder: "./pdf/", text: later },
    ]);
    expect(tree.index).toEqual([{ name: "later", description: "Fill in PDF forms.", path: "/pdf/SKILL.md" }]);
    expect(await tree.read("/pdf/SKILL.md")).toBe(later);
    expect(await tree.brief?.(context)).not.toContain("fill-pdf");
  });

  it("refuses a folder or a file that leads elsewhere", () => {
    expect(() => skillsFs({ "../up": pdf })).toThrow(new InvalidPathError("../up"));
    expect(() => skillsFs([{ folder: "a", text: pdf, files: { "/x": "" } }])).toThrow(new InvalidPathError("/x"));
  });
});

describe("the head of a skill", () => {
  const heads: [title: string, text: string, name: string, description: string][] = [
    ["front matter", pdf, "fill-pdf", "Fill in PDF forms."],
    ["quotes", `---\nname: "a: b"\ndescription: 'it''s'\n---\n`, "a: b", "it's"],
    ["a folded text", "---\ndescription: >-\n  one\n  two\nname: n\n---\nbody", "n", "one two"],
    [
      "a text over several lines, CRLF and a comment",
      "---\r\nname: n # no\r\ndescription: one\r\n  two\r\n---\r\n",
      "n",
      "one two",
    ],
    ["no front matter", "\n\n## First line \nsecond", "folder", "First line"],
    ["front matter without a description", "---\nname: n\n---\n\nThe first line.", "n", "The first line."],
    ["a rule that is no front matter", "Text\n---\nname: n\n---\n", "folder", "Text"],
    ["nothing", "", "folder", ""],
  ];
  for (const [title, text, name, description] of heads) {
    it(`is read from ${title}`, () => expect(skillHead(text, "folder")).toEqual({ name, description }));
  }
});
