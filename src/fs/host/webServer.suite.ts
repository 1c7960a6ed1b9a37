import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "./freePort.suite";

/** A web server of its own, with a directory of its own. */
export interface WebServer {
  readonly url: string;
  /** Where it keeps its files. */
  readonly directory: string;
  stop(): Promise<void>;
}

/**
 * lighttpd with WebDAV, as its manual has it. Etags come with reads only when it knows a type for every file. It closes a
 * connection after some requests, which Node's fetch, other than a browser's, does not make up for.
 */
export async function lighttpdServer(program: string, more = ""): Promise<WebServer> {
  return startedServer(program, (home, port) => ({
    configuration: `
server.modules = ( "mod_rewrite", "mod_webdav", "mod_setenv" )
server.document-root = "${home}/files"
server.errorlog = "${home}/error.log"
server.upload-dirs = ( "${home}/uploads" )
server.max-keep-alive-requests = 100000
server.bind = "127.0.0.1"
server.port = ${port}
mimetype.assign = ( "" => "application/octet-stream" )
webdav.activate = "enable"
${more}`,
    programArguments: (file) => ["-D", "-f", file],
  }));
}

/** nginx with its own WebDAV module, which takes no notice of conditions. */
export async function nginxServer(program: string): Promise<WebServer> {
  return startedServer(program, (home, port) => ({
    configuration: `
daemon off; master_process off; pid ${home}/pid; error_log ${home}/error.log;
events {}
http {
  access_log off;
  client_body_temp_path ${home}/uploads; proxy_temp_path ${home}/proxy; fastcgi_temp_path ${home}/fastcgi;
  uwsgi_temp_path ${home}/uwsgi; scgi_temp_path ${home}/scgi;
  server { listen 127.0.0.1:${port}; location / { root ${home}/files; dav_methods PUT DELETE MKCOL COPY MOVE; } }
}`,
    programArguments: (file) => ["-c", file],
  }));
}

interface ServerPlan {
  readonly configuration: string;
  readonly programArguments: (configurationFile: string) => string[];
}

async function startedServer(program: string, plan: (home: string, port: number) => ServerPlan): Promise<WebServer> {
  const home = mkdtempSync(join(tmpdir(), "rootscope-server-"));
  const port = await freePort();
  const { configuration, programArguments } = plan(home, port);
  for (const directory of ["files", "uploads"]) mkdirSync(join(home, directory));
  writeFileSync(join(home, "configuration"), configuration);
  const child = spawn(program, programArguments(join(home, "configuration")), { stdio: "inherit" });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const url = `http://127.0.0.1:${port}`;
  await answering(url);
  return {
    url,
    directory: join(home, "files"),
    stop: async () => {
      child.kill();
      await ended;
      rmSync(home, { recursive: true, force: true });
    },
  };
}

async function answering(url: string): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const answered = await fetch(url).then(
      () => true,
      () => false,
    );
    if (answered) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`no server answers at ${url}`);
}
