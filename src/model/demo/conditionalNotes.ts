import type { Note } from "./planContext";

/** What the planner says it did, and how it says that it would have. */
const PARTICIPLES: Readonly<Record<string, string>> = {
  added: "added",
  began: "begun",
  changed: "changed",
  copied: "copied",
  deleted: "deleted",
  made: "made",
  moved: "moved",
  noted: "noted",
  renamed: "renamed",
  replaced: "replaced",
  resolved: "resolved",
  wrote: "written",
};

const DID = new RegExp(`\\bI (${Object.keys(PARTICIPLES).join("|")})\\b(?! nothing)`, "g");

/** The notes of a dry run: what was asked for was not done, so they say what would have been. */
export function conditionalNotes(notes: readonly Note[]): readonly Note[] {
  return [
    { text: "This is a dry run: nothing was changed." },
    ...notes.map((note) => ({
      ...note,
      text: note.text
        .replaceAll(DID, (_did, verb: string) => `I would have ${PARTICIPLES[verb] ?? verb}`)
        .replaceAll("the comment is gone", "the comment would be gone"),
    })),
  ];
}
