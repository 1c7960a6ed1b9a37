import { describe, expect, test } from "vitest";
import { skillsFs } from "../fs";
import { defineSkill, skillFromFile } from "./defineSkill";

const WITH_HEAD = "---\nname: Audit\ndescription: How to audit\n---\nLook twice.\n";

describe("A skill", () => {
  test("is told by its front matter", () => {
    expect(defineSkill({ folder: "audit", markdown: WITH_HEAD })).toEqual({
      folder: "audit",
      text: WITH_HEAD,
      name: "Audit",
      description: "How to audit",
    });
  });

  test("without front matter is told by its folder and its first line", () => {
    expect(defineSkill({ folder: "audit", markdown: "# Look twice\n\nThen again." })).toMatchObject({
      name: "audit",
      description: "Look twice",
      text: "# Look twice\n\nThen again.",
    });
  });

  test("with a name and a description of its own has them in its front matter", () => {
    const skill = defineSkill({
      folder: "audit",
      name: "Audit",
      description: 'How to "audit"',
      markdown: "Look twice.",
    });
    expect(skill.text).toBe('---\nname: "Audit"\ndescription: "How to \\"audit\\""\n---\nLook twice.');
    expect(skillsFs([skill]).index).toEqual([
      { name: "Audit", description: 'How to "audit"', path: "/audit/SKILL.md" },
    ]);
  });

  test("takes the place of front matter that says otherwise", () => {
    const skill = defineSkill({ folder: "audit", description: "Newer", markdown: WITH_HEAD });
    expect(skill.text).toBe('---\nname: "Audit"\ndescription: "Newer"\n---\nLook twice.\n');
  });

  test("is frozen, its files too", () => {
    const files = { "a.md": "x" };
    const skill = defineSkill({ folder: "audit", markdown: WITH_HEAD, files });
    expect([Object.isFrozen(skill), Object.isFrozen(skill.files), skill.files]).toEqual([true, true, files]);
  });

  test("that is faulty is refused with every fault", () => {
    const faulty = {
      folder: "../x",
      name: "a\nb",
      description: " ",
      markdown: " ",
      files: { "../out": "", "/abs": "", "SKILL.md": "" },
      extra: 1,
    };
    expect(() => defineSkill(faulty)).toThrow(
      [
        'folder: "../x" is no folder\'s name. Use letters, digits, _, - and ., e.g. audit.',
        'name: "a\\nb" is no line of text. Give a line, or leave it out.',
        'description: " " is no line of text. Give a line, or leave it out.',
        "markdown: It is empty. Say how what it is about is done.",
        'files: "../out" is no file beside its SKILL.md. Give paths inside the skill\'s folder.',
        'files: "/abs" is no file beside its SKILL.md. Give paths inside the skill\'s folder.',
        'files: "SKILL.md" is no file beside its SKILL.md. Give paths inside the skill\'s folder.',
        "extra: There is no such field. The fields are folder, name, description, markdown, files.",
      ].join("\n"),
    );
    expect(() => defineSkill(null as never)).toThrow("skill: It is not an object.");
  });
});

test.each([
  ["skills/audit/SKILL.md", "audit"],
  ["skills/audit.md", "audit"],
  ["/deep/skills/look-twice.MD", "look-twice"],
])("A file %s without front matter is the skill %s", (path, name) => {
  expect(skillFromFile(path, "Look twice.")).toMatchObject({ folder: name, name, description: "Look twice." });
});
