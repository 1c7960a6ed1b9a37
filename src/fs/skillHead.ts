/** What a skill is called and what it is for. */
export interface SkillHead {
  readonly name: string;
  readonly description: string;
}

const FRONT_MATTER = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)(?:\r?\n)?---[ \t]*(?:\r?\n|$)/;

/** What of its front matter a `SKILL.md` does not say; what serves in its place is `skillHead`'s business. */
export type SkillHeadGap = "front matter" | "end of front matter" | "name" | "description";

export function skillHeadGaps(text: string): readonly SkillHeadGap[] {
  const match = FRONT_MATTER.exec(text);
  if (!match) return [/^\uFEFF?---[ \t]*\r?\n/.test(text) ? "end of front matter" : "front matter"];
  const fields = match[1] ?? "";
  return (["name", "description"] as const).filter((key) => (fieldOf(fields, key) ?? "") === "");
}

/** Reads the front matter of a `SKILL.md`. What it does not say, the given name and the first line of the text serve for. */
export function skillHead(text: string, fallbackName: string): SkillHead {
  const [whole = "", fields = ""] = FRONT_MATTER.exec(text) ?? [];
  const name = fieldOf(fields, "name");
  const description = fieldOf(fields, "description");
  return { name: name || fallbackName, description: description || firstLine(text.slice(whole.length)) };
}

function firstLine(text: string): string {
  const line = text.split(/\r?\n/).find((each) => each.replace(/^[#\s\uFEFF]+/, "") !== "");
  return line?.replace(/^[#\s\uFEFF]+/, "").trim() ?? "";
}

/** A top-level field of YAML that is one text: plain, quoted, over several lines, folded or literal. */
function fieldOf(fields: string, key: string): string | undefined {
  const lines = fields.split(/\r?\n/);
  const start = lines.findIndex((line) => line.startsWith(`${key}:`));
  if (start < 0) return undefined;
  const end = lines.findIndex((line, index) => index > start && /^[^\s#]/.test(line));
  const rest = lines.slice(start + 1, end < 0 ? undefined : end).map((line) => line.trim());
  const first = (lines[start] ?? "").slice(key.length + 1).trim();
  const isBlock = /^[|>][+-]?\d*$/.test(first);
  const all = isBlock ? rest : [first, ...rest];
  const joined = all.filter((line) => line !== "").join(first.startsWith("|") ? "\n" : " ");
  return isBlock ? joined : unquoted(joined);
}

function unquoted(text: string): string {
  if (/^'.*'$/s.test(text)) return text.slice(1, -1).replaceAll("''", "'");
  if (!/^".*"$/s.test(text)) return text.replace(/\s+#.*$/, "");
  return text
    .slice(1, -1)
    .replace(/\\(["\\/n t])/g, (_, mark: string) => (mark === "n" ? "\n" : mark === "t" ? "\t" : mark));
}
