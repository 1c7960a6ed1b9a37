import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { limits } from "../../base";
import { QuotaError, tempFs, type FileSystem } from "../../fs";
import type { HostDisk, HostStatus, ShellResult } from "../host";
import type { FrameBehaviour } from "./protocolPage.suite";
import { webcontainerHost, type WebContainerHost } from "./webcontainerHost";
import { webContainerPage } from "./webContainerPage";

// The vendor's own client against a page that speaks its protocol; one for this page, as in the product.
vi.stubGlobal("WEBCONTAINER_API_IFRAME_URL", location.origin);
const page = webContainerPage({ bootMs: 55_000 });

let disk: HostDisk;
let host: WebContainerHost;
let outputs = 0;

beforeEach(() => {
  disk = tempFs({ "/a.txt": "one\n", "/src/b.ts": "export {};\n" });
  host = hostOn(disk);
});
afterEach(async () => {
  behave({});
  await host.dispose();
});

function behave(behaviour: FrameBehaviour): void {
  Object.assign(globalThis, { frameBehaviour: behaviour });
}

function hostOn(on: HostDisk): WebContainerHost {
  return webcontainerHost({ page, disk: on, outputId: () => `out-${++outputs}`, killMs: 200 });
}

async function pathsOf(tree: FileSystem): Promise<string[]> {
  const paths: string[] = [];
  for await (const { path, kind } of tree.list()) paths.push(kind === "directory" ? `${path}/` : path);
  return paths;
}

function printed(stdout: string): ShellResult {
  return { stdout, stderr: "", exitCode: 0, end: "exit" };
}

describe("commands", () => {
  test("find the disk's files, a calm environment and the directory they ask for", async () => {
    const seen: HostStatus[] = [];
    host.onStatus((status) => seen.push(status));
    expect(
      await host.shell("pwd; cat a.txt; echo $CI $npm_config_yes $NO_COLOR $MINE", { env: { MINE: "mine" } }),
    ).toEqual(printed("/home/project\none\n1 true 1 mine\n"));
    expect(await host.shell("pwd; ls", { cwd: "/home/project/src" })).toEqual(printed("/home/project/src\nb.ts\n"));
    expect(await host.shell("pwd", { cwd: "/tmp" })).toEqual(printed("/tmp\n"));
    expect(seen).toEqual([
      { state: "booting", phase: "beginning" },
      { state: "booting", phase: "loading the client" },
      { state: "booting", phase: "reaching WebContainer" },
      { state: "booting", phase: "starting Node" },
      { state: "booting", phase: "copying the files" },
      { state: "ready" },
    ]);
  });

  test("stream characters whole although the client's chunks split them", async () => {
    const chunks: string[] = [];
    const result = await host.shell("protocol split", {
      onOutput: ({ stream, text }) => chunks.push(`${stream} ${text}`),
    });
    expect(result).toEqual(printed("🌱é"));
    expect(chunks).toEqual(["stdout 🌱", "stdout é"]);
  });

  test("that print much are read to the end, and kept in a file", async () => {
    const bytes = 3 * 1024 * 1024;
    const result = await host.shell(`protocol flood ${bytes}`);
    const path = `/home/project/.agent/out/out-${outputs}.log`;
    expect(result.truncated).toEqual({ totalBytes: bytes, path });
    const left = bytes - limits.shellOutputBytes;
    expect(result.stdout.replace(/[0-9a-f]{64,}/g, "~")).toContain(
      `\n… ${left} bytes left out; all of it is in ${path} …\n`,
    );
    expect(await host.shell(`wc -c < ${path}; rm ${path}`)).toEqual(printed(`${bytes}\n`));
    // It goes into the container and does not come back, not even its end.
    expect((await disk.stat(path.slice(host.root.length))).sizeBytes).toBe(bytes);
  });

  test("whose output is very long have it on the disk alone", async () => {
    const result = await host.shell(`protocol flood ${9 * 1024 * 1024}`);
    const path = result.truncated?.path ?? "";
    expect((await disk.stat(path.slice(host.root.length))).sizeBytes).toBe(9 * 1024 * 1024);
    expect(await host.shell("ls -A . .agent")).toEqual(printed(".:\n.agent\na.txt\nsrc\n\n.agent:\n.gitignore\n"));
  });

  test("are ended by their timeout and by the signal, and what they said is kept", async () => {
    expect(await host.shell("protocol wait", { timeoutMs: 50 })).toEqual({
      stdout: "waiting\n",
      stderr: "[host] Ended after 50 ms, its timeout.\n",
      exitCode: 124,
      end: "timeout",
    });
    const stop = new AbortController();
    const stopped = host.shell("protocol wait", { signal: stop.signal, onOutput: () => stop.abort() });
    expect(await stopped).toEqual({ stdout: "waiting\n", stderr: "", exitCode: 130, end: "aborted" });
    expect(host.status()).toEqual({ state: "ready" });
    expect(await host.shell("echo never", { signal: AbortSignal.abort() })).toMatchObject({
      exitCode: 130,
      end: "aborted",
    });
  });

  test("of the sandbox are refused, because they would have the network", async () => {
    expect(await host.shell("echo", { sandbox: true })).toEqual({
      stdout: "",
      stderr: "The sandbox has no network, and real Node cannot be kept from it: choose the embedded host for it.\n",
      exitCode: 126,
      end: "limit",
    });
    expect(host.status()).toEqual({ state: "idle" });
  });
});

