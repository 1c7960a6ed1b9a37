import type { ForeignOperation } from "./foreignOperation";

type Read = Extract<ForeignOperation, { kind: "read" }>;

/**
 * A command that shows one file or one range of its lines and nothing else, as the read it is: what it printed is then
 * known to be the file's. `undefined` for any other command.
 */
export function commandRead(command: string, cwd: string | undefined): Read | undefined {
  const moved = /^\s*cd\s+([^\s;&|'"]+)\s*&&\s*([\s\S]*)$/.exec(command);
  const directory = moved?.[1] ?? cwd;
  const text = (moved?.[2] ?? command).trim();
  const found =
    matched(/^cat\s+(?:-n\s+)?(\S+)$/, text, (path) => ({ path })) ??
    matched(/^nl\s+-ba\s+(\S+)$/, text, (path) => ({ path })) ??
    matched(/^sed\s+-n\s+['"]?(\d+),(\d+)p['"]?\s+(\S+)$/, text, (first, last, path) => ({
      path,
      start: Number(first),
      count: Number(last) - Number(first) + 1,
    })) ??
    matched(/^nl\s+-ba\s+(\S+)\s*\|\s*sed\s+-n\s+['"]?(\d+),(\d+)p['"]?$/, text, (path, first, last) => ({
      path,
      start: Number(first),
      count: Number(last) - Number(first) + 1,
    })) ??
    matched(/^head\s+-(?:n\s*)?(\d+)\s+(\S+)$/, text, (count, path) => ({ path, start: 1, count: Number(count) }));
  if (found === undefined) return undefined;
  const path = unquoted(found.path);
  if (path === undefined || /[*?$`|;&<>(){}[\]]/.test(path)) return undefined;
  const isRelative = !path.startsWith("/") && directory !== undefined;
  return { kind: "read", ...found, path: isRelative ? `${directory}/${path}` : path };
}

type Found = Omit<Read, "kind">;

function matched(pattern: RegExp, text: string, read: (...groups: string[]) => Found): Found | undefined {
  const found = pattern.exec(text);
  return found === null ? undefined : read(...found.slice(1));
}

function unquoted(word: string): string | undefined {
  const inner = /^(['"])(.*)\1$/.exec(word);
  const bare = inner === null ? word : (inner[2] ?? "");
  return /['"\\]/.test(bare) || bare.startsWith("-") ? undefined : bare;
}
