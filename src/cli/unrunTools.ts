import type { AgentReport, DiscoveryFault } from "../index";

/** Warnings of tools that a definition lists and nobody offers here. What connections offer is known when they are opened. */
export function unrunTools({ definition, offered, refused }: AgentReport): DiscoveryFault[] {
  const listed = new Set<string>((definition?.tools ?? []).filter((name) => name !== "mcp"));
  for (const { allowlistName } of offered) if (allowlistName !== undefined) listed.delete(allowlistName);
  return refused
    .filter(({ allowlistName }) => listed.delete(allowlistName))
    .map(({ allowlistName, reason }) => ({
      field: "tools",
      problem: reason,
      mend: `Take ${allowlistName} out, or run the agent where there is one.`,
    }));
}
