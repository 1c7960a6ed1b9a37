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

async function opened(name: string): Promise<HostUnderTest> {
  const database = await openProjectDatabase(name);
  const disk = idbFs({ database, disk: "host" });
  const host = embeddedHost({ database, diskName: "host", disk });
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
    let [last, worstMs] = [performance.now(), 0];
    const timer = setInterval(() => {
      worstMs = Math.max(worstMs, performance.now() - last);
      last = performance.now();
    }, 10);
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
    expect(worstMs).toBeLessThan(1_000);
    await tested.close();
  });

  it("has no shell where nothing is kept", async () => {
    const database = await openProjectDatabase("memory-only", { storage: "memory" });
    const disk = idbFs({ database, disk: "host" });
    const host = embeddedHost({ database, diskName: "host", disk });
    await expect(host.shell("echo")).rejects.toMatchObject({ code: "storage" });
  });
});
