import type { TestProject } from "vitest/node";
import { webServer } from "./webServer.suite";

/** A server of the web of another address than the tests' page. */
export type PageWebServerUrl = string;

declare module "vitest" {
  export interface ProvidedContext {
    readonly webUrl: PageWebServerUrl;
  }
}

/** Starts it for the tests in a browser. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await webServer();
  project.provide("webUrl", server.url);
  return () => server.stop();
}
