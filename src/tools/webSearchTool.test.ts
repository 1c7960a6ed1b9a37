import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { JsonObject } from "../base";
import { toolCall } from "../testing/runTool";
import { endpointSearch } from "./webEndpointSearch";
import { fixtureSearch } from "./webFixtureSearch";
import { webSearchTool } from "./webSearchTool";
import { webServer, type WebServer } from "./webServer.suite";

let server: WebServer;
beforeAll(async () => void (server = await webServer()));
afterAll(() => server.stop());

const search = (path: string, key?: string) =>
  webSearchTool(endpointSearch({ endpoint: `${server.url}${path}`, key: () => key }));

describe("webSearch by an endpoint", () => {
  it("sends the term and the key, and shows what it answers", async () => {
    const tool = search("/search", "sk-search-key");
    const output = (await tool.execute({ query: "tabs & stores" }, toolCall())) as JsonObject;
    expect(output).toEqual({
      searchTerm: "tabs & stores",
      source: new URL(server.url).host,
      results: [
        { title: "About tabs & stores", url: "https://one.example/", snippet: "The first." },
        { title: "https://two.example/", url: "https://two.example/", snippet: "The second." },
      ],
    });
    expect(tool.modelText(output, {})).toBe(
      "About tabs & stores\nhttps://one.example/\nThe first.\n\nhttps://two.example/\nhttps://two.example/\nThe second.",
    );
    const request = server.requests.at(-1);
    expect([request?.url, request?.headers.authorization]).toEqual([
      "/search?q=tabs+%26+stores",
      "Bearer sk-search-key",
    ]);
  });

  it("keeps the address's own query and shows an answer in words first", async () => {
    const tool = search("/search?style=answers");
    const output = (await tool.execute({ searchTerm: "tabs" }, toolCall())) as JsonObject;
    expect(output["answer"]).toBe("tabs is known.");
    expect((tool.modelText(output, {}) as string).split("\n\n")[0]).toBe("tabs is known.");
    expect(server.requests.at(-1)?.headers.authorization).toBeUndefined();
  });

  it("refuses an answer of another shape, a redirect, and says why a service does not answer", async () => {
    const codes = await Promise.all(
      ["/search-other", "/plain", "/moved", "/private"].map(async (path) => {
        const error = await search(path, "sk-search-key")
          .execute({ searchTerm: "x" }, toolCall())
          .catch((thrown: unknown) => thrown);
        return (error as { code: string }).code;
      }),
    );
    expect(codes).toEqual(["bad-answer", "bad-answer", "redirect", "http-status"]);
  });

  it("puts many words into a file", async () => {
    const spill = vi.fn(async (_text: string) => "/tmp/1-uuid.txt");
    const tool = webSearchTool({
      name: "talker",
      search: async () => ({ answer: "word ".repeat(10_000), results: [{ title: "T", url: "https://t.example/" }] }),
    });
    const output = (await tool.execute({ searchTerm: "x" }, { ...toolCall(), spill })) as JsonObject;
    expect(output).toMatchObject({ searchTerm: "x", source: "talker", output_location: "/tmp/1-uuid.txt" });
    expect(output["answer"]).toBeUndefined();
    expect(tool.modelText(output, {})).toContain("It is in /tmp/1-uuid.txt: use Read or Grep on that path.");
    expect(spill.mock.calls[0]?.[0]).toMatch(/^word .*T\nhttps:\/\/t\.example\/$/s);
  });
});

describe("webSearch by the fixture", () => {
  const tool = webSearchTool(fixtureSearch());
  const searched = async (searchTerm: string) => (await tool.execute({ searchTerm }, toolCall())) as JsonObject;

  it("says that it is one, in its value and in its text", async () => {
    const output = await searched("IndexedDB connection closed by the browser");
    expect(output).toMatchObject({ source: "recorded results", fixture: true });
    expect((output["results"] as readonly { title: string }[])[0]?.title).toBe(
      "IDBDatabase: close event - Web APIs | MDN",
    );
    expect((tool.modelText(output, {}) as string).split("\n\n")[0]).toBe(
      "These results were recorded with the product: nothing was searched, and they may be old. For live results a person " +
        "sets the address of a search service, or chooses a model that searches by itself.",
    );
  });

  it("finds nothing where nothing was recorded", async () => {
    const output = await searched("weather in Lisbon tomorrow");
    expect(output).toMatchObject({ fixture: true, results: [] });
    expect((tool.modelText(output, {}) as string).split("\n\n").at(-1)).toBe("(no results)");
  });
});
