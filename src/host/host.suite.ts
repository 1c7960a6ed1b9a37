import { afterAll, describe, expect, it, type TestContext } from "vitest";
import { limits } from "../base";
import { HOST_ROOT, HostError, type Host, type HostStatus } from "./host";

/** A host on a disk of its own, empty at first. */
export interface HostUnderTest {
  readonly host: Host;
  /** The same project as after a reload of the page; the host before is gone. */
  reopen(): Promise<HostUnderTest>;
  close(): Promise<void>;
}

export type HostSuitePart =
  | "files"
  | "results"
  | "text tools"
  | "stderr"
  | "stops"
  | "hot loop"
  | "output so far"
  | "output"
  | "read-only"
  | "life";

type HostCase = (
  title: string,
  body: (host: Host, tested: HostUnderTest) => Promise<void>,
  part?: HostSuitePart,
) => void;

/** What every host must do (docs/hosts.md, sections 1 to 5), whatever runs its commands. Parts left out carry their reason. */
export function describeHost(
  name: string,
  make: () => Promise<HostUnderTest>,
  { skips = {} }: { readonly skips?: Partial<Record<HostSuitePart, string>> } = {},
): void {
  // To start one takes longer than most cases: those that leave it as it was share it.
  const shared = new SharedHost(make);
  afterAll(() => shared.close());
  const casesOf =
    (part: HostSuitePart): HostCase =>
    (title, body, more) => {
      it(title, async (context: TestContext) => {
        const reason = skips[part] ?? (more && skips[more]);
        if (reason !== undefined) context.skip(reason);
        const isAlone = part === "stops" || part === "life";
        // A page may be able to run but one.
        if (isAlone) await shared.close();
        const tested = isAlone ? await make() : await shared.emptied();
        try {
          await body(tested.host, tested);
        } finally {
          if (isAlone) await tested.close();
        }
      });
    };
  describe(`${name} as a host`, () => {
    describe("files", () => fileCases(casesOf("files")));
    describe("results", () => {
      resultCases(casesOf("results"));
      redirectionCases(casesOf("results"));
    });
    describe("text tools", () => textToolCases(casesOf("text tools")));
    describe("output", () => outputCases(casesOf("output")));
    describe("read-only", () => readOnlyCases(casesOf("read-only")));
    describe("stops", () => stopCases(casesOf("stops")));
    describe("life", () => lifeCases(casesOf("life")));
  });
}

class SharedHost {
  readonly #make: () => Promise<HostUnderTest>;
  #tested: HostUnderTest | undefined;

  constructor(make: () => Promise<HostUnderTest>) {
    this.#make = make;
  }

