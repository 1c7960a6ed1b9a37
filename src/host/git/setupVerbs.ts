import { init } from "isomorphic-git";
import { configWithoutSection, configWithSetting, settingInConfig, settingsOfConfig } from "./gitConfigFile";
import { gitDisk } from "./gitDisk";
import { GitError } from "./gitError";
import { gitArguments } from "./gitOptions";
import { shortOid, textOrNone } from "./gitRepository";
import type { GitRun } from "./gitRun";
import { repositoryPath } from "./gitPaths";

const INIT_OPTIONS = {
  branch: { names: ["-b", "--initial-branch"], takes: "value" },
  quiet: { names: ["-q", "--quiet"] },
} as const;

export async function initVerb(run: GitRun, args: readonly string[]): Promise<number> {
  const { given, words, value } = gitArguments("init", args, INIT_OPTIONS);
  const { disk } = run.context;
  const dir = `/${repositoryPath(words[0] ?? ".", run.cwd, "/")}`;
  const gitdir = `${dir}/.git`;
  const isThere = await disk.exists(`${gitdir}/HEAD`);
  if (!isThere) await makeRepository(run, dir, value("branch"));
  if (!given.has("quiet"))
    run.line(`${isThere ? "Reinitialized existing" : "Initialized empty"} Git repository in ${gitdir}/`);
  return 0;
}

/** An empty repository; its branch is `main` where nothing else is set. */
export async function makeRepository(run: GitRun, dir: string, branch: string | undefined): Promise<void> {
  const { disk } = run.context;
  await disk.mkdir(dir, { recursive: true });
  const home = settingInConfig(await textOrNone(disk, run.homeSettingsPath()), "init.defaultBranch");
  await init({
    fs: gitDisk(disk),
    dir,
    defaultBranch: branch ?? run.settings.get("init.defaultbranch") ?? home ?? "main",
  });
}

const CONFIG_OPTIONS = {
  global: { names: ["--global"] },
  local: { names: ["--local"] },
  system: { names: ["--system"] },
  list: { names: ["-l", "--list"] },
  get: { names: ["--get"] },
  unset: { names: ["--unset"] },
  removeSection: { names: ["--remove-section"] },
} as const;

export async function configVerb(run: GitRun, args: readonly string[]): Promise<number> {
  const { given, words } = gitArguments("config", args, CONFIG_OPTIONS);
  const { disk } = run.context;
  if (given.has("system"))
    throw new GitError("fatal", "fatal: this host has no system configuration; use --global or --local");
  const home = run.homeSettingsPath();
  const local = given.has("global") ? undefined : await localSettingsPath(run);
  const [name, newValue] = words;
  if (given.has("list")) {
    const places = given.has("global") ? [home] : given.has("local") ? [local ?? home] : [home, local];
    for (const place of places) {
      if (place !== undefined)
        for (const [key, value] of settingsOfConfig(await textOrNone(disk, place))) run.line(`${key}=${value}`);
    }
    return 0;
  }
  if (name === undefined)
    throw new GitError(
      "usage",
      "usage: git config [--global] <name> [<value>] · --get <name> · --unset <name> · --list",
    );
  if (newValue === undefined && !given.has("unset") && !given.has("removeSection")) {
    const given_ = run.settings.get(name.toLowerCase());
    const places = given.has("global") ? [home] : given.has("local") ? [local] : [local, home];
    const values = await Promise.all(
      places.map(async (place) =>
        place === undefined ? undefined : settingInConfig(await textOrNone(disk, place), name),
      ),
    );
    const value = given_ ?? values.find((one) => one !== undefined);
    if (value === undefined) return 1;
    run.line(value);
    return 0;
  }
  const place = local ?? (given.has("global") ? home : undefined);
  if (place === undefined) throw new GitError("fatal", "fatal: not in a git directory");
  if (!given.has("removeSection") && !/^[A-Za-z][\w-]*\..*[A-Za-z][\w-]*$/.test(name))
    throw new GitError("refused", `error: key does not contain a section: ${name}`);
  const text = await textOrNone(disk, place);
  if (given.has("unset") && settingInConfig(text, name) === undefined) return 5;
  await disk.writeFile(
    place,
    given.has("removeSection")
      ? configWithoutSection(text, name)
      : configWithSetting(text, name, given.has("unset") ? undefined : newValue),
  );
  return 0;
}

async function localSettingsPath(run: GitRun): Promise<string | undefined> {
  try {
    return `${(await run.repository()).at.gitdir}/config`;
  } catch {
    return undefined;
  }
}

const REV_PARSE_OPTIONS = {
  short: { names: ["--short"] },
  abbreviatedRef: { names: ["--abbrev-ref"] },
  topLevel: { names: ["--show-toplevel"] },
  gitDir: { names: ["--git-dir"] },
  absoluteGitDir: { names: ["--absolute-git-dir"] },
  isInside: { names: ["--is-inside-work-tree"] },
  prefix: { names: ["--show-prefix"] },
  verify: { names: ["--verify"] },
  quiet: { names: ["-q", "--quiet"] },
} as const;

export async function revParseVerb(run: GitRun, args: readonly string[]): Promise<number> {
  const { given, words } = gitArguments("rev-parse", args, REV_PARSE_OPTIONS);
  const repository = await run.repository();
  const { dir, gitdir } = repository.at;
  if (given.has("topLevel")) run.line(dir);
  if (given.has("gitDir")) run.line(repository.prefix === "" ? ".git" : gitdir);
  if (given.has("absoluteGitDir")) run.line(gitdir);
  if (given.has("isInside")) run.line("true");
  if (given.has("prefix")) run.line(repository.prefix);
  for (const word of words) {
    const oid = await repository.revisionOrNone(word);
    if (oid === undefined) {
      if (given.has("quiet")) return 1;
      if (given.has("verify")) throw new GitError("fatal", "fatal: Needed a single revision");
      run.line(word);
      await repository.revision(word);
    } else if (given.has("abbreviatedRef"))
      run.line(word === "HEAD" || word === "@" ? ((await repository.branch()) ?? "HEAD") : word);
    else run.line(given.has("short") ? shortOid(oid) : oid);
  }
  return 0;
}
