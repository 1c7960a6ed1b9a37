import { createHash, randomUUID } from "node:crypto";

interface Grant {
  readonly challenge: string;
  readonly redirectUri: string;
  readonly clientId: string;
}

/** A small OAuth server: registration, authorization code with PKCE, refresh. Whoever asks is let in, unless told otherwise. */
export class AuthorizationServer {
  /** Where it is; its metadata is at the address the standard derives from it. */
  readonly issuer: string;
  readonly #resource: string;
  readonly #codes = new Map<string, Grant>();
  readonly #access = new Set<string>();
  readonly #refresh = new Set<string>();
  readonly #clients = new Map<string, readonly string[]>([["known-client", []]]);
  /** Requests of each kind, for tests to count. */
  readonly asked = { register: 0, authorize: 0, token: 0, refresh: 0 };
  registers = true;
  refuses = false;

  constructor(origin: string, resource: string) {
    this.issuer = `${origin}/as`;
    this.#resource = resource;
  }

  isAllowed(request: Request): boolean {
    return this.#access.has((request.headers.get("authorization") ?? "").replace(/^Bearer /, ""));
  }

  /** What was signed in stays so; only the tokens of now are over. */
  expire(): void {
    this.#access.clear();
  }

  /** Nobody is known any more. */
  forget(): void {
    this.#access.clear();
    this.#refresh.clear();
    this.#codes.clear();
  }

  async answer(request: Request): Promise<Response | undefined> {
    const { pathname, searchParams } = new URL(request.url);
    switch (pathname) {
      case "/.well-known/oauth-protected-resource/secure/mcp":
        return Response.json({
          resource: this.#resource,
          authorization_servers: [this.issuer],
          scopes_supported: ["notes"],
        });
      case "/.well-known/oauth-authorization-server/as":
        return Response.json(this.#metadata());
      case "/as/register":
        return await this.#register(request);
      case "/as/authorize":
        return this.#authorize(searchParams);
      case "/as/token":
        return this.#token(new URLSearchParams(await request.text()));
      default:
        return undefined;
    }
  }

  #metadata(): object {
    return {
      issuer: this.issuer,
      authorization_endpoint: `${this.issuer}/authorize`,
      token_endpoint: `${this.issuer}/token`,
      ...(this.registers ? { registration_endpoint: `${this.issuer}/register` } : {}),
      response_types_supported: ["code"],
      grant_types_supported: ["authorization_code", "refresh_token"],
      code_challenge_methods_supported: ["S256"],
      token_endpoint_auth_methods_supported: ["none"],
      authorization_response_iss_parameter_supported: true,
    };
  }

  async #register(request: Request): Promise<Response> {
    this.asked.register++;
    const client = (await request.json()) as { redirect_uris: readonly string[] };
    const id = `client-${randomUUID()}`;
    this.#clients.set(id, client.redirect_uris);
    return Response.json({ ...client, client_id: id }, { status: 201 });
  }

  #authorize(query: URLSearchParams): Response {
    this.asked.authorize++;
    const [clientId, redirectUri] = [query.get("client_id") ?? "", query.get("redirect_uri") ?? ""];
    const registered = this.#clients.get(clientId);
    const isKnown = registered !== undefined && (registered.length === 0 || registered.includes(redirectUri));
    if (!isKnown || query.get("code_challenge_method") !== "S256") return new Response("refused", { status: 400 });
    const back = new URL(redirectUri);
    back.searchParams.set("state", query.get("state") ?? "");
    back.searchParams.set("iss", this.issuer);
    if (this.refuses) back.searchParams.set("error", "access_denied");
    else {
      const code = randomUUID();
      this.#codes.set(code, { challenge: query.get("code_challenge") ?? "", redirectUri, clientId });
      back.searchParams.set("code", code);
    }
    return new Response(null, { status: 302, headers: { location: back.href } });
  }

  #token(form: URLSearchParams): Response {
    this.asked.token++;
    if (form.get("grant_type") === "refresh_token") {
      this.asked.refresh++;
      return this.#refresh.delete(form.get("refresh_token") ?? "") ? this.#granted() : refused("invalid_grant");
    }
    const code = form.get("code") ?? "";
    const grant = this.#codes.get(code);
    this.#codes.delete(code);
    const proof = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    const fits =
      grant?.challenge === proof &&
      grant.redirectUri === form.get("redirect_uri") &&
      grant.clientId === form.get("client_id") &&
      form.get("resource") === this.#resource;
    return fits ? this.#granted() : refused("invalid_grant");
  }

  #granted(): Response {
    const [access, refresh] = [`access-${randomUUID()}`, `refresh-${randomUUID()}`];
    this.#access.add(access);
    this.#refresh.add(refresh);
    return Response.json({
      access_token: access,
      refresh_token: refresh,
      token_type: "Bearer",
      expires_in: 3600,
      scope: "notes",
    });
  }
}

function refused(error: string): Response {
  return Response.json({ error }, { status: 400 });
}