  /** With nothing on its disk. */
  async emptied(): Promise<HostUnderTest> {
    const tested = (this.#tested ??= await this.#make());
    const { disk } = tested.host;
    const entries = [];
    for await (const entry of disk.list()) if (entry.path.lastIndexOf("/") === 0) entries.push(entry);
    for (const { path, kind } of entries) await (kind === "directory" ? disk.removeDirectory(path) : disk.delete(path));
    const reopen = () => {
      this.#tested = undefined;
      return tested.reopen();
    };
    return { host: tested.host, reopen, close: () => tested.close() };
  }

  async close(): Promise<void> {
    const tested = this.#tested;
    this.#tested = undefined;
    await tested?.close();
  }
}

/** The standard output of a command that must succeed. */
async function ran(host: Host, command: string): Promise<string> {
  const { stdout, stderr, exitCode, end } = await host.shell(command);
  expect({ command, stderr, exitCode, end }).toEqual({ command, stderr: "", exitCode: 0, end: "exit" });
  return stdout;
}

function fileCases(that: HostCase): void {
  that("shell and tools see each other's writes at once", async (host) => {
    await host.disk.write("/src/a.txt", "one\n");
    expect(await ran(host, "cat src/a.txt")).toBe("one\n");
    await ran(host, "echo two > src/b.txt && echo three >> src/a.txt");
    expect(await host.disk.read("/src/b.txt")).toBe("two\n");
    expect(await host.disk.read("/src/a.txt")).toBe("one\nthree\n");
    await host.disk.delete("/src/a.txt");
    expect(await ran(host, "ls src")).toBe("b.txt\n");
    await ran(host, "rm src/b.txt");
    expect(await host.disk.stat("/src/b.txt")).toEqual({ kind: "missing" });
  });

  that("keeps UTF-8 in names, contents and arguments", async (host) => {
    await host.disk.write("/grün 🌱.txt", "süß\n");
    expect(await ran(host, "cat 'grün 🌱.txt'")).toBe("süß\n");
    await ran(host, "echo 'Ünï — 日本' > ü.txt");
    expect(await host.disk.read("/ü.txt")).toBe("Ünï — 日本\n");
  });

  that("keeps bytes", async (host) => {
    const bytes = Uint8Array.from({ length: 512 }, (_, index) => index % 256);
    await host.disk.write("/a.bin", bytes);
    await ran(host, "cp a.bin b.bin && cat a.bin > c.bin");
    expect(await host.disk.read("/b.bin")).toEqual(bytes);
    expect(await host.disk.read("/c.bin")).toEqual(bytes);
    expect((await ran(host, "wc -c < c.bin")).trim()).toBe("512");
  });

  that("loses nothing of what is appended in parallel", async (host) => {
    const words = Array.from({ length: 20 }, (_, index) => `line-${String(index).padStart(2, "0")}`);
    await Promise.all(words.map((word) => host.shell(`echo ${word} >> log.txt`)));
    expect(await ran(host, "sort log.txt")).toBe(words.map((word) => `${word}\n`).join(""));
  });

  that("appends in a loop", async (host) => {
    await ran(host, "for i in 1 2 3 4 5 6 7 8 9 10; do echo $i >> log.txt; done; echo end >> log.txt");
    expect(await host.disk.read("/log.txt")).toBe("1\n2\n3\n4\n5\n6\n7\n8\n9\n10\nend\n");
  });

  that("moves, copies and removes directories", async (host) => {
    await host.disk.write("/a/b/one.txt", "1");
    await host.disk.write("/a/two.txt", "2");
    await ran(host, "cp -r a c && mv c/b d && rm -r a/b");
    expect((await ran(host, "find . -type f | sort")).trim().split("\n")).toEqual([
      "./a/two.txt",
      "./c/two.txt",
      "./d/one.txt",
    ]);
    await ran(host, "mv c/two.txt a/two.txt && rmdir c && mkdir -p e/f");
    expect((await ran(host, "find . -type d | sort")).trim().split("\n")).toEqual([".", "./a", "./d", "./e", "./e/f"]);
  });

  that("leaves a directory whose last file is removed", async (host) => {
    await host.disk.write("/kept/one.txt", "1");
    await ran(host, "rm kept/one.txt && cd kept && echo 2 > two.txt");
    expect(await host.disk.read("/kept/two.txt")).toBe("2\n");
  });

  that("finds its files after a reload", async (host, tested) => {
    await host.disk.write("/by-tool.txt", "tool\n");
    await ran(host, "mkdir -p deep/er && echo shell > deep/er/by-shell.txt");
    const again = await tested.reopen();
    expect(await ran(again.host, "cat by-tool.txt deep/er/by-shell.txt")).toBe("tool\nshell\n");
    await again.close();
  });

  that("throws away what goes to /dev/null", async (host) => {
    expect(await ran(host, "echo out > /dev/null; echo more >> /dev/null; cat /dev/null; echo end")).toBe("end\n");
    expect(await host.disk.stat("/dev/null")).toEqual({ kind: "missing" });
  });
}

function resultCases(that: HostCase): void {
  that("tells exit codes", async (host) => {
    const codes = [];
    for (const command of ["true", "false", "exit 3", "no-such-command", "cat missing.txt"]) {
      const { exitCode, end } = await host.shell(command);
      codes.push([exitCode, end]);
    }
    expect(codes).toEqual([
      [0, "exit"],
      [1, "exit"],
      [3, "exit"],
      [127, "exit"],
      [1, "exit"],
    ]);
  });

  that(
    "tells standard error from standard output",
    async (host) => {
      const { stdout, stderr } = await host.shell("echo out; echo err >&2");
      expect({ stdout, stderr }).toEqual({ stdout: "out\n", stderr: "err\n" });
    },
    "stderr",
  );

  that("runs where it is told, at the host's root when it is not", async (host) => {
    await host.disk.write("/sub/dir/a.txt", "a");
    expect((await host.shell("pwd")).stdout).toBe(`${HOST_ROOT}\n`);
    const { stdout } = await host.shell("pwd; ls", { cwd: `${HOST_ROOT}/sub/dir` });
    expect(stdout).toBe(`${HOST_ROOT}/sub/dir\na.txt\n`);
    expect((await host.shell("pwd")).stdout).toBe(`${HOST_ROOT}\n`);
  });

  that("has its own environment, with what a call adds over it", async (host) => {
    const command = 'echo "$CI $npm_config_yes $NO_COLOR $MINE"';
    expect((await host.shell(command, { env: { MINE: "a b" } })).stdout).toBe("1 true 1 a b\n");
    expect((await host.shell(command, { env: { CI: "" } })).stdout).toBe(" true 1 \n");
  });

  that("pipes and redirects", async (host) => {
    expect(await ran(host, "printf 'b\\na\\nb\\n' | sort | uniq -c | awk '{print $2 \"=\" $1}'")).toBe("a=1\nb=2\n");
    await ran(host, "{ echo out; echo err >&2; } > both.txt 2>&1; cat <<'END' >> both.txt\n  $HOME\nEND");
    expect(await host.disk.read("/both.txt")).toBe("out\nerr\n  $HOME\n");
    expect(await ran(host, "wc -l < both.txt | tr -d ' '")).toBe("3\n");
  });
}

function redirectionCases(that: HostCase): void {
  that("fails where a file cannot be opened, and goes on", async (host) => {
    const { stdout, exitCode } = await host.shell("echo a; echo x > missing/f && echo written; echo $?");
    // Where the streams are one, the words of the failure are among the output.
    const printed = stdout.split("\n").filter((line) => !line.includes("missing/f"));
    expect({ printed, exitCode }).toEqual({ printed: ["a", "1", ""], exitCode: 0 });
  });
}

function textToolCases(that: HostCase): void {
  that("has find, grep, sed and awk", async (host) => {
    await host.disk.writeMany([
      ["/src/one.ts", "export const one = 1;\n// TODO one\n"],
      ["/src/deep/two.ts", "export const two = 2;\n"],
      ["/readme.md", "# TODO\n"],
    ]);
    expect((await ran(host, "find . -name '*.ts' | sort")).split("\n")).toEqual([
      "./src/deep/two.ts",
      "./src/one.ts",
      "",
    ]);
    expect((await ran(host, "grep -rn TODO src readme.md | sort")).split("\n")).toEqual([
      "readme.md:1:# TODO",
      "src/one.ts:2:// TODO one",
      "",
    ]);
    await ran(host, "sed -i 's/one/uno/g' src/one.ts");
    expect(await host.disk.read("/src/one.ts")).toBe("export const uno = 1;\n// TODO uno\n");
    expect(await ran(host, "awk '/const/ {print $3}' src/*.ts src/*/*.ts")).toBe("uno\ntwo\n");
  });
}

function stopCases(that: HostCase): void {
  that(
    "ends a loop at its timeout while the page goes on, and keeps what was written",
    async (host) => {
      await host.boot();
      let ticks = 0;
      const timer = setInterval(() => (ticks += 1), 20);
      const { exitCode, end, stdout, stderr } = await host.shell(
        "echo kept > kept.txt; echo known; while true; do :; done",
        { timeoutMs: 500 },
      );
      clearInterval(timer);
      expect({ exitCode, end }).toEqual({ exitCode: 124, end: "timeout" });
      expect(stdout).toContain("known\n");
      expect(stderr).toContain("500 ms");
      // A page that stands still has no more than the first.
      expect(ticks).toBeGreaterThan(5);
      expect(await host.disk.read("/kept.txt")).toBe("kept\n");
      expect(await ran(host, "cat kept.txt")).toBe("kept\n");
    },
    "hot loop",
  );

  that(
    "ends a loop when it is stopped, and runs the next command",
    async (host) => {
      await host.boot();
      const stop = new AbortController();
      setTimeout(() => stop.abort(), 200);
      const { exitCode, end } = await host.shell("echo kept > kept.txt; while true; do :; done", {
        signal: stop.signal,
      });
      expect({ exitCode, end }).toEqual({ exitCode: 130, end: "aborted" });
      expect(await host.disk.read("/kept.txt")).toBe("kept\n");
      expect(await ran(host, "echo next")).toBe("next\n");
    },
    "hot loop",
  );

  that("ends what waits at its timeout", async (host) => {
    const { exitCode, end } = await host.shell("sleep 60", { timeoutMs: 300 });
    expect({ exitCode, end }).toEqual({ exitCode: 124, end: "timeout" });
    expect(await ran(host, "echo next")).toBe("next\n");
  });

  that(
    "tells what was printed until the timeout or the stop",
    async (host) => {
      await host.boot();
      const timedOut = await host.shell("echo known; sleep 60", { timeoutMs: 300 });
      const stopped = await host.shell("echo known; sleep 60", { signal: AbortSignal.timeout(300) });
      expect([timedOut.stdout, stopped.stdout]).toEqual([
        expect.stringContaining("known\n"),
        expect.stringContaining("known\n"),
      ]);
    },
    "output so far",
  );

  that("ends what waits when it is stopped", async (host) => {
    await host.boot();
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 100);
    const { exitCode, end } = await host.shell("sleep 60", { signal: stop.signal });
    expect({ exitCode, end }).toEqual({ exitCode: 130, end: "aborted" });
  });

