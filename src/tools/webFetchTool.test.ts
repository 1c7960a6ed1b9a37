import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { JsonObject } from "../base";
import { toolCall } from "../testing/runTool";
import { webFetchTool } from "./webFetchTool";
import { webServer, type WebServer } from "./webServer.suite";

let server: WebServer;
beforeAll(async () => void (server = await webServer()));
afterAll(() => server.stop());

const tool = webFetchTool();
const fetched = async (path: string) => (await tool.execute({ url: `${server.url}${path}` }, toolCall())) as JsonObject;
const failure = async (url: string) => {
  const error = await tool.execute({ url }, toolCall()).catch((thrown: unknown) => thrown);
  const { code, message } = error as { code: string; message: string };
  return [code, message.replaceAll(server.url, "SERVER")];
};

describe("webFetch", () => {
  it("shows a page as text, with its title, and asks as nobody in particular", async () => {
    const output = await fetched("/page#part");
    expect(output).toEqual({
      url: `${server.url}/page`,
      title: "A page",
      mediaType: "text/html",
      fileSize: 56,
      text: "# Hi\n\nText",
    });
    expect(tool.modelText(output, {})).toBe(`From ${server.url}/page:\nA page\n\n# Hi\n\nText`);
    const { headers } = server.requests.at(-1) ?? {};
    expect([headers?.cookie, headers?.authorization, headers?.referer]).toEqual([undefined, undefined, undefined]);
  });

  it.each([
    ["/json", "application/problem+json", '{"a":1}'],
    ["/plain", "text/plain", "plain\ntext"],
    ["/untyped", "", "untyped"],
    ["/latin", "text/plain", "café"],
    ["/declared", "text/html", "Да"],
  ])("reads %s as what it is", async (path, mediaType, text) => {
    expect(await fetched(path)).toMatchObject({ mediaType, text });
  });

  it("follows redirects and says where they led", async () => {
    const output = await fetched("/moved");
    expect(output).toMatchObject({ url: `${server.url}/moved`, finalUrl: `${server.url}/page`, text: "# Hi\n\nText" });
    expect(tool.modelText(output, {})).toMatch(/^From \S+\/moved, which led to \S+\/page:\n/);
  });

  it("puts a text too large to show where the call says, and names the place", async () => {
    const spill = vi.fn(async (_text: string) => "/tmp/0-uuid.txt");
    const output = (await tool.execute({ url: `${server.url}/long` }, { ...toolCall(), spill })) as JsonObject;
    expect(output).toEqual({
      url: `${server.url}/long`,
      mediaType: "text/plain",
      fileSize: 63_000,
      output_location: "/tmp/0-uuid.txt",
      textSize: 63_000,
      totalLines: 3_001,
    });
    expect(spill.mock.calls).toEqual([["0123456789 long line\n".repeat(3_000)]]);
    expect(tool.modelText(output, {})).toBe(
      `From ${server.url}/long:\n\nThe text is too large to show (62 KB, 3001 lines). It is in /tmp/0-uuid.txt: use Read or ` +
        "Grep on that path.",
    );
  });

  it("cuts it, and says so, where there is no such place", async () => {
    const output = await fetched("/long");
    expect(output).toMatchObject({ fileSize: 63_000, missingBytes: 63_000 - 32 * 1024 });
    expect((tool.modelText(output, {}) as string).split("\n").at(-1)).toBe("[30232 more bytes not shown]");
  });

  it.each([
    ["/missing", "http-status", "SERVER answered 404 Not Found. There is nothing at this address."],
    [
      "/private",
      "http-status",
      "SERVER answered 403 Forbidden. It is not for everybody: this tool sends no keys and no cookies.",
    ],
    [
      "/broken",
      "http-status",
      "SERVER answered 503 Service Unavailable. That is trouble of the server's own; it may pass.",
    ],
    ["/image", "not-text", "SERVER/image is image/png, not text: it was not read."],
    ["/lies", "not-text", "SERVER/lies says it is text/plain, and holds no text."],
    ["/huge", "too-large", "SERVER/huge is over 5 MB: it was not read to its end."],
    ["/endless", "too-large", "SERVER/endless is over 5 MB: it was not read to its end."],
    ["/cut", "cut", "The answer of SERVER broke off."],
    [
      "/loop",
      "redirect",
      "SERVER/loop redirects to another address, which gave no answer this page may read. The browser does not say which " +
        "address it is; ask for that one to learn more.",
    ],
  ])("says exactly why %s shows nothing", async (path, code, message) => {
    expect(await failure(`${server.url}${path}`)).toEqual([code, message]);
  });

  it("says where nobody answers, and what is no address of the web", async () => {
    const [code, message] = await failure("http://127.0.0.1:1/");
    expect([code, message]).toEqual(["network", expect.stringContaining("No connection to http://127.0.0.1:1")]);
    expect(await failure("file:///etc/passwd")).toEqual([
      "bad-address",
      "Not a web address: file:///etc/passwd. It starts with https:// or http://.",
    ]);
    expect(await failure("https://me:secret@site.example/")).toEqual([
      "bad-address",
      "A web address may hold no user name and no password.",
    ]);
  });

  it("asks nothing that the page's policy keeps it from", async () => {
    vi.stubGlobal("location", { origin: "https://page.example" });
    const fetch = vi.fn();
    const call = webFetchTool({ fetch }).execute({ url: "http://192.168.0.9/a" }, toolCall());
    await expect(call).rejects.toMatchObject({
      code: "blocked",
      message: expect.stringMatching(/^This page may reach https addresses, localhost and 127\.0\.0\.1 only/),
    });
    expect(fetch).not.toHaveBeenCalled();
    vi.unstubAllGlobals();
  });

  it("gives up on a server that does not come to an end", async () => {
    vi.spyOn(AbortSignal, "timeout").mockImplementation(() => {
      const late = new AbortController();
      setTimeout(() => late.abort(new DOMException("late", "TimeoutError")), 100);
      return late.signal;
    });
    expect(await failure(`${server.url}/slow`)).toEqual([
      "timeout",
      "SERVER did not send all of it within 30 seconds.",
    ]);
    vi.restoreAllMocks();
  });

  it("stops in the middle of an answer", async () => {
    const stop = new AbortController();
    const call = tool.execute({ url: `${server.url}/slow` }, toolCall(stop.signal));
    setTimeout(() => stop.abort(), 100);
    await expect(call).rejects.toMatchObject({ name: "AbortError" });
  });
});
