import { describe, expect, it } from "vitest";
import { createKeyring, type Keyring } from "../secrets";
import { createModel } from "./createModel";
import { guardedStream, type GuardedPart, type GuardOptions } from "./guardedStream";
import { modelFailure } from "./modelFailure";
import {
  callDelta,
  chunk,
  DONE,
  eventStream,
  eventText,
  refusal,
  scriptedServer,
  type Answer,
  type ScriptedServer,
} from "./scriptedServer.suite";

const KEY = "sk-canary-0123456789abcdef";

/** One call of the model at a server that answers so, as the loop would see it. */
async function called(
  answer: Answer,
  options: GuardOptions & { keyring?: Keyring } = {},
): Promise<{ parts: GuardedPart[]; requests: ScriptedServer["requests"] }> {
  await using server = await scriptedServer(answer);
  const parts = await partsFrom(server.baseUrl, options);
  return { parts, requests: server.requests };
}

async function partsFrom(baseUrl: string, options: GuardOptions & { keyring?: Keyring } = {}): Promise<GuardedPart[]> {
  const keyring = options.keyring ?? createKeyring();
  const model = await createModel({ kind: "openai-compatible", baseUrl, modelId: "m" }, { keyring });
  const prompt = [{ role: "user" as const, content: [{ type: "text" as const, text: "hi" }] }];
  const parts: GuardedPart[] = [];
  const open = () => model.doStream({ prompt, ...(options.signal ? { abortSignal: options.signal } : {}) });
  for await (const part of guardedStream(open, options)) parts.push(part);
  return parts;
}

function textOf(parts: readonly GuardedPart[]): string {
  return parts.map((part) => (part.type === "text-delta" ? part.delta : "")).join("");
}

function callsOf(parts: readonly GuardedPart[]): string[] {
  return parts.flatMap((part) =>
    part.type === "tool-call" ? [`${part.toolCallId} ${part.toolName} ${part.input}`] : [],
  );
}

const last = (parts: readonly GuardedPart[]): unknown => parts.at(-1);

