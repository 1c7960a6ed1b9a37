import { describe, expect, it } from "vitest";
import { limits } from "../../base";
import { ConflictError, memoryFile, QuotaError, SnapshotTree, tempFs, treeFromEdits, type TreeEdit } from "../../fs";
import { HOST_ROOT } from "../host";
import type { HostCommand } from "./hostCommand";
import { ShellDisk } from "./shellDisk";
import type { ShellAnswer, ShellJob } from "./shellMessages";
import { shellBase, shellRun, type ShellPlace } from "./shellRun";

type Disk = Parameters<typeof ShellDisk.open>[0]["disk"];

/** A disk in memory that notes its commits, and fails as told. */
class NotedDisk implements Disk {
  tree = SnapshotTree.empty;
  readonly commits: (readonly TreeEdit[])[] = [];
  fail: (edits: readonly TreeEdit[]) => void = () => undefined;
  /** Done by somebody else before the next commit. */
  before: (() => void) | undefined;

  async commit(edits: readonly TreeEdit[]): Promise<void> {
    await Promise.resolve();
    const { before } = this;
    this.before = undefined;
    before?.();
    this.fail(edits);
    this.tree = treeFromEdits(this.tree, edits);
    this.commits.push(edits);
  }

  refresh = async () => undefined;
  snapshot = async () => this.tree;
  subscribe = () => () => undefined;

  text(path: string): string | undefined {
    const bytes = this.tree.file(path)?.bytesNow?.();
    return bytes && new TextDecoder().decode(bytes);
  }
}

async function shellOn(disk: Disk, loaders: ShellPlace["loaders"] = {}, gathersWrites = true) {
  const place = {
    disk: await ShellDisk.open({ disk, now: Date.now, gathersWrites }),
    base: shellBase(),
    loaders,
  };
  let id = 0;
  return async (command: string, options: Partial<Pick<ShellJob, "readOnly" | "sandbox" | "timeoutMs">> = {}) => {
    const job = { id: ++id, command, cwd: HOST_ROOT, env: {}, timeoutMs: 10_000, readOnly: false, sandbox: false };
    const how = { signal: new AbortController().signal, onEnded: () => undefined };
    const { modes: _, ...answer }: ShellAnswer = await shellRun(
      place,
      { ...job, outputId: `out-${id}`, ...options },
      how,
    );
    return answer;
  };
}

const well = { stderr: "", exitCode: 0, end: "exit" };

