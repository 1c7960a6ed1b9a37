import { limits } from "../base";
import { contentsFromBytes, skillHead, skillHeadGaps, type FileSystem, type SkillHeadGap } from "../fs";

/** A `SKILL.md` of the mounts, as a run tells the model of it. */
export interface FoundSkill {
  readonly path: string;
  readonly name: string;
  readonly description: string;
  /** What of it is not as it should be, and what serves instead; each a sentence. */
  readonly faults: readonly string[];
}

export interface FoundSkills {
  /** By path. */
  readonly skills: readonly FoundSkill[];
  /** There were more than are told. */
  readonly isCut: boolean;
}

/**
 * The skills of a tree: every `SKILL.md` in a folder of its own, but for those of packages (`node_modules`) and of folders
 * whose name begins with a dot. @throws what the tree throws
 */
export async function foundSkills(tree: FileSystem): Promise<FoundSkills> {
  const paths: string[] = [];
  for await (const { path, kind } of tree.glob("**/*/SKILL.md")) if (kind === "file" && isOwn(path)) paths.push(path);
  const told = paths.toSorted().slice(0, limits.skills);
  const skills = await Promise.all(told.map((path) => skillAt(tree, path)));
  return { skills: withNamesakes(skills), isCut: paths.length > told.length };
}

/** Where a new skill of a mount goes. */
export function newSkillPath(prefix: string, folder: string): string {
  return `${prefix === "/" ? "" : prefix}/skills/${folder}/SKILL.md`;
}

/** Why a folder cannot be called that. */
export function skillFolderProblem(folder: string): string | undefined {
  return /^\w[\w.-]*$/.test(folder) ? undefined : "Use letters, digits, _, - and ., e.g. audit.";
}

export function newSkillText(folder: string): string {
  return `---
name: ${folder}
description: What it is about, and when to use it.
---

# ${folder}

1. How it is done, step by step.
`;
}

function isOwn(path: string): boolean {
  return !path.split("/").some((part) => part === "node_modules" || part.startsWith("."));
}

async function skillAt(tree: FileSystem, path: string): Promise<FoundSkill> {
  const folder = path.split("/").at(-2) ?? "skill";
  const text = await textAt(tree, path);
  if (text === undefined) {
    return { path, name: folder, description: "", faults: ["It is too large, or no text: only its path is told."] };
  }
  const { name, description } = skillHead(text, folder);
  const line = description.replaceAll(/\s+/g, " ");
  const faults = skillHeadGaps(text).map((gap) => GAP_WORDS[gap](name, line));
  if (line === "") faults.push("It says nowhere what it is for: the model is told its name alone.");
  const isLong = line.length > limits.skillDescriptionCharacters;
  if (isLong) faults.push(`Of its description the first ${limits.skillDescriptionCharacters} characters are told.`);
  return {
    path,
    name: name.replaceAll(/\s+/g, " "),
    description: isLong ? `${line.slice(0, limits.skillDescriptionCharacters)}…` : line,
    faults,
  };
}

const GAP_WORDS: Readonly<Record<SkillHeadGap, (name: string, description: string) => string>> = {
  "front matter": () => "It has no front matter: the folder's name and its first line serve.",
  "end of front matter": () => "Its front matter has no closing ---: it is read as text.",
  name: (name) => `Its front matter names it nowhere: it is called ${name}, as its folder is.`,
  description: () => "Its front matter does not describe it: its first line serves.",
};

async function textAt(tree: FileSystem, path: string): Promise<string | undefined> {
  const { sizeBytes } = await tree.stat(path);
  if (sizeBytes !== undefined && sizeBytes > limits.skillBytes) return undefined;
  const contents = await tree.read(path);
  const text = typeof contents === "string" ? contents : contentsFromBytes(contents);
  return typeof text === "string" ? text : undefined;
}

function withNamesakes(skills: readonly FoundSkill[]): FoundSkill[] {
  return skills.map((skill) => {
    const other = skills.find(({ name, path }) => name === skill.name && path !== skill.path);
    return other ? { ...skill, faults: [...skill.faults, `${other.path} is called ${skill.name} too.`] } : skill;
  });
}
