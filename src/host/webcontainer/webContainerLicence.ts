/** What a person is told before WebContainer first runs: the vendor's terms, not this project's. */
export const WEBCONTAINER_LICENCE = {
  sentence:
    "WebContainer is StackBlitz's software and is loaded from its servers; using it in production in a commercial setting needs a licence from StackBlitz.",
  url: "https://webcontainers.io/enterprise",
} as const;
