/** As a `ref`: puts the focus on an element that appears because the person asked for it. */
export function focusOnMount(element: HTMLElement | null): void {
  element?.focus();
}
