/** The editor's own find widget stays on the page, hidden, once it was used. */
const OPEN = ":not([aria-hidden='true'])";
const OVERLAYS = `[role="dialog"]${OPEN}, [role="alertdialog"]${OPEN}, [role="menu"]${OPEN}, .suggest-widget.visible`;

/** Whether something lies open over the page or in the editor: it takes keys such as Esc before the page does. */
export function isOverlayOpen(): boolean {
  return document.querySelector(OVERLAYS) !== null;
}
