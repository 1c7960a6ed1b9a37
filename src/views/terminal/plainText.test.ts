import { expect, test } from "vitest";
import { plainText } from "./plainText";

test.each([
  ["a\nb", "a\nb"],
  ["\u001B[31mred\u001B[0m \u001B[1;32mgreen\u001B[m", "red green"],
  ["10%\r50%\r100%\ndone", "100%\ndone"],
  ["10%\r", "10%"],
  ["a\r\nb\r\n", "a\nb\n"],
])("%j is shown as %j", (text, shown) => {
  expect(plainText(text)).toBe(shown);
});
