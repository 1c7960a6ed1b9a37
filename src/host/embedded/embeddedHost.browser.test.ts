import { afterAll, describe, expect, it } from "vitest";
import { limits } from "../../base";
import { deleteProjectDatabase, idbFs, openProjectDatabase } from "../../fs";
import { HOST_ROOT } from "../host";
import { describeHost, type HostUnderTest } from "../host.suite";
import { embeddedHost } from "./embeddedHost";

const made: string[] = [];

afterAll(async () => {
  for (const name of made) await deleteProjectDatabase(name).catch(() => undefined);
});

async function opened(name: string, createWorker?: () => Worker): Promise<HostUnderTest> {
  const database = await openProjectDatabase(name);
  const disk = idbFs({ database, disk: "host" });
  const host = embeddedHost({ database, diskName: "host", disk, ...(createWorker && { createWorker }) });
  const close = async () => {
    await host.dispose();
    await disk.close();
    database.close();
  };
  return {
    host,
    reopen: async () => {
      await close();
      return opened(name);
    },
    close,
  };
}

async function fresh(): Promise<HostUnderTest> {
  const name = `embedded-${crypto.randomUUID()}`;
  made.push(name);
  return opened(name);
}

describeHost("the embedded host", fresh);

describe("the embedded host", () => {
  it("runs in one tab only", async () => {
    const first = await fresh();
    await first.host.boot();
    const second = await opened(made.at(-1) ?? "");
    await expect(second.host.boot()).rejects.toMatchObject({ code: "busy-tab", retry: true });
    expect(second.host.status()).toMatchObject({ state: "failed", code: "busy-tab" });
    await first.host.dispose();
    await second.host.boot();
    expect(second.host.status()).toEqual({ state: "ready" });
    await second.close();
    await first.close();
  });

  it("takes 100 MB of output while the page goes on, and shows head and tail of it", async () => {
    const tested = await fresh();
    const { host } = tested;
    await host.boot();
    let ticks = 0;
    const timer = setInterval(() => (ticks += 1), 20);
    const { stdout, stderr, exitCode, truncated } = await host.shell("yes | head -c 100000000");
    clearInterval(timer);
    expect({ stderr, exitCode, totalBytes: truncated?.totalBytes }).toEqual({
      stderr: "",
      exitCode: 0,
      totalBytes: 100_000_000,
    });
    expect(stdout.length).toBeLessThan(limits.shellOutputBytes + 200);
    expect(await host.disk.stat(truncated?.path?.slice(HOST_ROOT.length) ?? "/")).toMatchObject({
      sizeBytes: 100_000_000,
    });
    // It takes seconds; a page that stands still has no more than a few.
    expect(ticks).toBeGreaterThan(30);
    await tested.close();
  });

  it("keeps what was written before its worker was ended, where worker and page share nothing", async () => {
    const name = `embedded-${crypto.randomUUID()}`;
    made.push(name);
    const tested = await opened(name, () => {
      const worker = new Worker(new URL("./shellWorker.ts", import.meta.url), { type: "module" });
      const post = worker.postMessage.bind(worker);
      worker.postMessage = (message: object) => post({ ...message, stopFlag: undefined }, []);
      return worker;
    });
    const { host } = tested;
    await host.boot();
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 500);
    const command = "for i in 1 2 3 4 5; do echo $i >> log.txt; done; while true; do :; done";
    expect(await host.shell(command, { signal: stop.signal })).toMatchObject({ exitCode: 130, end: "aborted" });
    expect(await host.disk.read("/log.txt")).toBe("1\n2\n3\n4\n5\n");
    expect(await host.shell("cat log.txt")).toMatchObject({ stdout: "1\n2\n3\n4\n5\n", exitCode: 0 });
    await tested.close();
  });

  it("begins a command when the one before it has ended", async () => {
    const tested = await fresh();
    const { host } = tested;
    const order: string[] = [];
    const run = async (name: string, command: string) => {
      await host.shell(command, { timeoutMs: 900, onStart: () => void order.push(`${name} begins`) });
      order.push(`${name} ends`);
    };
    await Promise.all([run("first", "sleep 0.2"), run("second", "true")]);
    expect(order).toEqual(["first begins", "first ends", "second begins", "second ends"]);
    await tested.close();
  });

  it("has no shell where nothing is kept", async () => {
    const database = await openProjectDatabase("memory-only", { storage: "memory" });
    const disk = idbFs({ database, disk: "host" });
    const host = embeddedHost({ database, diskName: "host", disk });
    await expect(host.shell("echo")).rejects.toMatchObject({ code: "storage" });
  });
});
