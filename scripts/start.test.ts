import { spawn } from "node:child_process";
import { expect, test } from "vitest";
import { isolationHeaders } from "./pageHeaders.mjs";

const PORT = 4391;
const START_MS = 180_000;

test(
  "the README's command to run it builds the playground and serves it with its headers",
  async () => {
    const npm = process.platform === "win32" ? "npm.cmd" : "npm";
    const server = spawn(npm, ["start"], {
      // A person's machine says nothing of tests: with this runner's word for them the build would be one for development.
      env: { ...process.env, NODE_ENV: undefined, PORT: String(PORT), BROWSER: "none" },
      // A group of its own, so that the server goes with the command that started it.
      detached: process.platform !== "win32",
      shell: process.platform === "win32",
      stdio: "ignore",
    });
    try {
      const ended = new Promise<never>((_resolve, reject) =>
        server.once("exit", (code) => reject(new Error(`npm start ended with ${code} before it served the page`))),
      );
      const response = await Promise.race([firstAnswer(`http://localhost:${PORT}/`), ended]);
      expect(Object.fromEntries([...response.headers].filter(([name]) => name.startsWith("cross-origin-")))).toEqual(
        Object.fromEntries(Object.entries(isolationHeaders).map(([name, value]) => [name.toLowerCase(), value])),
      );
      expect(await response.text()).toContain("<title>Rootscope</title>");
    } finally {
      server.removeAllListeners("exit");
      if (server.exitCode === null && process.platform !== "win32") process.kill(-Number(server.pid), "SIGTERM");
      else server.kill();
    }
  },
  START_MS + 10_000,
);

/** Asks until somebody answers: the command installs and builds first. */
async function firstAnswer(address: string): Promise<Response> {
  const giveUpAt = Date.now() + START_MS;
  for (;;) {
    try {
      return await fetch(address);
    } catch (error) {
      if (Date.now() > giveUpAt) throw error;
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  }
}
