import type { Plan } from "./plan";
import type { PlanContext } from "./planContext";
import { failureKind, pathsFromText } from "./toolTexts";

/**
 * Whether a place that was named is not there: a search in it finds nothing and says no more. A note is made when it
 * is missing, with the place of that name where there is one.
 */
export function* isMissingPlace(context: PlanContext, path: string | undefined): Plan<boolean> {
  if (path === undefined || path === "/" || path.includes("*")) return false;
  if (context.listed.has(path) || context.reads.has(path)) return false;
  if (context.mounts.some(({ prefix }) => prefix === path)) return false;
  const tool = context.has("LS") ? "LS" : context.has("Read") ? "Read" : undefined;
  if (tool === undefined) return false;
  const outcome = yield* context.call(tool, { path });
  if (!outcome.failed || failureKind(outcome) !== "missing") return false;
  yield* noteMissing(context, path);
  return true;
}

/** Says that a folder or file is not there, and which places of its name are. */
export function* noteMissing(context: PlanContext, path: string): Plan<void> {
  const others = context.has("Glob") ? yield* placesCalled(context, path) : [];
  const [other, ...rest] = others;
  const hint =
    other === undefined
      ? context.mounts.length === 0
        ? ""
        : ` What there is: ${context.mounts.map(({ prefix }) => prefix).join(", ")}.`
      : rest.length === 0
        ? ` Did you mean ${other}?`
        : ` Of that name there are ${others.slice(0, OTHERS_AT_MOST).join(", ")}${others.length > OTHERS_AT_MOST ? " and more" : ""}.`;
  context.note(`There is no ${path}.${hint}`);
}

const OTHERS_AT_MOST = 4;

/** Folders of that name, or files. */
function* placesCalled(context: PlanContext, path: string): Plan<string[]> {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const isFile = /\.[^/.]+$/.test(name);
  const outcome = yield* context.call("Glob", { globPattern: isFile ? `**/${name}` : `**/${name}/**` });
  if (outcome.failed) return [];
  const { items } = pathsFromText(outcome.text);
  if (isFile) return [...items];
  const folders = items.map((file) => file.slice(0, file.indexOf(`/${name}/`) + name.length + 1));
  return [...new Set(folders)].filter((folder) => folder !== path);
}
