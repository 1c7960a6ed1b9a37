import type {
  AuthProvider,
  OAuthClientInformationContext,
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from "@modelcontextprotocol/client";
import { isLoopback, limits } from "../base";
import type { Keyring } from "../secrets";
import { McpError } from "./mcpError";
import { needsSignIn } from "./mcpFailure";
import type { McpFetch } from "./mcpFetch";
import { signInAnswer, type SignInWindow } from "./signInWindow";

export interface McpCredentialsOptions {
  readonly url: string;
  readonly keyring: Keyring;
  /** Tells this connection's keys apart from others of the same origin. */
  readonly use: string;
  /** How this program is known to the sign-in server, where it was registered by hand. */
  readonly clientId?: string | undefined;
}

/**
 * Who a connection is to its server: a token a person gave, or what a sign-in brought. Every secret is in the keyring, in
 * memory, bound to the origin it is for; the rest is here and goes with the page.
 */
export class McpCredentials {
  readonly #options: McpCredentialsOptions;
  readonly #provider: ConnectionProvider;
  /** What the server last said of how to sign in. */
  #challenge: { readonly resourceMetadataUrl?: URL; readonly scope?: string } = {};

  constructor(options: McpCredentialsOptions) {
    this.#options = options;
    this.#provider = new ConnectionProvider(options);
  }

  get hasToken(): boolean {
    return this.#options.keyring.has(this.#options.url, this.#options.use);
  }

  /** Takes a token a person has; an empty one forgets it. */
  setToken(token: string): void {
    this.forget();
    this.#options.keyring.set(this.#options.url, token, this.#options.use);
  }

  forget(): void {
    this.#provider.invalidateCredentials("all");
  }

  /** What the transport asks before each request, and when one was refused. */
  forRequests(requests: McpFetch): AuthProvider {
    return {
      token: async () => this.#provider.tokens()?.access_token,
      onUnauthorized: async ({ response }) => {
        const { auth, extractWWWAuthenticateParams } = await import("@modelcontextprotocol/client");
        const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(response);
        this.#challenge = {
          ...(resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl }),
          ...(scope === undefined ? {} : { scope }),
        };
        const { url } = this.#options;
        // Nothing is registered or asked anywhere before a person wants to sign in; what was signed in is renewed.
        if (this.#provider.tokens()?.refresh_token === undefined) throw needsSignIn(new URL(url).origin);
        await auth(this.#provider, { serverUrl: url, fetchFn: requests.fetch, ...this.#challenge });
      },
    };
  }

  /**
   * Signs in: finds the sign-in server, registers there where that is offered, leads the window to it, and changes the code
   * it comes back with (PKCE) for tokens.
   * @throws McpError (sign-in); whatever the requests throw; the signal's reason
   */
  async signIn(window: SignInWindow, requests: McpFetch, signal: AbortSignal): Promise<void> {
    if ((globalThis as { isSecureContext?: boolean }).isSecureContext === false) {
      window.close();
      throw new McpError("sign-in", "Signing in needs a page of https or of localhost: open this one so.");
    }
    const { auth } = await import("@modelcontextprotocol/client");
    const options = { serverUrl: this.#options.url, fetchFn: requests.fetch, ...this.#challenge };
    const late = AbortSignal.timeout(limits.signInMs);
    const ended = AbortSignal.any([signal, late]);
    try {
      const state = this.#provider.begin(window);
      const answering = signInAnswer(state, ended);
      // Rejected while the server is still being asked, it must not count as unheard.
      answering.catch(() => undefined);
      if ((await auth(this.#provider, { ...options, forceReauthorization: true })) === "AUTHORIZED") return;
      const answer = await answering;
      await auth(this.#provider, { ...options, ...codeFrom(answer) });
    } catch (error) {
      signal.throwIfAborted();
      if (late.aborted) throw new McpError("sign-in", "Nobody signed in within five minutes.", error);
      throw signInFailure(error);
    } finally {
      this.#provider.end();
      window.close();
    }
  }
}

function codeFrom(answer: URLSearchParams): { authorizationCode: string; iss?: string } {
  const [code, iss, error] = [answer.get("code"), answer.get("iss"), answer.get("error")];
  if (code === null) {
    const words = error === "access_denied" ? "it was refused" : `the server answered ${plainCode(error)}`;
    throw new McpError("sign-in", `The sign-in came to nothing: ${words}.`);
  }
  return { authorizationCode: code, ...(iss === null ? {} : { iss }) };
}

/** The texts beside an error's code may come from anybody: only the code is shown. */
function plainCode(error: string | null): string {
  return error !== null && /^[a-z_]{1,40}$/.test(error) ? error : "without a code";
}

function signInFailure(error: unknown): unknown {
  if (error instanceof McpError || error instanceof TypeError || !(error instanceof Error)) return error;
  const cannotRegister =
    error.name === "RegistrationRejectedError" || error.message.includes("dynamic client registration");
  const advice = cannotRegister
    ? " The sign-in server takes no new programs by itself: register one there with this page's address to come back to, and " +
      "give its client id."
    : "";
  return new McpError("sign-in", `The sign-in came to nothing: ${error.message.replace(/\.?$/, ".")}${advice}`, error);
}

/** What the protocol's package asks about this program, and where it leaves what it learns. */
class ConnectionProvider implements OAuthClientProvider {
  readonly #options: McpCredentialsOptions;
  #window: SignInWindow | undefined;
  #state = "";
  #codeVerifier = "";
  #redirectUrl = "";
  #discovery: OAuthDiscoveryState | undefined;
  #client: StoredOAuthClientInformation | undefined;
  #facts: Omit<StoredOAuthTokens, "access_token" | "refresh_token"> | undefined;

  constructor(options: McpCredentialsOptions) {
    this.#options = options;
  }

  /** Until `end` the window may be led away. */
  begin(window: SignInWindow): string {
    if (this.#redirectUrl !== window.redirectUrl) this.#client = undefined;
    this.#window = window;
    this.#redirectUrl = window.redirectUrl;
    this.#discovery = undefined;
    this.#state = `${crypto.randomUUID()}${crypto.randomUUID()}`;
    return this.#state;
  }

  end(): void {
    this.#window = undefined;
    this.#state = "";
    this.#codeVerifier = "";
  }

  get redirectUrl(): string {
    return this.#redirectUrl;
  }

  get clientMetadata(): OAuthClientMetadata {
    return {
      client_name: "Rootscope",
      redirect_uris: [this.#redirectUrl],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
    };
  }

  state(): string {
    return this.#state;
  }

  clientInformation(context?: OAuthClientInformationContext): StoredOAuthClientInformation | undefined {
    const { clientId, keyring, use } = this.#options;
    if (clientId !== undefined && clientId !== "") return { client_id: clientId, ...context };
    if (this.#client === undefined || (context !== undefined && this.#client.issuer !== context.issuer))
      return undefined;
    const secret = keyring.get(this.#client.issuer ?? "", `${use} client`);
    return { ...this.#client, ...(secret === undefined ? {} : { client_secret: secret }) };
  }

  saveClientInformation(client: StoredOAuthClientInformation, context?: OAuthClientInformationContext): void {
    const { client_secret: secret, ...open } = client as StoredOAuthClientInformation & { client_secret?: string };
    const issuer = client.issuer ?? context?.issuer;
    this.#client = { ...open, ...(issuer === undefined ? {} : { issuer }) };
    if (secret !== undefined && issuer !== undefined) {
      this.#options.keyring.set(issuer, secret, `${this.#options.use} client`);
    }
  }

  tokens(): StoredOAuthTokens | undefined {
    const { keyring, url, use } = this.#options;
    const token = keyring.get(url, use);
    if (token === undefined) return undefined;
    const refresh = this.#facts?.issuer === undefined ? undefined : keyring.get(this.#facts.issuer, `${use} refresh`);
    return {
      token_type: "bearer",
      ...this.#facts,
      access_token: token,
      ...(refresh === undefined ? {} : { refresh_token: refresh }),
    };
  }

  saveTokens(tokens: StoredOAuthTokens, context?: OAuthClientInformationContext): void {
    const { access_token: token, refresh_token: refresh, ...facts } = tokens;
    const { keyring, url, use } = this.#options;
    const issuer = tokens.issuer ?? context?.issuer;
    this.#facts = { ...facts, ...(issuer === undefined ? {} : { issuer }) };
    keyring.set(url, token, use);
    if (refresh !== undefined && issuer !== undefined) keyring.set(issuer, refresh, `${use} refresh`);
  }

  redirectToAuthorization(address: URL): void {
    if (this.#window === undefined) throw needsSignIn(new URL(this.#options.url).origin);
    const isSafe = address.protocol === "https:" || (address.protocol === "http:" && isLoopback(address.hostname));
    if (!isSafe)
      throw new McpError("sign-in", `The sign-in is at ${address.origin}, which is not https: it was not opened.`);
    this.#window.go(address.href);
  }

  saveCodeVerifier(codeVerifier: string): void {
    this.#codeVerifier = codeVerifier;
  }

  codeVerifier(): string {
    return this.#codeVerifier;
  }

  saveDiscoveryState(discovery: OAuthDiscoveryState): void {
    this.#discovery = discovery;
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    return this.#discovery;
  }

  invalidateCredentials(scope: "all" | "client" | "tokens" | "verifier" | "discovery"): void {
    const { keyring, url, use } = this.#options;
    if (scope === "all" || scope === "tokens") {
      keyring.forget(url, use);
      if (this.#facts?.issuer !== undefined) keyring.forget(this.#facts.issuer, `${use} refresh`);
      this.#facts = undefined;
    }
    if (scope === "all" || scope === "client") {
      if (this.#client?.issuer !== undefined) keyring.forget(this.#client.issuer, `${use} client`);
      this.#client = undefined;
    }
    if (scope === "all" || scope === "discovery") this.#discovery = undefined;
  }
}
