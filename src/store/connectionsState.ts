import type { StoreApi } from "zustand/vanilla";
import type { AllowlistName, JsonObject } from "../base";
import type { ModelSettings } from "../model";
import type { Tool } from "../tools";
import type { ConnectionChoice, ConnectionRecord } from "./connectionRecord";

/** One tool of a server, as a list shows it. */
export interface ConnectionTool {
  /** The name a model calls it by: `mcp__{connection}__{tool}`. */
  readonly name: string;
  /** The server's own name for it. */
  readonly tool: string;
  readonly description: string;
  readonly effect: Tool["effect"];
  readonly inputSchema: JsonObject;
}

export type ConnectionStatus = "off" | "connecting" | "ready" | "needs-sign-in" | "signing-in" | "failed";

/** A connection as a screen shows it. */
export interface ConnectionView extends ConnectionRecord {
  readonly status: ConnectionStatus;
  /** What is wrong, and the way out: with `failed` and `needs-sign-in`. */
  readonly message?: string;
  /** The server's name and version, once it said them. */
  readonly server?: string;
  readonly tools: readonly ConnectionTool[];
  /** A token, given or signed in for, is held in memory. */
  readonly hasToken: boolean;
}

/** Tools that do not come from the tree, by the allowlist name they come under. */
export type HarnessTools = Readonly<Partial<Record<AllowlistName, readonly Tool[]>>>;

export interface WebSearchView {
  /** The address of a search service; empty where there is none. */
  readonly endpoint: string;
  readonly hasKey: boolean;
  /** What searched, or would, when it was last looked: a model, a service, or the fixture. */
  readonly source?: { readonly name: string; readonly fixture?: true };
}

export interface ConnectionsState {
  readonly connections: readonly ConnectionView[];
  readonly webSearch: WebSearchView;

  /** Adds it, switched on, and connects. Answers what is wrong instead where it cannot be. */
  readonly addConnection: (choice: ConnectionChoice) => string | undefined;
  /** Changes it and connects anew; another origin forgets its keys. Answers what is wrong instead where it cannot be. */
  readonly editConnection: (id: string, choice: ConnectionChoice) => string | undefined;
  /** Takes it off the list and forgets its keys. */
  readonly removeConnection: (id: string) => void;
  /** Off ends its session; its keys stay. */
  readonly setEnabled: (id: string, enabled: boolean) => void;
  /** Tries again. */
  readonly connect: (id: string) => Promise<void>;
  /** Opens the sign-in's window and sees it through. To be called right in a click. */
  readonly signIn: (id: string) => Promise<void>;
  readonly stopSignIn: (id: string) => void;
  /** Holds a token in memory and connects with it. */
  readonly setToken: (id: string, token: string) => Promise<void>;
  /** Forgets the token or sign-in and connects without. */
  readonly signOut: (id: string) => Promise<void>;
  /** Names the search service, or none; a key bound to another origin is forgotten. Answers what is wrong with it. */
  readonly setSearchEndpoint: (endpoint: string) => string | undefined;
  /** Holds the service's key in memory, or forgets it when empty. */
  readonly setSearchKey: (key: string) => void;
  /** The tools a run gets beside those of its tree: waits a little for connections that are on their way. Never throws. */
  readonly harnessTools: (settings: ModelSettings) => Promise<HarnessTools>;
  /** The same as things stand, without waiting for anything far away; a model is asked whether it searches where one is named. */
  readonly currentTools: (settings?: ModelSettings) => Promise<HarnessTools>;
  readonly dispose: () => void;
}

export type ConnectionsStore = StoreApi<ConnectionsState>;
