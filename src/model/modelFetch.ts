import { addressRefusal, limits, reachability } from "../base";
import { chatEventStream } from "./chatEventStream";
import type { ModelServices } from "./createModel";
import { ModelError } from "./modelError";

/**
 * The `fetch` a provider package gets (docs/models.md, Wire rules): without `user-agent`, which puts itself into the
 * preflight and fails it; with the key of the request's own origin, asked for at this moment; with a failed connection
 * diagnosed; with every answer scrubbed and mended.
 *
 * @param onAlive called whenever the server sends anything
 * @throws ModelError (blocked, cors, network, bad-request), and what `fetch` throws when stopped
 */
export function modelFetch(services: ModelServices, onAlive?: () => void): typeof globalThis.fetch {
  return async (input, init) => {
    const request = services.fetch ?? globalThis.fetch;
    const url = input instanceof Request ? input.url : String(input);
    const refusal = addressRefusal(url);
    if (refusal) throw new ModelError("blocked", `${refusal.message} ${refusal.fix}`);
    const headers = new Headers(init?.headers);
    headers.delete("user-agent");
    headers.delete("authorization");
    const key = services.keyring.get(url);
    if (key !== undefined) headers.set("authorization", `Bearer ${key}`);
    let response: Response;
    try {
      // A redirect is not followed: it could carry the key to another origin.
      response = await request(url, {
        ...init,
        headers,
        credentials: "omit",
        referrerPolicy: "no-referrer",
        redirect: "manual",
      });
    } catch (error) {
      if (init?.signal?.aborted) throw error;
      const found = await reachability(url, request, error);
      throw new ModelError(found.code, services.keyring.scrub(found.message), error);
    }
    if (response.type === "opaqueredirect" || (response.status >= 300 && response.status < 400)) {
      throw new ModelError("bad-request", "The address redirects to another one: use that one as the base URL.");
    }
    return scrubbedResponse(response, (text) => services.keyring.scrub(text), onAlive);
  };
}

async function scrubbedResponse(
  response: Response,
  scrub: (text: string) => string,
  onAlive?: () => void,
): Promise<Response> {
  const headers = new Headers([...response.headers].map(([name, value]) => [name, scrub(value)]));
  // The body below is already decoded.
  for (const name of ["content-encoding", "content-length"]) headers.delete(name);
  const shape = { status: response.status, statusText: scrub(response.statusText), headers };
  if (!response.ok) return new Response(scrub(await textUpTo(response, limits.modelErrorBytes)), shape);
  const type = headers.get("content-type") ?? "";
  if (type.includes("text/event-stream") && response.body) {
    return new Response(response.body.pipeThrough(chatEventStream({ scrub, onAlive })), shape);
  }
  if (type.includes("text/html")) {
    await response.body?.cancel();
    throw new ModelError(
      "bad-request",
      "The address answers with a web page, not a model. Base URLs usually end in /v1.",
    );
  }
  return new Response(scrub(await response.text()), shape);
}

async function textUpTo(response: Response, maxBytes: number): Promise<string> {
  const reader = response.body?.getReader();
  if (!reader) return "";
  const decoder = new TextDecoder();
  let text = "";
  let readBytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    text += decoder.decode(value, { stream: true });
    readBytes += value.length;
    if (readBytes >= maxBytes) break;
  }
  await reader.cancel();
  return text;
}
