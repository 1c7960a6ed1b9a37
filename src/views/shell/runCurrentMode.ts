import type { Workbench } from "../../store";

/** What `mod+Enter` and the button at the top do: run what the mode shows. */
export function runCurrentMode(workbench: Workbench): void {
  const { mode, draft } = workbench.project.getState();
  if (mode === "compare") void workbench.compare.getState().run();
  if (mode !== "run") return;
  const box = document.querySelector<HTMLTextAreaElement>("#message-box");
  const button = document.querySelector<HTMLButtonElement>("#run-message");
  // The box holds what was typed a moment ago, which the draft may not hold yet.
  if (button && !button.disabled) button.click();
  else if (box) box.focus();
  else if (draft.trim() !== "") void workbench.session.getState().send(draft);
}
