/** Every key of the product, as `?` shows them and as the buttons do. */
export const shortcutGroups: readonly {
  readonly title: string;
  readonly keys: readonly (readonly [keys: string, does: string])[];
}[] = [
  {
    title: "Anywhere",
    keys: [
      ["mod+Enter", "Run"],
      ["Esc", "Stop the run (what lies open takes it first)"],
      ["mod+S", "Save what is open in the editor"],
      ["mod+K", "All commands"],
      ["mod+P", "Go to file"],
      ["mod+shift+F", "Find in files"],
      ["alt+1", "Run"],
      ["alt+2", "Compare"],
      ["alt+3", "Replay"],
      ["alt+shift+1 … 5", "The agent: form, JSON, tools, prompt, skills"],
      ["alt+T", "The terminal"],
      ["alt+0", "Dismiss the newest message"],
      ["?", "These keys"],
    ],
  },
  {
    title: "In the file tree",
    keys: [
      ["↑ ↓", "Move"],
      ["→ ←", "Open a folder, close it"],
      ["Enter", "Open a file"],
      ["*", "Open all below a folder"],
      ["F2", "Rename or move"],
      ["Delete", "Delete (can be undone)"],
    ],
  },
  {
    title: "On a mount's path",
    keys: [
      ["Enter", "Edit the mount"],
      ["alt+↑ ↓", "Move it up, down"],
    ],
  },
  {
    title: "In the editor",
    keys: [
      [/Mac/.test(navigator.userAgent) ? "ctrl+shift+M" : "ctrl+M", "Tab leaves the editor, or writes a tab again"],
    ],
  },
  {
    title: "In the terminal",
    keys: [
      ["↑ ↓", "Earlier, later command"],
      ["shift+Enter", "A new line"],
      ["ctrl+C", "Stop the command"],
      ["ctrl+L", "Clear"],
    ],
  },
  {
    title: "On a row of the session",
    keys: [
      ["j k", "Next, previous row"],
      ["Enter", "Open the row"],
      ["a e d", "Approve, edit, deny"],
    ],
  },
  {
    title: "On a row of the tools",
    keys: [
      ["j k", "Next, previous tool"],
      ["Enter", "Open the tool"],
      ["t", "Try it"],
      ["mod+Enter", "In its form: call it (Esc stops)"],
    ],
  },
  {
    title: "In a replay",
    keys: [
      ["[ ]", "Previous, next step"],
      ["Space", "Play, pause"],
      ["← →", "Event by event"],
      ["Home End", "To the start, to the end"],
      ["/", "Search the session"],
      ["n shift+N", "Next, previous hit"],
      ["f", "Filter the steps"],
      ["g", "Go to an event by its number"],
      ["→ ← *", "In the steps: open, close, open all"],
    ],
  },
];