describe("the OpenAI-compatible model", () => {
  it("streams text and ends once, with the usage the server reported", async () => {
    const { parts, requests } = await called(
      eventStream(
        chunk({ content: "Hel" }),
        chunk({ content: "lo" }, "stop"),
        { choices: [], usage: { prompt_tokens: 7 } },
        DONE,
      ),
    );
    expect(textOf(parts)).toBe("Hello");
    expect(last(parts)).toMatchObject({
      type: "finish",
      finishReason: { unified: "stop", raw: "stop" },
      usage: {
        inputTokens: { total: 7, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
        outputTokens: { total: undefined, text: undefined, reasoning: undefined },
      },
    });
    expect(requests.map(({ method, path }) => `${method} ${path}`)).toEqual(["POST /v1/chat/completions"]);
  });

  it("leaves usage unknown when the server reports none", async () => {
    const { parts } = await called(eventStream(chunk({ content: "x" }, "stop"), DONE));
    expect(last(parts)).toMatchObject({
      usage: { inputTokens: { total: undefined }, outputTokens: { total: undefined } },
    });
  });

  it("sends the key of its origin, asked for at the call, and never the package's user agent", async () => {
    const keyring = createKeyring();
    await using server = await scriptedServer(eventStream(chunk({ content: "x" }, "stop"), DONE));
    await partsFrom(server.baseUrl, { keyring });
    keyring.set("https://elsewhere.example", "sk-another-0123456789");
    await partsFrom(server.baseUrl, { keyring });
    keyring.set(server.baseUrl, KEY);
    await partsFrom(server.baseUrl, { keyring });
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual([
      undefined,
      undefined,
      `Bearer ${KEY}`,
    ]);
    expect(server.requests.filter(({ headers }) => headers["user-agent"]?.includes("ai-sdk"))).toEqual([]);
  });

  it("joins characters whose bytes or halves are cut between chunks", async () => {
    const bytes = Buffer.from(eventText(chunk({ content: "é😀" })) + eventText(chunk({}, "stop")) + eventText(DONE));
    const split = await called(async (response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      for (const byte of bytes) {
        response.write(Buffer.from([byte]));
        if (byte > 127) await new Promise((resolve) => setTimeout(resolve, 1));
      }
      response.end();
    });
    expect(textOf(split.parts)).toBe("é😀");
    const halves = await called(
      eventStream(
        '{"choices":[{"delta":{"content":"a\\ud83d"}}]}',
        '{"choices":[{"delta":{"content":"\\ude00b"},"finish_reason":"stop"}]}',
        DONE,
      ),
    );
    expect(halves.parts.flatMap((part) => (part.type === "text-delta" ? [part.delta] : []))).toEqual(["a", "😀b"]);
    const lone = await called(
      eventStream('{"choices":[{"delta":{"content":"a\\ud83d"},"finish_reason":"stop"}]}', DONE),
    );
    expect(textOf(lone.parts)).toBe("a\uFFFD");
  });

  it("takes a finish reason from a server that ends with [DONE] alone", async () => {
    const { parts } = await called(eventStream(chunk({ content: "x" }), DONE));
    expect(last(parts)).toMatchObject({ type: "finish", finishReason: { unified: "stop" } });
    const calls = await called(eventStream(callDelta({ index: 0, id: "a", name: "LS", arguments: "{}" }), DONE));
    expect(last(calls.parts)).toMatchObject({ type: "finish", finishReason: { unified: "tool-calls" } });
  });

  it("gives back the server's data on a call verbatim", async () => {
    const signature = { google: { thought_signature: "c2ln+/=" } };
    const { parts } = await called(
      eventStream(
        chunk(
          { tool_calls: [{ index: 0, id: "a", function: { name: "LS", arguments: "{}" }, extra_content: signature }] },
          "tool_calls",
        ),
        DONE,
      ),
    );
    const call = parts.find((part) => part.type === "tool-call");
    expect(call?.type === "tool-call" && call.providerMetadata).toEqual({
      openaiCompatible: { thoughtSignature: "c2ln+/=" },
    });
  });
});

describe("tool calls on the wire", () => {
  it("are told apart by id, whatever their index", async () => {
    const { parts } = await called(
      eventStream(
        callDelta({ index: 0, id: "a", name: "Read", arguments: '{"path":"/a"}' }),
        callDelta({ index: 0, id: "b", name: "Read", arguments: '{"path":"/a"}' }),
        callDelta({ index: 0, id: "c", name: "LS", arguments: "" }),
        callDelta({ index: 0, id: "d", name: "LS", arguments: "" }),
        chunk({}, "tool_calls"),
        DONE,
      ),
    );
    expect(callsOf(parts)).toEqual(['a Read {"path":"/a"}', 'b Read {"path":"/a"}', "c LS {}", "d LS {}"]);
  });

  it("are put together from pieces that name the index or nothing", async () => {
    const { parts } = await called(
      eventStream(
        callDelta({ index: 0, id: "a", name: "Read", arguments: '{"pa' }),
        callDelta({ index: 1, id: "b", name: "LS", arguments: '{"path"' }),
        callDelta({ index: 0, arguments: 'th":"/a"}' }),
        callDelta({ index: 1, arguments: ':"/"}' }),
        callDelta({ id: "c", name: "Glob", arguments: '{"globPattern":' }),
        callDelta({ arguments: '"*"}' }),
        chunk({}, "tool_calls"),
        DONE,
      ),
    );
    expect(callsOf(parts)).toEqual(['a Read {"path":"/a"}', 'b LS {"path":"/"}', 'c Glob {"globPattern":"*"}']);
  });

  it("may have an object where its text is due, or nothing at all", async () => {
    const { parts } = await called(
      eventStream(
        callDelta({ index: 0, id: "a", name: "Read", arguments: { path: "/a" } }),
        callDelta({ index: 1, id: "b", name: "LS" }),
        chunk({}, "tool_calls"),
        DONE,
      ),
    );
    expect(callsOf(parts)).toEqual(['a Read {"path":"/a"}', "b LS {}"]);
  });
});

describe("a failing server", () => {
  it.each<[string, Answer, object]>([
    [
      "asks to wait",
      refusal(429, { error: { message: "slow down" } }, { "retry-after": "7" }),
      { code: "rate-limit", retryable: true, retryAfterMs: 7_000, message: "slow down (HTTP 429)" },
    ],
    [
      "is out of credit",
      refusal(429, { error: { message: "You exceeded your current quota", code: "insufficient_quota" } }),
      { code: "quota", retryable: false },
    ],
    [
      "wants payment",
      refusal(402, { error: { message: "Insufficient credits" } }),
      { code: "quota", retryable: false },
    ],
    ["is broken", refusal(500, "oops"), { code: "server", retryable: true }],
    ["is overloaded", refusal(529, { error: { message: "overloaded" } }), { code: "server", retryable: true }],
    [
      "refuses the key",
      refusal(401, { error: { message: "bad key" } }),
      { code: "auth", retryable: false, message: "bad key (HTTP 401)" },
    ],
    [
      "does not know the model",
      refusal(404, { error: { message: "no such model" } }),
      { code: "bad-request", retryable: false },
    ],
    [
      "answers with a page",
      (response) => void response.writeHead(200, { "content-type": "text/html" }).end("<html>"),
      { code: "bad-request", retryable: false },
    ],
    ["redirects", refusal(307, "", { location: "http://127.0.0.1:1/v1" }), { code: "bad-request", retryable: false }],
    ["sends broken JSON", eventStream("{nope", DONE), { code: "server", retryable: false }],
    [
      "reports an error in the stream",
      eventStream(chunk({ content: "a" }), { error: { message: "boom", type: "server_error" } }),
      { code: "server", message: "boom" },
    ],
  ])("that %s ends the stream with that failure alone", async (_name, answer, failure) => {
    const { parts } = await called(answer);
    expect(last(parts)).toMatchObject({ type: "failed", failure });
    expect(parts.filter(({ type }) => type === "failed" || type === "finish")).toHaveLength(1);
  });

  it("that is not there is a network failure", async () => {
    const server = await scriptedServer(eventStream(DONE));
    await server[Symbol.asyncDispose]();
    expect(last(await partsFrom(server.baseUrl))).toMatchObject({
      type: "failed",
      failure: { code: "network", retryable: true },
    });
  });
});

describe("three different ends", () => {
  const begin: Answer = (response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(eventText(chunk({ content: "half" })));
  };

  it("a stream that ends early is cut", async () => {
    const ended = await called((response, request) => {
      void begin(response, request);
      response.end();
    });
    const broken = await called((response, request) => {
      void begin(response, request);
      setTimeout(() => response.destroy(), 20);
    });
    for (const { parts } of [ended, broken]) {
      expect(textOf(parts)).toBe("half");
      expect(last(parts)).toMatchObject({ type: "failed", failure: { code: "cut", retryable: true } });
    }
  });

  it("a stream that goes silent is stalled; signs of life count as none of silence", async () => {
    const silent = await called(begin, { stallMs: 500 });
    expect(textOf(silent.parts)).toBe("half");
    expect(last(silent.parts)).toMatchObject({ type: "failed", failure: { code: "stall" } });
    const thinking = await called(
      async (response, request) => {
        void begin(response, request);
        for (let beat = 0; beat < 14; beat++) {
          await new Promise((resolve) => setTimeout(resolve, 50));
          response.write(": still thinking\n\n");
        }
        response.end(eventText(chunk({ content: " done" }, "stop")) + eventText(DONE));
      },
      { stallMs: 500 },
    );
    expect(textOf(thinking.parts)).toBe("half done");
    expect(last(thinking.parts)).toMatchObject({ type: "finish" });
  });

  it("a server that never answers is stalled too", async () => {
    const { parts } = await called(() => undefined, { stallMs: 200 });
    expect(parts).toMatchObject([{ type: "failed", failure: { code: "stall" } }]);
  });

  it("a stop ends it at once, and the server is let go", async () => {
    const stop = new AbortController();
    let isClosed = false;
    setTimeout(() => stop.abort(), 200);
    const { parts } = await called(
      (response, request) => {
        response.on("close", () => (isClosed = true));
        return begin(response, request);
      },
      { signal: stop.signal },
    );
    expect(last(parts)).toMatchObject({ type: "failed", failure: { code: "aborted", retryable: false } });
    await expect.poll(() => isClosed).toBe(true);
  });
});

describe("the key", () => {
  it("is in nothing that comes back, whatever the server echoes", async () => {
    const basic = Buffer.from(`user:${KEY}`).toString("base64");
    const headers = { "x-echo": `Bearer ${KEY}` };
    const answers: Answer[] = [
      refusal(401, { error: { message: `Incorrect API key provided: ${KEY}`, param: basic } }, headers),
      refusal(500, `Bearer ${KEY}`, headers),
      eventStream(chunk({ content: `your key is ${KEY}` }), { error: { message: encodeURIComponent(KEY) } }),
      eventStream(chunk({ content: `${basic} ${KEY}` }, "stop"), DONE),
      eventStream(`{${KEY}`, DONE),
    ];
    for (const answer of answers) {
      await using server = await scriptedServer(answer);
      const keyring = createKeyring();
      keyring.set(server.baseUrl, KEY);
      const model = await createModel(
        { kind: "openai-compatible", baseUrl: server.baseUrl, modelId: "m" },
        { keyring },
      );
      const seen: unknown[] = [await partsFrom(server.baseUrl, { keyring })];
      for (const call of [model.doStream({ prompt: [] }), model.doGenerate({ prompt: [] })]) {
        try {
          seen.push(await call);
        } catch (error) {
          seen.push(error, Object.entries(error as Error), String(error), (error as Error).stack, modelFailure(error));
        }
      }
      const text = seen.map((value) => JSON.stringify(value)).join("\n");
      expect(server.requests.every((request) => request.headers.authorization === `Bearer ${KEY}`)).toBe(true);
      for (const form of [KEY, Buffer.from(KEY).toString("base64").slice(2, -4)]) expect(text).not.toContain(form);
    }
  });

  it("is refused in a base URL", async () => {
    const keyring = createKeyring();
    for (const baseUrl of [
      "http://me:secret@127.0.0.1/v1",
      "http://127.0.0.1/v1?key=x",
      "ftp://127.0.0.1",
      "localhost",
    ]) {
      await expect(
        createModel({ kind: "openai-compatible", baseUrl, modelId: "m" }, { keyring }),
      ).rejects.toMatchObject({
        code: "bad-request",
      });
    }
  });
});

describe("a server that gives the key away in pieces", () => {
  it("is read without it, in what it says and in what it calls", async () => {
    const keyring = createKeyring();
    const pieces = [KEY.slice(0, 9), KEY.slice(9, 20), KEY.slice(20)];
    const answer = eventStream(
      ...pieces.map((piece, index) => chunk({ content: index === 0 ? `It is ${piece}` : piece })),
      chunk({ content: ", is it not? sk" }),
      callDelta({ index: 0, id: "c", name: "Write", arguments: `{"path":"/${pieces[0]}` }),
      callDelta({ index: 0, arguments: `${pieces[1]}${pieces[2]}"}` }),
      chunk({}, "tool_calls"),
      DONE,
    );
    await using server = await scriptedServer(answer);
    keyring.set(server.baseUrl, KEY);
    const parts = await partsFrom(server.baseUrl, { keyring });
    expect(textOf(parts)).toBe("It is [key removed], is it not? sk");
    expect(callsOf(parts)).toEqual(['c Write {"path":"/[key removed]"}']);
    expect(parts.flatMap((part) => (part.type === "tool-input-delta" ? [part.delta] : [])).join("")).toBe(
      '{"path":"/[key removed]"}',
    );
  });
});
