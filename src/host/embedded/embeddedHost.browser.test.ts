import { afterAll, describe, expect, it } from "vitest";
import { deleteProjectDatabase, idbFs, openProjectDatabase } from "../../fs";
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

  it("has no shell where nothing is kept", async () => {
    const database = await openProjectDatabase("memory-only", { storage: "memory" });
    const disk = idbFs({ database, disk: "host" });
    const host = embeddedHost({ database, diskName: "host", disk });
    await expect(host.shell("echo")).rejects.toMatchObject({ code: "storage" });
  });
});
