import { describe, expect, it } from "vitest";
import { sessionFileFromAddress } from "./sessionFileFromAddress";

function answering(answer: () => Promise<Response>) {
  const asked: [string, RequestInit | undefined][] = [];
  const fetch: typeof globalThis.fetch = (input, init) => {
    asked.push([input instanceof Request ? input.url : String(input), init]);
    return answer();
  };
  return { asked, fetch };
}

async function failure(address: string, answer: () => Promise<Response>): Promise<string> {
  return sessionFileFromAddress(address, { fetch: answering(answer).fetch }).then(
    () => "none",
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
}

describe("sessionFileFromAddress", () => {
  it("answers what is there under the last name of its path, and sends no cookies", async () => {
    const { asked, fetch } = answering(() => Promise.resolve(new Response("log")));
    const file = await sessionFileFromAddress(" https://example.com/runs/first%20run.ndjson?raw=1 ", { fetch });
    expect([file.name, await file.contents.text()]).toEqual(["first run.ndjson", "log"]);
    expect(asked).toEqual([["https://example.com/runs/first%20run.ndjson?raw=1", { credentials: "omit" }]]);
  });

  it("says in words why nothing came", async () => {
    const status = (code: number) => () => Promise.resolve(new Response("", { status: code }));
    expect([
      await failure("runs/first.ndjson", status(200)),
      await failure("file:///etc/passwd", status(200)),
      await failure("https://example.com/x", () => Promise.reject(new TypeError("Failed to fetch"))),
      await failure("https://example.com/x", status(404)),
      await failure("https://example.com/x", status(403)),
      await failure("https://example.com/x", status(500)),
    ]).toEqual([
      "A web address begins with https://",
      "A web address begins with https://",
      "example.com gave no answer: it is not reachable, or it does not let other pages read what it has (CORS)",
      "example.com has nothing at this address",
      "example.com does not give this to everybody",
      "example.com answered 500",
    ]);
  });
});
