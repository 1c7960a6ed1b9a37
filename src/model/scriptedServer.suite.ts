import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

export interface ScriptedServer extends AsyncDisposable {
  /** The base URL, ending in `/v1`. */
  readonly baseUrl: string;
  readonly requests: readonly ReceivedRequest[];
}

export type Answer = (response: ServerResponse, request: ReceivedRequest) => void | Promise<void>;

/** A server on this machine that gives its answers in order, the last one again and again. */
export async function scriptedServer(...answers: readonly Answer[]): Promise<ScriptedServer> {
  const requests: ReceivedRequest[] = [];
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (bytes: Buffer) => chunks.push(bytes));
    incoming.on("end", () => {
      const { method = "", url = "", headers } = incoming;
      const request = { method, path: url, headers, body: Buffer.concat(chunks).toString("utf8") };
      const answer = answers[Math.min(requests.length, answers.length - 1)];
      requests.push(request);
      void answer?.(response, request);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A whole stream of events; a string is sent as it is, anything else as JSON. */
export function eventStream(...events: readonly unknown[]): Answer {
  return (response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(events.map(eventText).join(""));
  };
}

export function eventText(event: unknown): string {
  return `data: ${typeof event === "string" ? event : JSON.stringify(event)}\n\n`;
}

export function refusal(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Answer {
  return (response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  };
}

export function json(body: unknown): Answer {
  return refusal(200, body);
}

/** A chunk of a chat completion. */
export function chunk(delta: unknown, finishReason?: string): unknown {
  return { id: "chat_1", choices: [{ index: 0, delta, finish_reason: finishReason ?? null }] };
}

export function callDelta(call: {
  readonly index?: number;
  readonly id?: string;
  readonly name?: string;
  readonly arguments?: unknown;
}): unknown {
  const { index, id, name } = call;
  return chunk({
    tool_calls: [{ index, id, type: "function", function: { name, arguments: call.arguments } }],
  });
}

export const DONE = "[DONE]";
