import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Skill } from "../fs";
import type { FolderFaults } from "./folderFaults";
import { entriesIn, filesIn } from "./folderFiles";

/** The skills of a folder's `skills/`: a `SKILL.md` in a folder of its own, or a text by itself. */
export async function skillsIn(base: string, faults: FolderFaults): Promise<Skill[]> {
  const skills: Skill[] = [];
  for (const { name, isFolder } of await entriesIn(join(base, "skills"))) {
    const place = `skills/${name}`;
    if (!isFolder && !name.endsWith(".md")) continue;
    const file = isFolder ? `${place}/SKILL.md` : place;
    if (isFolder && !(await filesIn(join(base, place))).includes("SKILL.md")) {
      faults.add(place, "It holds no SKILL.md.", "Write one that says what the skill is for and how it is done.");
      continue;
    }
    const folder = isFolder ? name : name.slice(0, -".md".length);
    if (skills.some((skill) => skill.folder === folder)) {
      faults.add(place, `There are two skills ${folder}.`, "Keep one of them.");
      continue;
    }
    const text = await faults.madeBy(file, () => readFile(join(base, file), "utf8"));
    if (text === undefined) continue;
    if (text.trim() === "") faults.warn(file, "It is empty.", "Say what the skill is for and how it is done.");
    skills.push({ folder, text });
  }
  return skills;
}
