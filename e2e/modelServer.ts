import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface ChatRequest {
  readonly authorization: string | undefined;
  readonly body: { readonly messages: readonly { readonly role: string; readonly content: unknown }[] };
}

/** The stream of one answer, as a server of the OpenAI kind writes it. */
export interface ChatStream {
  readonly request: ChatRequest;
  say(text: string): void;
  call(name: string, input: unknown): void;
  /** Ends the stream properly. */
  end(reason?: "stop" | "tool-calls"): void;
  /** Resolves when the page has let the stream go, or it has ended. */
  readonly gone: Promise<void>;
}

export type ChatAnswer = (stream: ChatStream) => void | Promise<void>;

export interface ModelServerOptions {
  /** Given in order, the last one again and again. */
  readonly answers: readonly ChatAnswer[];
  /** Whether pages of other origins may read the answers; true when absent. */
  readonly allowsPages?: boolean;
  /** The key every request must carry. */
  readonly key?: string;
}

export const MODEL_ID = "scripted-1";

/** A model server on this machine that follows a script. The test of the connection is answered besides it. */
export class ModelServer implements AsyncDisposable {
  readonly requests: ChatRequest[] = [];
  readonly #options: ModelServerOptions;
  readonly #server = createServer((incoming, response) => void this.#serve(incoming, response));
  #callCount = 0;

  private constructor(options: ModelServerOptions) {
    this.#options = options;
  }

  static async start(options: ModelServerOptions): Promise<ModelServer> {
    const server = new ModelServer(options);
    await new Promise<void>((resolve) => server.#server.listen(0, "127.0.0.1", resolve));
    return server;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get baseUrl(): string {
    return `${this.origin}/v1`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.#options.allowsPages ?? true) {
      response.setHeader("access-control-allow-origin", incoming.headers.origin ?? "*");
      response.setHeader("access-control-allow-headers", "authorization, content-type");
    }
    const body = await textOf(incoming);
    const { authorization } = incoming.headers;
    if (incoming.method === "OPTIONS") return void response.writeHead(204).end();
    if (this.#options.key !== undefined && authorization !== `Bearer ${this.#options.key}`) {
      // As some servers do, what was wrong is quoted.
      return sendJson(response, 401, { error: { message: `Incorrect API key provided: ${authorization ?? "none"}` } });
    }
    if (incoming.url === "/v1/models") return sendJson(response, 200, { data: [{ id: MODEL_ID }] });
    if (incoming.url !== "/v1/chat/completions") return sendJson(response, 404, { error: { message: "no such path" } });
    return this.#chat({ authorization, body: JSON.parse(body) as ChatRequest["body"] }, response);
  }

  async #chat(request: ChatRequest, response: ServerResponse): Promise<void> {
    const stream = this.#stream(request, response);
    if (JSON.stringify(request.body.messages.at(-1)).includes("Answer with the one word: ready")) {
      stream.say("ready");
      return stream.end();
    }
    const answer = this.#options.answers[Math.min(this.requests.length, this.#options.answers.length - 1)];
    this.requests.push(request);
    return answer?.(stream);
  }

  #stream(request: ChatRequest, response: ServerResponse): ChatStream {
    const send = (delta: unknown, reason: string | null = null) =>
      void response.write(
        `data: ${JSON.stringify({ id: "chat_1", choices: [{ index: 0, delta, finish_reason: reason }] })}\n\n`,
      );
    let index = 0;
    response.writeHead(200, { "content-type": "text/event-stream" });
    return {
      request,
      say: (text) => send({ role: "assistant", content: text }),
      call: (name, input) =>
        send({
          tool_calls: [
            {
              index: index++,
              id: `call_${++this.#callCount}`,
              type: "function",
              function: { name, arguments: JSON.stringify(input) },
            },
          ],
        }),
      end: (reason = index > 0 ? "tool-calls" : "stop") => {
        send({}, reason === "stop" ? "stop" : "tool_calls");
        response.end("data: [DONE]\n\n");
      },
      gone: new Promise((resolve) => response.on("close", resolve)),
    };
  }
}

async function textOf(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const bytes of incoming) chunks.push(bytes as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}
