import { afterEach, describe, expect, it, vi } from "vitest";
import { createKeyring } from "../secrets";
import type { PagePlace } from "./connectionAdvice";
import { listModels } from "./listModels";
import { chunk, DONE, eventStream, json, refusal, scriptedServer } from "./scriptedServer.suite";
import { testConnection, type ConnectionStep } from "./testConnection";

const KEY = "sk-canary-0123456789abcdef";
const models = json({ data: [{ id: "llama3.2:latest" }, { id: "qwen3" }] });
const ready = eventStream(chunk({ content: "ready" }, "stop"), DONE);

interface Attempt {
  readonly baseUrl: string;
  readonly modelId?: string;
  readonly key?: string;
  readonly fetch?: typeof globalThis.fetch;
  readonly page?: PagePlace;
}

async function tested({ baseUrl, modelId = "llama3.2", key, fetch, page = {} }: Attempt): Promise<ConnectionStep[]> {
  const keyring = createKeyring();
  if (key !== undefined) keyring.set(baseUrl, key);
  const steps: ConnectionStep[] = [];
  const services = { keyring, page, ...(fetch ? { fetch } : {}) };
  for await (const step of testConnection({ kind: "openai-compatible", baseUrl, modelId }, services)) steps.push(step);
  return steps;
}

/** A browser's fetch: it hides why an answer did not come; `isThere` when the server can be reached at all. */
function browserFetch(isThere: boolean): typeof globalThis.fetch {
  return (_input, init) =>
    isThere && init?.mode === "no-cors"
      ? Promise.resolve(new Response())
      : Promise.reject(new TypeError("Failed to fetch"));
}

/** An isolated page in a browser that reports one answer as hidden. */
function isolatedPage(blockedURL: string): void {
  vi.stubGlobal("crossOriginIsolated", true);
  vi.stubGlobal(
    "ReportingObserver",
    class {
      readonly observe: () => void;
      constructor(listener: (reports: readonly unknown[]) => void) {
        this.observe = () => void setTimeout(() => listener([{ toJSON: () => ({ body: { blockedURL } }) }]), 5);
      }
      disconnect(): void {}
    },
  );
}

afterEach(() => void vi.unstubAllGlobals());

const line = ({ step, ok, detail, fix }: ConnectionStep): string =>
  `${ok ? "ok" : "failed"} ${step}: ${detail}${fix ? ` | ${fix}` : ""}`;

