/** What every command finds in its environment: tools do not ask, and do not paint (docs/hosts.md, section 4). */
export const HOST_ENVIRONMENT: Readonly<Record<string, string>> = { CI: "1", npm_config_yes: "true", NO_COLOR: "1" };