describe("the two copies of the files", () => {
  test("are in step before and after each command, bytes and empty directories too", async () => {
    await disk.write("/bytes", Uint8Array.of(0, 255, 128, 10));
    await disk.write("/text", "\uFEFFä\r\n");
    await host.shell("cp bytes copied; cp text 'cöpied'; mkdir -p made/empty; rm src/b.ts; echo two > a.txt");
    expect(await pathsOf(disk)).toEqual([
      "/a.txt",
      "/bytes",
      "/copied",
      "/cöpied",
      "/made/",
      "/made/empty/",
      "/src/",
      "/text",
    ]);
    expect(await disk.read("/copied")).toEqual(Uint8Array.of(0, 255, 128, 10));
    expect(await disk.read("/cöpied")).toBe("\uFEFFä\r\n");
    expect(await disk.read("/a.txt")).toBe("two\n");

    await disk.write("/new/deep/file", "three");
    await disk.delete("/copied");
    await disk.removeDirectory("/made");
    await disk.rename("/text", "/renamed");
    expect(await host.shell("find . -type f | sort; cat new/deep/file; ls -d made")).toMatchObject({
      stdout:
        "./a.txt\n./bytes\n./cöpied\n./new/deep/file\n./renamed\nthreels: cannot access 'made': No such file or directory\n",
    });
  });

  test("keep bytes that the vendor's export would lose", async () => {
    await disk.write("/bytes", Uint8Array.of(0xff, 0xfe, 0x80));
    behave({ isLossy: true });
    expect(await host.shell("cp bytes copied; printf '\\357\\277\\275' > sign")).toEqual(printed(""));
    expect(await disk.read("/bytes")).toEqual(Uint8Array.of(0xff, 0xfe, 0x80));
    expect(await disk.read("/copied")).toEqual(Uint8Array.of(0xff, 0xfe, 0x80));
    expect(await disk.stat("/sign")).toMatchObject({ kind: "file" });
  });

  test("leave node_modules where they were made", async () => {
    await disk.write("/node_modules/onDisk/index.js", "1");
    await host.shell(
      "mkdir -p node_modules/installed lib/node_modules/x; echo 1 > node_modules/installed/index.js; echo 2 > lib/node_modules/x/y",
    );
    expect(await host.shell("ls node_modules lib/node_modules")).toEqual(
      printed("node_modules:\ninstalled\n\nlib/node_modules:\nx\n"),
    );
    expect(await pathsOf(disk)).toEqual([
      "/a.txt",
      "/lib/",
      "/node_modules/",
      "/node_modules/onDisk/",
      "/node_modules/onDisk/index.js",
      "/src/",
      "/src/b.ts",
    ]);
  });

  test("differ where both were written: the disk's stays, the command's is kept beside it", async () => {
    await disk.write("/gone", "wanted");
    behave({ isHeld: true });
    const running = host.shell("protocol held echo command > a.txt; echo same > src/b.ts; echo kept > c.txt; rm gone", {
      onOutput: () => void changed().then(() => behave({})),
    });
    const changed = async (): Promise<void> => {
      await disk.write("/a.txt", "person\n");
      await disk.write("/src/b.ts", "same\n");
      await disk.write("/gone", "still wanted");
    };
    const { stderr } = await running;
    expect(stderr.replace(/[0-9a-f]{8}-/, "<hash>-")).toBe(
      "[host] /home/project/gone was changed on the disk while this ran, and stays although the command deleted it.\n" +
        "[host] /home/project/a.txt was changed on the disk while this ran: that version stays, the command's is " +
        "/home/project/.agent/conflicts/<hash>-a.txt.\n",
    );
    expect(await disk.read("/a.txt")).toBe("person\n");
    expect(await disk.read("/c.txt")).toBe("kept\n");
    expect(await host.shell("cat a.txt .agent/conflicts/*-a.txt src/b.ts")).toEqual(printed("person\ncommand\nsame\n"));
  });

  test("are as before after a command that may write nothing", async () => {
    expect(await host.shell("echo x > a.txt; rm -r src; echo y > new; ls", { readOnly: true })).toEqual({
      stdout: "a.txt\nnew\n",
      stderr: "[host] Nothing may be written: 3 changed files are as before.\n",
      exitCode: 0,
      end: "exit",
    });
    expect(await pathsOf(disk)).toEqual(["/a.txt", "/src/", "/src/b.ts"]);
    expect(await host.shell("cat a.txt; find . -type f | sort")).toEqual(printed("one\n./a.txt\n./src/b.ts\n"));
  });

  test("are told apart in words where the disk is full, and the next command brings the files", async () => {
    const full = { ...disk, commit: () => Promise.reject(new QuotaError("/new")) };
    let isFull = true;
    host = hostOn({
      ...disk,
      get commit() {
        return isFull ? full.commit : (disk as unknown as typeof full).commit;
      },
    });
    const result = await host.shell("echo x > new; echo said");
    expect(result).toMatchObject({ stdout: "said\n", exitCode: 0 });
    expect(result.stderr).toMatch(/^\[host\] What this wrote is not on the project's disk yet\. .*(full|space)/);
    expect(host.status()).toMatchObject({ state: "degraded" });
    isFull = false;
    expect(await host.shell("true")).toEqual(printed(""));
    expect(await disk.read("/new")).toBe("x\n");
    expect(host.status()).toEqual({ state: "ready" });
  });

  test("outlast the container: another start finds what commands wrote", async () => {
    await host.shell("echo kept > c.txt");
    await host.dispose();
    expect(host.status()).toEqual({ state: "disposed" });
    await expect(host.shell("true")).rejects.toMatchObject({ code: "disposed" });
    host = hostOn(disk);
    expect(await host.shell("cat c.txt")).toEqual(printed("kept\n"));
  });
});

describe("a process that goes on although it was told to end", () => {
  test("leaves the host degraded until a restart", async () => {
    expect(await host.shell("protocol deaf", { timeoutMs: 50 })).toEqual({
      stdout: "working\n",
      stderr: "[host] Ended after 50 ms, its timeout.\n",
      exitCode: 124,
      end: "timeout",
    });
    expect(host.status()).toEqual({
      state: "degraded",
      reason: "A command went on although it was told to end, and takes the processor. Restart WebContainer to end it.",
    });
    expect(await host.shell("echo still here > d.txt; cat d.txt")).toEqual(printed("still here\n"));
    await host.restart();
    expect(host.status()).toEqual({ state: "ready" });
    expect(await host.shell("cat d.txt")).toEqual(printed("still here\n"));
  });
});

test("a port that answers is told, and taken back when it closes or the container goes", async () => {
  const seen: string[] = [];
  host.onPreviews((previews) =>
    seen.push(previews.map(({ port, url }) => `${port} ${url.split("/").at(-1)}`).join(", ")),
  );
  await host.shell("protocol serve 5173");
  await host.shell("protocol serve 3000");
  await vi.waitFor(() => expect(host.previews().map(({ port }) => port)).toEqual([3000, 5173]));
  await host.shell("protocol unserve 5173");
  await vi.waitFor(() => expect(host.previews().map(({ port }) => port)).toEqual([3000]));
  await host.dispose();
  expect(seen).toEqual(["5173 headless-5173", "3000 headless-3000, 5173 headless-5173", "3000 headless-3000", ""]);
});

test("what a server in the background wrote is brought back when the page is left", async () => {
  behave({ isHeld: true });
  await host.shell("protocol serve 3000");
  await host.shell("protocol background echo late > late.txt");
  behave({});
  expect((await disk.stat("/late.txt")).kind).toBe("missing");
  await vi.waitFor(async () => {
    globalThis.dispatchEvent(new Event("pagehide"));
    expect(await disk.read("/late.txt")).toBe("late\n");
  });
});

test("a project that is closed while a command runs ends it with what it said", async () => {
  let isHeard = (): void => undefined;
  const heard = new Promise<void>((resolve) => (isHeard = resolve));
  const running = host.shell("protocol wait", { onOutput: () => isHeard() });
  await heard;
  await host.dispose();
  expect(await running).toEqual({
    stdout: "waiting\n",
    stderr: "This host was closed; open the project again.\n",
    exitCode: 137,
    end: "killed",
  });
});

// The last one: the client cannot be started again in a page whose frame went.
test("a frame that is loaded anew ends what runs, and says what helps", async () => {
  const result = await host.shell("protocol reload");
  expect(result).toMatchObject({ exitCode: 137, end: "host-lost" });
  expect(host.status()).toEqual({
    state: "failed",
    code: "host-lost",
    message: result.stderr.trim(),
    retry: false,
  });
  await expect(host.shell("true")).rejects.toMatchObject({ code: "host-lost" });
});
