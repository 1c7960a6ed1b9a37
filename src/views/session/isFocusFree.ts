import { isOverlayOpen } from "../widgets/isOverlayOpen";

/** Whether the focus may be moved without taking it from what a person types in or has opened. */
export function isFocusFree(): boolean {
  if (isOverlayOpen()) return false;
  const focused = document.activeElement;
  if (!(focused instanceof HTMLElement)) return true;
  if (focused.id === "message-box" && focused instanceof HTMLTextAreaElement) return focused.value.trim() === "";
  const types = focused.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(focused.tagName);
  return !types && focused.closest(".monaco-editor") === null;
}
