import type { ReexecutedCall, ResultClass } from "../../../trajectory";

interface ClassLook {
  readonly tone: "plain" | "ok" | "warn" | "bad";
  /** What it means, in a sentence. */
  readonly about: string;
}

/** The classes in the order they are shown: what went well first. */
export const classLooks: Readonly<Record<ResultClass, ClassLook>> = {
  equal: { tone: "ok", about: "Came to the same value, status and files." },
  "equal after normalisation": { tone: "ok", about: "The same but for what the named normalisers take away." },
  differs: { tone: "bad", about: "Came to another value, or left a file otherwise." },
  "status differs": { tone: "bad", about: "Failed where it had worked, or worked where it had failed." },
  "not run": { tone: "plain", about: "Its recorded result stands, and the reason is told." },
  "not comparable": { tone: "plain", about: "Is about what nobody knows." },
  extra: { tone: "bad", about: "Is in this run only." },
  missing: { tone: "bad", about: "Is in the recording only." },
};

export const shownClasses = Object.keys(classLooks) as readonly ResultClass[];

/** The file, line and place in the result where the two part. */
export function placeText({ difference }: Pick<ReexecutedCall, "difference">): string {
  if (difference === undefined) return "";
  const { path, line, pointer } = difference;
  return `${path}${line === undefined ? "" : `:${line}`}${pointer === undefined ? "" : ` at ${pointer}`}`;
}
