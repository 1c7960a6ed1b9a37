import { DiscoveryError, type DiscoveryFault } from "../base";
import { skillHead, type Skill, type SkillHead } from "../fs";

export interface SkillDefinition {
  /** Its folder's name, which it is called by where it names itself nowhere. */
  readonly folder: string;
  /** Told in the index; the text's own front matter, or its first line, where omitted. */
  readonly name?: string;
  readonly description?: string;
  /** Its `SKILL.md`, with front matter or without. */
  readonly markdown: string;
  /** Further files by their paths in the folder. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
}

/** A skill as it is mounted or written to a host, and as an index names it. */
export type DefinedSkill = Skill & SkillHead;

/**
 * A skill, checked and frozen. A name and a description given here stand in the front matter of its `SKILL.md`.
 * @throws DiscoveryError with every fault found
 */
export function defineSkill(definition: SkillDefinition): DefinedSkill {
  const faults = skillFaults(definition);
  if (faults.length > 0) throw new DiscoveryError(faults);
  const { folder, name, description, markdown, files } = definition;
  const told = skillHead(markdown, folder);
  const head = { name: name ?? told.name, description: description ?? told.description };
  const isSaid = head.name === told.name && head.description === told.description;
  const text = isSaid ? markdown : withFrontMatter(markdown, head);
  return Object.freeze({
    folder,
    text,
    ...head,
    ...(files === undefined ? {} : { files: Object.freeze({ ...files }) }),
  });
}

/**
 * The skill of a project's file: `skills/audit/SKILL.md` or `skills/audit.md`. Where the text names itself nowhere, the
 * file's name and its first line serve.
 */
export function skillFromFile(path: string, markdown: string): DefinedSkill {
  const parts = path.split("/").filter((part) => part !== "");
  const file = parts.at(-1) ?? "";
  const folder = file === "SKILL.md" ? (parts.at(-2) ?? "skill") : file.replace(/\.md$/i, "");
  return defineSkill({ folder, markdown });
}

/** Where skills are put on a host's disk before every turn, each file by its absolute path. */
export function hostSkillFiles(cwd: string, skills: readonly Skill[]): [path: string, contents: string | Uint8Array][] {
  return skills.flatMap(({ folder, text, files = {} }) => {
    const root = hostSkillFolder(cwd, folder);
    const beside = Object.entries(files).map(([name, contents]): [string, string | Uint8Array] => [
      `${root}/${name}`,
      contents,
    ]);
    return [...beside, [`${root}/SKILL.md`, text]];
  });
}

export function hostSkillFolder(cwd: string, folder: string): string {
  return `${cwd === "/" ? "" : cwd}/.cursor/skills/${folder}`;
}

const FIELDS = ["folder", "name", "description", "markdown", "files"];

function skillFaults(definition: SkillDefinition): DiscoveryFault[] {
  if (typeof definition !== "object" || definition === null) {
    return [{ field: "skill", problem: "It is not an object.", mend: "Give folder and markdown at least." }];
  }
  const { folder, name, description, markdown, files } = definition;
  const faults: DiscoveryFault[] = [];
  if (typeof folder !== "string" || !/^[\w][\w.-]*$/.test(folder)) {
    const problem = `${JSON.stringify(folder)} is no folder's name.`;
    faults.push({ field: "folder", problem, mend: "Use letters, digits, _, - and ., e.g. audit." });
  }
  for (const [field, value] of Object.entries({ name, description })) {
    if (value === undefined || (typeof value === "string" && value.trim() !== "" && !value.includes("\n"))) continue;
    faults.push({
      field,
      problem: `${JSON.stringify(value)} is no line of text.`,
      mend: "Give a line, or leave it out.",
    });
  }
  if (typeof markdown !== "string" || markdown.trim() === "") {
    faults.push({ field: "markdown", problem: "It is empty.", mend: "Say how what it is about is done." });
  }
  for (const path of Object.keys(files ?? {})) {
    const isInside = !path.startsWith("/") && !path.split("/").includes("..") && path !== "" && path !== "SKILL.md";
    if (isInside) continue;
    const problem = `${JSON.stringify(path)} is no file beside its SKILL.md.`;
    faults.push({ field: "files", problem, mend: "Give paths inside the skill's folder." });
  }
  const unknown = Object.keys(definition).filter((field) => !FIELDS.includes(field));
  return [
    ...faults,
    ...unknown.map((field) => ({
      field,
      problem: "There is no such field.",
      mend: `The fields are ${FIELDS.join(", ")}.`,
    })),
  ];
}

function withFrontMatter(markdown: string, { name, description }: SkillHead): string {
  const body = markdown.replace(/^\uFEFF?---[ \t]*\r?\n[\s\S]*?---[ \t]*(?:\r?\n|$)/, "");
  return `---\nname: ${JSON.stringify(name)}\ndescription: ${JSON.stringify(description)}\n---\n${body}`;
}
