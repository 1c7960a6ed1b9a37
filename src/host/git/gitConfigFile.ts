/** A setting of a configuration file by its dotted name (`user.name`, `remote.origin.url`), the last one that counts. */
export function settingInConfig(text: string, name: string): string | undefined {
  return settingsOfConfig(text).findLast(([key]) => key === canonicalName(name))?.[1];
}

/** All settings in their order: section and key in lower case, as git lists them. */
export function settingsOfConfig(text: string): [string, string][] {
  const settings: [string, string][] = [];
  let section = "";
  for (const line of text.split("\n")) {
    const head = SECTION.exec(line);
    if (head !== null) {
      section = (head[1] ?? "").toLowerCase() + (head[2] === undefined ? "" : `.${head[2]}`);
      continue;
    }
    const pair = PAIR.exec(line);
    if (pair !== null) settings.push([`${section}.${(pair[1] ?? "").toLowerCase()}`, valueOf(pair[2])]);
  }
  return settings;
}

/** The text with the setting put in, or without it when `value` is absent. */
export function configWithSetting(text: string, name: string, value: string | undefined): string {
  const wanted = canonicalName(name);
  const cut = wanted.lastIndexOf(".");
  const [section, key] = [wanted.slice(0, cut), name.slice(name.lastIndexOf(".") + 1)];
  const lines = text === "" ? [] : text.replace(/\n$/, "").split("\n");
  const kept: string[] = [];
  let current = "";
  let endOfSection = -1;
  for (const line of lines) {
    const head = SECTION.exec(line);
    if (head !== null) current = (head[1] ?? "").toLowerCase() + (head[2] === undefined ? "" : `.${head[2]}`);
    const pair = PAIR.exec(line);
    if (head === null && pair !== null && `${current}.${(pair[1] ?? "").toLowerCase()}` === wanted) continue;
    kept.push(line);
    if (current === section) endOfSection = kept.length;
  }
  if (value !== undefined) {
    const line = `\t${key} = ${quotedValue(value)}`;
    if (endOfSection === -1) kept.push(sectionLine(section), line);
    else kept.splice(endOfSection, 0, line);
  }
  return kept.length === 0 ? "" : `${kept.join("\n")}\n`;
}

/** The text without a section. */
export function configWithoutSection(text: string, section: string): string {
  let isIn = false;
  const kept = text.split("\n").filter((line) => {
    const head = SECTION.exec(line);
    if (head !== null) isIn = (head[1] ?? "").toLowerCase() + (head[2] === undefined ? "" : `.${head[2]}`) === section;
    return !isIn;
  });
  return kept.join("\n");
}

const SECTION = /^\s*\[([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\]/;
const PAIR = /^\s*([A-Za-z][\w-]*)\s*(?:=\s*(.*?)\s*)?$/;

function valueOf(text: string | undefined): string {
  if (text === undefined) return "true";
  const quoted = /^"((?:[^"\\]|\\.)*)"/.exec(text);
  const raw = quoted === null ? text.replace(/\s*[#;].*$/, "") : (quoted[1] ?? "");
  return raw.replace(/\\(.)/g, (_, letter: string) => ({ n: "\n", t: "\t" })[letter] ?? letter);
}

function quotedValue(value: string): string {
  const escaped = value.replace(/[\\"]/g, "\\$&").replaceAll("\n", "\\n");
  return /^\s|\s$|[#;]/.test(value) ? `"${escaped}"` : escaped;
}

function canonicalName(name: string): string {
  const [first, last] = [name.indexOf("."), name.lastIndexOf(".")];
  if (first === -1) return name.toLowerCase();
  return name.slice(0, first).toLowerCase() + name.slice(first, last) + name.slice(last).toLowerCase();
}

function sectionLine(section: string): string {
  const dot = section.indexOf(".");
  return dot === -1 ? `[${section}]` : `[${section.slice(0, dot)} "${section.slice(dot + 1)}"]`;
}
