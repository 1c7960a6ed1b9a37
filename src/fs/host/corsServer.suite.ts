import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { findLighttpd } from "../../../scripts/ensureLighttpd.mjs";
import { lighttpdServer, type WebServer } from "./webServer.suite";

/** A WebDAV server of another address than the tests' page; empty where none can be had. */
export type CorsServerUrl = string;

declare module "vitest" {
  export interface ProvidedContext {
    readonly webdavUrl: CorsServerUrl;
  }
}

const ALLOWED = `
  "Access-Control-Allow-Origin" => "*",
  "Access-Control-Allow-Methods" => "GET, PUT, DELETE, PROPFIND, MKCOL, MOVE",
  "Access-Control-Allow-Headers" => "authorization, content-type, depth, destination, if-match, if-none-match, overwrite"`;

/**
 * A server for pages of other addresses: what lies in `/open` is for every page, of what lies in `/hidden` the etags are kept
 * from them, and `/closed` is for none of them.
 */
export async function corsServer(program: string): Promise<WebServer> {
  const server = await lighttpdServer(
    program,
    // Asked for leave about a path where nothing is, it begins an answer and never ends it: leave is asked of the directory.
    `$HTTP["request-method"] == "OPTIONS" { url.rewrite-once = ( "^/([a-z]+)/" => "/$1/" ) }
$HTTP["url"] =~ "^/open" { setenv.add-response-header = (${ALLOWED}, "Access-Control-Expose-Headers" => "ETag") }
$HTTP["url"] =~ "^/hidden" { setenv.add-response-header = (${ALLOWED}) }`,
  );
  for (const directory of ["open", "hidden", "closed"]) mkdirSync(join(server.directory, directory));
  return server;
}

/** Starts one server for the tests in a browser. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const program = findLighttpd();
  if (program === undefined) {
    console.log("Without lighttpd and its mod_webdav the tests of a page against another address are skipped.");
    project.provide("webdavUrl", "");
    return async () => undefined;
  }
  const server = await corsServer(program);
  project.provide("webdavUrl", server.url);
  return () => server.stop();
}
