import { expect, test } from "vitest";
import { defineConnection } from "./defineConnection";

test("A sound connection is a frozen copy of what the author wrote", () => {
  const tools = ["search"];
  const connection = defineConnection({
    name: "docs",
    url: "https://tools.example/mcp",
    headers: { "x-team": "a" },
    auth: "oauth",
    enabled: false,
    tools,
    advertiseTools: true,
  });
  tools.push("more");
  expect(connection).toEqual({
    name: "docs",
    url: "https://tools.example/mcp",
    headers: { "x-team": "a" },
    auth: "oauth",
    enabled: false,
    tools: ["search"],
    advertiseTools: true,
  });
  expect([Object.isFrozen(connection), Object.isFrozen(connection.tools), Object.isFrozen(connection.headers)]).toEqual(
    [true, true, true],
  );
});

test("Every fault is told at once", () => {
  const faulty = {
    name: "a__b",
    url: "ftp://x",
    headers: { Authorization: "Bearer k", "x-n": 1 },
    auth: "basic",
    enabled: "yes",
    tools: [1],
    token: "k",
  };
  expect(() => defineConnection(faulty as never)).toThrow(
    [
      'name: "a__b" is no connection\'s name. Use 1 to 32 letters, digits, single _ and -.',
      "url: ftp: is no address of the web. Give an address such as https://tools.example/mcp.",
      "headers: A header is no text. Give each header as a text.",
      'headers: authorization would put a key into the log. Use auth: "bearer" or "oauth".',
      'auth: "basic" is no way to prove who asks. Use "none", "bearer" or "oauth".',
      "tools: It is no list of names. List tools by the server's own names, or leave it out for all.",
      'enabled: "yes" is neither true nor false. Use true or false.',
      "token: There is no such field. The fields are name, url, headers, auth, enabled, tools, advertiseTools.",
    ].join("\n"),
  );
  expect(() => defineConnection(undefined as never)).toThrow("connection: It is not an object.");
});

test.each([
  ["https://user:pass@tools.example/mcp", "It holds a name or a password."],
  ["tools.example", '"tools.example" is no address.'],
  [7, "7 is no address."],
])("The address %j is refused: %s", (url, problem) => {
  expect(() => defineConnection({ name: "docs", url: url as string })).toThrow(`url: ${problem}`);
});
