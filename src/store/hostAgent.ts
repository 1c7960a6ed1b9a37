import { hostSkillFolder, sessionCwd, type BindOptions } from "../agent";
import type { DiscoveryFault } from "../base";
import { isUnder, normalizeFsPath, type FileSystem } from "../fs";
import { HOST_ROOT, localFileSystem, type Host } from "../host";
import { shellTool, type Tool } from "../tools";
import type { HostRuntimeDocument } from "./hostRuntime";
import type { FoundSkill } from "./skills";

type HostOptions = NonNullable<HostRuntimeDocument["options"]>;

/** The directory a session works in, absolute on the host; a relative one of its options begins at the host's root. */
export function hostDirectory({ cwd, workspaceDir }: HostOptions, sessionId: string): string {
  return sessionCwd(
    {
      ...(cwd === undefined ? {} : { cwd: onHost(cwd) }),
      ...(workspaceDir === undefined ? {} : { workspaceDir: onHost(workspaceDir) }),
    },
    { sessionId, sessionDirectory: HOST_ROOT },
  );
}

/** Directories that do not lie on the host's disk. */
export function hostDirectoryFaults(options: HostOptions): DiscoveryFault[] {
  return (["cwd", "workspaceDir"] as const).flatMap((option) => {
    const path = options[option];
    if (typeof path !== "string" || isUnder(onHost(path), HOST_ROOT)) return [];
    const problem = `${JSON.stringify(path)} does not lie on the host's disk, which is at ${HOST_ROOT}.`;
    return [{ field: `runtime.${option}`, problem, mend: `Name a directory below ${HOST_ROOT}, or a relative one.` }];
  });
}

function onHost(path: string): string {
  return normalizeFsPath(path.startsWith("/") ? path : `${HOST_ROOT}/${path}`);
}

export interface HostBindingNeeds {
  readonly options: HostOptions;
  readonly sessionId: string;
  /** The host's disk at its own paths. */
  readonly disk: Parameters<typeof localFileSystem>[0]["disk"];
  /** Runs commands; a host that has none yet offers the tool all the same. */
  readonly shell: Host["shell"];
}

/** What binds an agent to the host: its directory, the disk as its tree, the shell beside the tools there are. */
export function hostBinding({ options, sessionId, disk, shell }: HostBindingNeeds): {
  readonly tree: FileSystem;
  readonly shell: readonly Tool[];
} & Required<Pick<BindOptions, "binding" | "cwd">> {
  const cwd = hostDirectory(options, sessionId);
  const sandbox = options.sandbox !== undefined && options.sandbox !== false;
  return {
    binding: "host",
    cwd,
    tree: localFileSystem({ cwd, disk }),
    shell: [shellTool({ shell, cwd, mount: HOST_ROOT, sandbox })],
  };
}

export interface HostSkills {
  /** As the prompt tells them: where they are on the host. */
  readonly skills: readonly FoundSkill[];
  /** Those of other mounts, which the agent does not see: where each is, and where it goes. */
  readonly copies: readonly { readonly from: string; readonly to: string }[];
}

/** Skills of the mounts for an agent on the host: its disk's own as they are, the others in `.cursor/skills` of its directory. */
export function hostSkills(found: readonly FoundSkill[], cwd: string): HostSkills {
  const placed = found.map((skill) => {
    const folder = skill.path.split("/").at(-2) ?? "skill";
    const to = isUnder(skill.path, HOST_ROOT) ? skill.path : `${hostSkillFolder(cwd, folder)}/SKILL.md`;
    return { skill: { ...skill, path: to }, from: skill.path };
  });
  // Of two that would be the same file the first one goes.
  const own = placed.filter(
    ({ skill }, index) => placed.findIndex((other) => other.skill.path === skill.path) === index,
  );
  return {
    skills: own.map(({ skill }) => skill),
    copies: own.flatMap(({ skill, from }) => (skill.path === from ? [] : [{ from, to: skill.path }])),
  };
}
