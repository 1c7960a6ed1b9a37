import { afterAll, expect, it } from "vitest";
import { limits } from "../../base";
import { deleteProjectDatabase, idbFs, openProjectDatabase } from "../../fs";
import type { HostStatus } from "../host";
import { embeddedHost } from "./embeddedHost";

const made: string[] = [];

afterAll(async () => {
  for (const name of made) await deleteProjectDatabase(name).catch(() => undefined);
});

/** Says that it is ready, then does as told when a command comes. */
function workerThat(onRun: string): Worker {
  const script = `onmessage = ({ data }) => {
    if (data.kind === "open") postMessage({ kind: "ready" });
    if (data.kind === "run") { ${onRun} }
  };`;
  return new Worker(URL.createObjectURL(new Blob([script], { type: "text/javascript" })));
}

const LOOPS = "for (;;);";
const ANSWERS = `postMessage({ kind: "result", id: data.id, result: { stdout: data.command, stderr: "", exitCode: 0, end: "exit", modes: [] } });`;

async function hostOf(...workers: (() => Worker)[]) {
  const name = `shell-${crypto.randomUUID()}`;
  made.push(name);
  const database = await openProjectDatabase(name);
  const disk = idbFs({ database, disk: "host" });
  const host = embeddedHost({
    database,
    diskName: "host",
    disk,
    createWorker: () => (workers.length > 1 ? workers.shift() : workers[0])?.() ?? workerThat(ANSWERS),
  });
  const states: HostStatus["state"][] = [];
  host.onStatus(({ state }) => states.push(state));
  const close = async () => {
    await host.dispose();
    await disk.close();
    database.close();
  };
  return { host, states, close };
}

it("ends a worker that hears nothing at the deadline and a grace, and starts another", async () => {
  const { host, states, close } = await hostOf(
    () => workerThat(LOOPS),
    () => workerThat(ANSWERS),
  );
  await host.boot();
  const startedAt = performance.now();
  const result = await host.shell("loops", { timeoutMs: 200 });
  const elapsedMs = performance.now() - startedAt;
  expect(result).toEqual({
    stdout: "",
    stderr: "bash: ended after 200 ms, its timeout; files it had written are kept, what it had printed is not known\n",
    exitCode: 124,
    end: "timeout",
  });
  expect(elapsedMs).toBeGreaterThanOrEqual(200 + limits.shellKillGraceMs - 5);
  expect(await host.shell("answers")).toMatchObject({ stdout: "answers", exitCode: 0 });
  expect(states).toEqual(["booting", "ready", "booting", "ready"]);
  await close();
});

it("ends such a worker a grace after it is stopped; what waited behind it runs in the next", async () => {
  const { host, close } = await hostOf(
    () => workerThat(LOOPS),
    () => workerThat(ANSWERS),
  );
  await host.boot();
  const stop = new AbortController();
  const running = host.shell("loops", { signal: stop.signal });
  const waiting = host.shell("waits");
  const neverRun = host.shell("never", { signal: stop.signal });
  // The first one has begun.
  setTimeout(() => stop.abort(), 50);
  expect(await neverRun).toMatchObject({ exitCode: 130, end: "aborted" });
  expect(await running).toMatchObject({ exitCode: 130, end: "aborted" });
  expect(await waiting).toMatchObject({ stdout: "waits", exitCode: 0 });
  await close();
});

it("says that it did not come back, and tries again with the next command", async () => {
  const { host, close } = await hostOf(
    () => workerThat(LOOPS),
    () => new Worker(URL.createObjectURL(new Blob(["throw new Error('no start')"]))),
    () => workerThat(ANSWERS),
  );
  await host.boot();
  const degraded = new Promise<HostStatus>((resolve) => {
    host.onStatus((status) => status.state === "degraded" && resolve(status));
  });
  await host.shell("loops", { timeoutMs: 50 });
  expect(await degraded).toEqual({
    state: "degraded",
    reason:
      "The shell was ended and did not come back. The shell did not start: Uncaught Error: no start. Reload the page and try again.",
  });
  expect(await host.shell("answers")).toMatchObject({ stdout: "answers" });
  expect(host.status()).toEqual({ state: "ready" });
  await close();
});

it("tells a command whose worker was lost, and goes on with another", async () => {
  const { host, close } = await hostOf(
    () => workerThat("setTimeout(() => { throw new Error('out of memory'); });"),
    () => workerThat(ANSWERS),
  );
  expect(await host.shell("dies")).toEqual({
    stdout: "",
    stderr: "bash: the shell ended by itself: Uncaught Error: out of memory\n",
    exitCode: 1,
    end: "host-lost",
  });
  expect(await host.shell("answers")).toMatchObject({ stdout: "answers" });
  await close();
});

it("says why the shell cannot open the files", async () => {
  const refusal = `postMessage({ kind: "refused", code: "storage", message: "The disk is damaged." })`;
  const { host, close } = await hostOf(
    () => new Worker(URL.createObjectURL(new Blob([`onmessage = () => ${refusal}`]))),
  );
  const words =
    "The shell cannot open this project's files: The disk is damaged. Reload the page, or free some space, and try again.";
  await expect(host.boot()).rejects.toMatchObject({ code: "storage", message: words, retry: true });
  expect(host.status()).toEqual({ state: "failed", code: "storage", message: words, retry: true });
  await close();
});