  that("runs nothing when it is stopped before", async (host) => {
    const { end } = await host.shell("echo ran > ran.txt", { signal: AbortSignal.abort() });
    expect(end).toBe("aborted");
    expect(await host.disk.stat("/ran.txt")).toEqual({ kind: "missing" });
  });
}

function outputCases(that: HostCase): void {
  that("shows head and tail of long output and keeps the whole in a file", async (host) => {
    const lines = Array.from({ length: 20_000 }, (_, index) => `${index + 1}\n`).join("");
    const { stdout, exitCode, truncated } = await host.shell("seq 1 20000");
    expect(exitCode).toBe(0);
    expect(truncated?.totalBytes).toBe(lines.length);
    expect(truncated?.path).toMatch(/^\/home\/project\/\.agent\/out\/[\w-]+\.log$/);
    expect(stdout.length).toBeLessThan(limits.shellOutputBytes + 200);
    expect(stdout.startsWith("1\n2\n3\n")).toBe(true);
    expect(stdout.endsWith("19999\n20000\n")).toBe(true);
    expect(await host.disk.read(truncated?.path?.slice(HOST_ROOT.length) ?? "/")).toBe(lines);
    expect(await ran(host, `wc -l < ${truncated?.path} | tr -d ' '`)).toBe("20000\n");
  });

  that("tells output to whoever listens", async (host) => {
    let told = "";
    const { stdout } = await host.shell("echo one; echo two", { onOutput: ({ text }) => (told += text) });
    expect({ told, stdout }).toEqual({ told: "one\ntwo\n", stdout: "one\ntwo\n" });
  });
}

