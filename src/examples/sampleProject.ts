import { sampleRepository } from "./sampleRepository";

export const SAMPLE_PROJECT_NAME = "Release notes helper";

/** Waits in the box when the sample has run by itself. */
export const SAMPLE_NEXT_PROMPT = "Summarise /repo/docs/guide.md and append the summary to /repo/README.md.";

const BASELINE = `You maintain release notes.
Read the files you need and make the change.
Answer in one short paragraph.
`;

const GREP_FIRST = `You maintain release notes.
Search with Grep before you read; read only what it finds.
Answer in one short paragraph.
`;

const PROMPT = "Find the TODOs in /repo/src, fix the one about reopening, and note it in the changelog.";

const plans = {
  "/release.md": `# Release 0.4

Planned for the end of the month.

- [ ] The store reopens after the browser closes its database
- [ ] Retry a transaction that the browser aborted
- [x] Say in the guide how two tabs share a store

Every change a user can notice is a line in \`/repo/CHANGELOG.md\`, under *Unreleased*.
`,
  "/questions.md": `# Open questions

- Should \`createStore\` tell its caller that it had to reopen?
- Who announces the release, and where?
`,
};

const skills = {
  "/changelog/SKILL.md": `---
name: changelog
description: How this repository writes its changelog. Use it whenever a change reaches a user.
---

# Writing the changelog

1. Lines go under \`## Unreleased\` in \`CHANGELOG.md\`; make the heading if it is missing.
2. One line a change, in the present tense, about what a user sees: "The store reopens …", not "Fixed bug in …".
3. Name no files and no people.
`,
};

/** The project of the first visit: a union of three mounts, a prompt ready to run, two instruction texts to compare. */
export const sampleProject = {
  agent: { name: "Release notes helper", instructions: BASELINE },
  model: { kind: "demo", pace: "natural" },
  mounts: [
    { id: "repo", prefix: "/repo", kind: "idb", readOnly: false, color: 1, disk: "repo", firstFiles: sampleRepository },
    { id: "plans", prefix: "/plans", kind: "memory", readOnly: false, color: 2, seed: plans },
    { id: "skills", prefix: "/agent/skills", kind: "memory", readOnly: true, color: 3, seed: skills },
  ],
  compare: {
    variants: [
      { id: "a", label: "Baseline", instructions: BASELINE },
      { id: "b", label: "Grep first", instructions: GREP_FIRST },
    ],
    prompts: [PROMPT],
    // The first visit's own run has done what the prompt asks.
    start: "before-run",
  },
  draft: PROMPT,
  mode: "run",
  openDocuments: ["/repo/src/createStore.ts", "instructions.md"],
  activeDocument: "/repo/src/createStore.ts",
} as const;
