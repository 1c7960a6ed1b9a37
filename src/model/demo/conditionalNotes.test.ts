import { expect, test } from "vitest";
import { conditionalNotes } from "./conditionalNotes";

test("a dry run's notes say what would have been done, and leave what was not", () => {
  const text = "There was no changelog, so I began one. I changed nothing. I resolved it: the comment is gone.";
  expect(conditionalNotes([{ text, details: ["I wrote it"] }])).toEqual([
    { text: "This is a dry run: nothing was changed." },
    {
      text: "There was no changelog, so I would have begun one. I changed nothing. I would have resolved it: the comment would be gone.",
      details: ["I wrote it"],
    },
  ]);
});