function readOnlyCases(that: HostCase): void {
  that("changes nothing where nothing may be written", async (host) => {
    await host.disk.write("/a.txt", "a\n");
    const { stdout } = await host.shell("cat a.txt; echo b > a.txt; echo c > c.txt; rm -f a.txt; mkdir d", {
      readOnly: true,
    });
    expect(stdout).toContain("a\n");
    const paths = [];
    for await (const { path } of host.disk.list()) paths.push(path);
    expect(paths).toEqual(["/a.txt"]);
    expect(await host.disk.read("/a.txt")).toBe("a\n");
    await ran(host, "echo b > a.txt");
    expect(await host.disk.read("/a.txt")).toBe("b\n");
  });
}

function lifeCases(that: HostCase): void {
  that("says what it is doing", async (host) => {
    const states: HostStatus["state"][] = [host.status().state];
    const stop = host.onStatus(({ state }) => states.at(-1) !== state && states.push(state));
    await host.boot();
    await host.boot();
    stop();
    expect(states).toEqual(["idle", "booting", "ready"]);
  });

  that("keeps all when it is flushed", async (host) => {
    await ran(host, "echo a > a.txt");
    await host.flush();
    expect(await host.disk.read("/a.txt")).toBe("a\n");
  });

  that("is over when it is disposed, and says so", async (host) => {
    await host.boot();
    const running = host.shell("sleep 60");
    // The command is on its way.
    await new Promise((resolve) => setTimeout(resolve, 100));
    await host.dispose();
    expect((await running).end).toBe("killed");
    expect(host.status()).toEqual({ state: "disposed" });
    const refusal: unknown = await host.shell("echo").catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(HostError);
    expect(refusal).toMatchObject({ code: "disposed" });
  });
}