describe("testConnection", () => {
  it("goes through address, reach, key, model and one streamed word", async () => {
    await using server = await scriptedServer(models, ready);
    expect((await tested({ baseUrl: `${server.baseUrl}/`, key: KEY })).map(line)).toEqual([
      `ok Address: ${server.baseUrl}`,
      `ok Reach: ${new URL(server.baseUrl).origin} answers.`,
      "ok Key: Accepted.",
      "ok Model: llama3.2 is listed.",
      'ok Answer: It streams: "ready"',
    ]);
    expect(server.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "GET /v1/models",
      "POST /v1/chat/completions",
    ]);
  });

  it("names the models there are when the wanted one is not listed, and tries it all the same", async () => {
    await using server = await scriptedServer(models, refusal(404, { error: { message: `no model for ${KEY}` } }));
    expect((await tested({ baseUrl: server.baseUrl, modelId: "gpt", key: KEY })).slice(3).map(line)).toEqual([
      "failed Model: gpt is not listed. | It lists: llama3.2:latest, qwen3",
      "failed Answer: no model for [key removed] (HTTP 404) | Does the server know this model, and does it speak /chat/completions?",
    ]);
  });

  it("tells a missing key from a wrong one", async () => {
    await using server = await scriptedServer(refusal(401, { error: { message: "no" } }));
    expect((await tested({ baseUrl: server.baseUrl })).at(-1)).toEqual({
      step: "Key",
      ok: false,
      detail: "no (HTTP 401)",
      fix: "This server wants a key: enter it beside the address.",
    });
    expect((await tested({ baseUrl: server.baseUrl, key: KEY })).at(-1)).toMatchObject({
      step: "Key",
      fix: "Check the key and its rights.",
    });
  });

  it("stops at what is no address", async () => {
    expect((await tested({ baseUrl: "localhost:11434" })).map(({ step, ok }) => [step, ok])).toEqual([
      ["Address", false],
    ]);
  });

  it.each([
    ["http://localhost:11434/v1", 'OLLAMA_ORIGINS="https://me.example" ollama serve'],
    ["http://localhost:1234/v1", "lms server start --cors"],
    ["http://localhost:8080/v1", "llama-server -m model.gguf --port 8080"],
    ["http://localhost:8000/v1", `--allowed-origins '["https://me.example"]'`],
    ["https://models.example/v1", "Access-Control-Allow-Origin: https://me.example"],
  ])("gives the exact fix when %s does not let the page read", async (baseUrl, fix) => {
    const steps = await tested({ baseUrl, fetch: browserFetch(true), page: { origin: "https://me.example" } });
    expect(steps.at(-1)).toMatchObject({ step: "Reach", ok: false, detail: expect.stringContaining("(CORS)") });
    expect(steps.at(-1)?.fix).toContain(fix);
  });

  it.each<[string, PagePlace, string]>([
    ["http://localhost:11434/v1", {}, "Is Ollama running? Start it with: ollama serve"],
    [
      "http://localhost:11434/v1",
      { origin: "https://me.example", localNetwork: "denied" },
      "Local network access to Allow",
    ],
    ["http://localhost:11434/v1", { origin: "https://me.example", localNetwork: "denied" }, "Is Ollama running?"],
    ["http://127.0.0.1:9/v1", {}, "Is the server running"],
  ])("says what to look at when %s cannot be reached from %o", async (baseUrl, page, fix) => {
    const steps = await tested({ baseUrl, fetch: browserFetch(false), page });
    expect(steps.at(-1)).toMatchObject({ step: "Reach", ok: false });
    expect(steps.at(-1)?.fix).toContain(fix);
  });

  it("does not speak of Chrome's permission where the page is served by this machine", async () => {
    const page: PagePlace = { origin: "http://localhost:4173", localNetwork: "denied" };
    const steps = await tested({ baseUrl: "http://127.0.0.1:11434/v1", fetch: browserFetch(false), page });
    expect(steps.at(-1)?.fix).toBe("Is Ollama running? Start it with: ollama serve");
  });

  it("sends nothing to an address the page may not reach, and says so", async () => {
    const fetch = vi.fn();
    const page: PagePlace = { origin: "http://localhost:4173", localNetwork: "denied" };
    const steps = await tested({ baseUrl: "http://192.168.0.9:11434", fetch, page });
    expect(steps.map(line)).toEqual([
      "failed Address: This page may reach https addresses, localhost and 127.0.0.1 only: no request was sent to http://192.168.0.9:11434. | " +
        "Serve it over https, or bring it to this machine with a tunnel and use http://localhost:11434. " +
        "For example: ssh -N -L 11434:localhost:11434 192.168.0.9",
    ]);
    expect(fetch.mock.calls).toEqual([]);
  });

  it.each([
    [
      refusal(404, ""),
      "failed Model: No model is named, and nothing answers at /models of this address. | Name the model, and look whether the address should end in /v1.",
    ],
    [models, "failed Model: No model is named. | It lists: llama3.2:latest, qwen3"],
  ])("ends where no model is named", async (answer, last) => {
    await using server = await scriptedServer(answer);
    const steps = await tested({ baseUrl: server.baseUrl, modelId: "" });
    expect(steps.map(line).at(-1)).toBe(last);
  });

  it.each([
    ["the browser reports that isolation hid the answer", true, "(CORS)", "Access-Control-Allow-Origin"],
    ["it reports nothing", false, "No connection to https://models.example.", "Is the server running"],
  ])("tells, in an isolated page, when %s", async (_when, isHidden, detail, fix) => {
    isolatedPage(isHidden ? "https://models.example/" : "https://other.example/");
    const steps = await tested({ baseUrl: "https://models.example/v1", fetch: browserFetch(false) });
    expect(steps.at(-1)).toMatchObject({ step: "Reach", detail: expect.stringContaining(detail) });
    expect(steps.at(-1)?.fix).toContain(fix);
  });

  it("has nothing to connect to for the demo planner", async () => {
    const steps: ConnectionStep[] = [];
    for await (const step of testConnection({ kind: "demo" }, { keyring: createKeyring() })) steps.push(step);
    expect(steps.map(({ ok }) => ok)).toEqual([true]);
  });
});

describe("listModels", () => {
  it("gives the ids in the server's order, and nothing where there is no list", async () => {
    const keyring = createKeyring();
    await using server = await scriptedServer(models, refusal(404, ""), json({ models: [] }));
    const lists = [];
    for (let time = 0; time < 3; time++) lists.push(await listModels(server.baseUrl, { keyring }));
    expect(lists).toEqual([["llama3.2:latest", "qwen3"], undefined, undefined]);
  });
});
