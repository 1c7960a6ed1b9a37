import type { TestProject } from "vitest/node";
import { mcpServers } from "./mcpServers.suite";

/** MCP servers, and one that signs people in, at another address than the tests' page. */
export type PageMcpServersUrl = string;

declare module "vitest" {
  export interface ProvidedContext {
    readonly mcpUrl: PageMcpServersUrl;
  }
}

/** Starts them for the tests in a browser. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const servers = await mcpServers();
  project.provide("mcpUrl", servers.url);
  return () => servers.stop();
}
