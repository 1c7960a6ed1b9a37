import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { skillFromFile } from "../agent";
import type { DefinedSkill } from "../index";
import type { FolderFaults } from "./folderFaults";
import { entriesIn, filesIn } from "./folderFiles";

/** The skills of a folder's `skills/`: a `SKILL.md` in a folder of its own, with what lies beside it, or a text by itself. */
export async function skillsIn(base: string, faults: FolderFaults): Promise<DefinedSkill[]> {
  const skills: DefinedSkill[] = [];
  for (const { name, isFolder } of await entriesIn(join(base, "skills"))) {
    const place = `skills/${name}`;
    if (!isFolder && !name.endsWith(".md")) continue;
    if (isFolder && !(await filesIn(join(base, place))).includes("SKILL.md")) {
      faults.add(place, "It holds no SKILL.md.", "Write one that says what the skill is for and how it is done.");
      continue;
    }
    const file = isFolder ? `${place}/SKILL.md` : place;
    const skill = await faults.madeBy(file, async () => skillFromFile(file, await readFile(join(base, file), "utf8")));
    if (skill === undefined) continue;
    if (skills.some(({ folder }) => folder === skill.folder)) {
      faults.add(place, `There are two skills ${skill.folder}.`, "Keep one of them.");
    } else skills.push(isFolder ? { ...skill, files: await filesBeside(join(base, place)) } : skill);
  }
  return skills;
}

async function filesBeside(folder: string): Promise<Record<string, Uint8Array>> {
  const files: Record<string, Uint8Array> = {};
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = relative(folder, join(entry.parentPath, entry.name)).replaceAll("\\", "/");
    if (entry.isFile() && path !== "SKILL.md") files[path] = new Uint8Array(await readFile(join(folder, path)));
  }
  return files;
}