describe("shellRun", () => {
  it("tells what the disk refused in its own words, and leaves the disk as it was", async () => {
    const disk = new NotedDisk();
    const shell = await shellOn(disk);
    await shell("echo before > a.txt");
    disk.fail = (edits) => {
      if (edits.some((edit) => edit.kind === "write" && edit.path === "/a.txt")) throw new QuotaError("/a.txt");
    };
    const words = "ENOSPC: storage full: the browser gives this site no more room, '/home/project/a.txt'";
    const answer = await shell("cp /bin/ls a.txt; echo still");
    expect({ exitCode: answer.exitCode, names: answer.stderr.includes(words) }).toEqual({ exitCode: 1, names: true });
    expect(disk.text("/a.txt")).toBe("before\n");
    const redirected = await shell("echo known; echo after > a.txt; echo on");
    expect(redirected).toEqual({
      stdout: "known\non\n",
      stderr: `bash: ${words}\n`,
      exitCode: 1,
      end: "exit",
    });
    expect(await shell("cat a.txt")).toEqual({ ...well, stdout: "before\n" });
  });

  it("goes on after a redirection the disk refuses, and keeps what was printed", async () => {
    const disk = new NotedDisk();
    const shell = await shellOn(disk, {}, false);
    disk.fail = (edits) => {
      if (edits.some((edit) => edit.kind === "write" && edit.file.sizeBytes > 0)) throw new QuotaError("/a.txt");
    };
    const full = "storage full: the browser gives this site no more room\n";
    expect(
      await shell("echo known; echo x > a.txt || echo refused; { echo y; echo z >&2; } &> b.txt; echo $?"),
    ).toEqual({
      stdout: "known\nrefused\n1\n",
      stderr: `bash: /home/project/a.txt: ${full}bash: /home/project/b.txt: ${full}`,
      exitCode: 1,
      end: "exit",
    });
    expect(await shell("echo known; echo x > c.txt; echo on", { readOnly: true })).toEqual({
      stdout: "known\non\n",
      stderr: "bash: c.txt: read-only file system\n",
      exitCode: 1,
      end: "exit",
    });
  });

  it("appends to what somebody else has appended meanwhile", async () => {
    const disk = new NotedDisk();
    const shell = await shellOn(disk);
    await shell("echo one > log.txt");
    disk.before = () => {
      disk.tree = disk.tree.withFile("/log.txt", memoryFile("one\ntheirs\n", 1));
    };
    let attempts = 0;
    disk.fail = (edits) => {
      const [edit] = edits;
      const actual = disk.tree.file("/log.txt")?.hash;
      if (edit?.kind !== "write" || edit.expectedHash === undefined || edit.expectedHash === actual) return;
      attempts += 1;
      throw new ConflictError("/log.txt");
    };
    expect(await shell("echo mine >> log.txt")).toEqual({ ...well, stdout: "" });
    expect({ text: disk.text("/log.txt"), attempts }).toEqual({ text: "one\ntheirs\nmine\n", attempts: 1 });
  });

  it("stores the lines of a loop together, and all of them before it ends", async () => {
    const disk = new NotedDisk();
    const shell = await shellOn(disk);
    await shell("for i in $(seq 1 300); do echo $i >> log.txt; done");
    expect(disk.text("/log.txt")).toBe(Array.from({ length: 300 }, (_, index) => `${index + 1}\n`).join(""));
    expect(disk.commits.length).toBeLessThan(100);
  });

  it("has stored all that was written when another command begins", async () => {
    const disk = new NotedDisk();
    let stored: string | undefined;
    const look: HostCommand = {
      name: "look",
      summary: "looks",
      run: async () => {
        stored = disk.text("/log.txt");
        return { stdout: "", stderr: "", exitCode: 0 };
      },
    };
    const shell = await shellOn(disk, { look: { summary: "looks", load: async () => look } });
    await shell("for i in 1 2 3 4 5; do echo $i >> log.txt; done; look");
    expect(stored).toBe("1\n2\n3\n4\n5\n");
  });

  it("packs and unpacks", async () => {
    const shell = await shellOn(new NotedDisk());
    await shell("seq 1 1000 > a.txt; cp a.txt b.txt");
    expect(await shell("gzip a.txt && ls && gunzip a.txt.gz && cmp=$(diff a.txt b.txt) && echo same$cmp")).toEqual({
      ...well,
      stdout: "a.txt.gz\nb.txt\nsame\n",
    });
    expect(await shell("gzip -c a.txt | zcat | tail -n 1; gzip -k a.txt; gzip -t a.txt.gz; ls")).toEqual({
      ...well,
      stdout: "1000\na.txt\na.txt.gz\nb.txt\n",
    });
    expect(await shell("gunzip b.txt; echo $?")).toEqual({
      ...well,
      stderr: "gunzip: b.txt: unknown suffix -- ignored\n",
      stdout: "1\n",
    });
  });

  it("keeps the directories there must be, and carries files out of the project and back", async () => {
    const shell = await shellOn(new NotedDisk());
    await shell("mkdir -p d/e; echo a > d/a.txt; echo b > d/e/b.txt");
    for (const command of [
      "rm -rf /",
      "rm -rf /home",
      "rm -rf ../project",
      "mv /home/project /tmp/x",
      "mv /home /tmp/x",
    ]) {
      const { exitCode, stderr } = await shell(command);
      expect({ command, failed: exitCode !== 0, told: stderr.includes("the project's own directory stays") }).toEqual({
        command,
        failed: true,
        told: true,
      });
    }
    expect(
      await shell(
        "cd d && cp a.txt /tmp/c.txt && cp -r ../d /tmp/d && mv /tmp/c.txt .. && mv /tmp/d/e ../e && ls .. ../e /tmp",
      ),
    ).toEqual({
      ...well,
      stdout: "..:\nc.txt\nd\ne\n\n../e:\nb.txt\n\n/tmp:\nd\n",
    });
    expect(await shell("cat c.txt e/b.txt; cd d; rm -rf *; cd ..; ls d; rmdir d; rm -r e; ls")).toEqual({
      ...well,
      stdout: "a\nb\nc.txt\n",
    });
  });

  it("prints the bytes of escapes, and characters as they are", async () => {
    const disk = new NotedDisk();
    const shell = await shellOn(disk);
    await shell(
      String.raw`printf '\000\377\x01\xc3\xa9' > a.bin; printf '%s=%d\u00e9\n' é 3 > b.txt; printf -v x '%s' hi; echo $x > c.txt`,
    );
    expect(disk.tree.file("/a.bin")?.bytesNow?.()).toEqual(Uint8Array.of(0, 255, 1, 0xc3, 0xa9));
    expect([disk.text("/b.txt"), disk.text("/c.txt")]).toEqual(["é=3é\n", "hi\n"]);
    expect(await shell(String.raw`printf '\xc3\xa9\n'`)).toEqual({ ...well, stdout: "é\n" });
  });

  it("refuses links with words, and keeps modes", async () => {
    const shell = await shellOn(new NotedDisk());
    const linked = await shell("echo a > a.txt; ln -s a.txt b.txt");
    expect(linked.exitCode).not.toBe(0);
    expect(linked.stderr).toContain("links are not kept on the project's disk: copy the file instead");
    expect(await shell("echo 'echo ran' > run.sh; chmod +x run.sh; ./run.sh; stat -c %a run.sh a.txt")).toEqual({
      ...well,
      stdout: "ran\n755\n644\n",
    });
  });

  it.each([
    ["echo known; while true; do :; done", "known\n"],
    ["for i in 1 2; do echo $i; done; f() { echo in; sleep 9; }; f; echo never", "1\n2\nin\n"],
    ["(echo part; sleep 9) | cat; echo never", "part\n"],
    ["while true; do echo x; sleep 0.2; done", "x\nx\n"],
  ])("tells what %s had printed until its timeout", async (command, stdout) => {
    const shell = await shellOn(new NotedDisk());
    expect(await shell(command, { timeoutMs: 300 })).toEqual({
      stdout,
      stderr: "bash: stopped after 300 ms, its timeout; files it had written are kept\n",
      exitCode: 124,
      end: "timeout",
    });
  });

  it("says where a bound of the shell ended a command, and has narrower ones in a sandbox", async () => {
    const shell = await shellOn(new NotedDisk());
    expect(await shell("f() { f; }; f")).toMatchObject({ exitCode: 126, end: "limit" });
    const long = "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done; echo $i";
    expect(await shell(long)).toEqual({ ...well, stdout: "20000\n" });
    expect(await shell(long, { sandbox: true })).toMatchObject({ exitCode: 126, end: "limit" });
    expect(await shell("curl https://example.com", { sandbox: true })).toMatchObject({ exitCode: 127 });
  });

  it("runs commands of its own, loaded when they are first used", async () => {
    let loads = 0;
    const shout: HostCommand = {
      name: "shout",
      summary: "shouts",
      run: async (args, { cwd, env, stdin, disk }) => {
        await disk.writeFile(`${cwd}/shouted.txt`, new TextDecoder().decode(stdin).toUpperCase());
        const missing: unknown = await disk.stat("/tmp/none").catch((error: unknown) => error);
        return {
          stdout: `${args.join("+")} ${env.CI} ${(missing as { code: string }).code}\n`,
          stderr: "",
          exitCode: 3,
        };
      },
    };
    const disk = new NotedDisk();
    const load = async () => {
      loads += 1;
      return shout;
    };
    const shell = await shellOn(disk, { shout: { summary: "shouts what it reads", load } });
    expect(loads).toBe(0);
    expect(await shell("echo grün | shout a b; echo $?")).toEqual({ ...well, stdout: "a+b 1 ENOENT\n3\n" });
    expect(disk.text("/shouted.txt")).toBe("GRÜN\n");
    const { stdout } = await shell("help");
    expect(stdout).toContain("simulated bash");
    expect(stdout).toContain("shout     shouts what it reads");
  });

  it("says so where long output finds no room", async () => {
    const disk = new NotedDisk();
    disk.fail = (edits) => {
      if (edits.some((edit) => edit.kind === "write")) throw new QuotaError("/");
    };
    const answer = await (await shellOn(disk))("seq 1 20000");
    expect(answer.truncated).toEqual({ totalBytes: 108_894 });
    expect(answer.stderr).toContain("the whole output could not be kept");
    expect(answer.stdout.length).toBeLessThan(limits.shellOutputBytes + 200);
  });

  it("works over a tree of any kind", async () => {
    const tree = tempFs({ "/a.txt": "a\n" });
    const shell = await shellOn({ ...tree, refresh: async () => undefined });
    expect(await shell("cat a.txt; echo b > b.txt")).toEqual({ ...well, stdout: "a\n" });
    expect(await tree.read("/b.txt")).toBe("b\n");
  });
});
