const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);

const APPLE_SIGNS: Record<string, string> = { mod: "⌘", ctrl: "⌃", shift: "⇧", alt: "⌥", Enter: "⏎" };
const OTHER_SIGNS: Record<string, string> = { mod: "Ctrl", ctrl: "Ctrl", shift: "Shift", alt: "Alt" };

/** `mod+Enter` as this computer writes it. */
export function keyText(keys: string): string {
  const parts = keys.split("+");
  return isApple
    ? parts.map((part) => APPLE_SIGNS[part] ?? part).join("")
    : parts.map((part) => OTHER_SIGNS[part] ?? part).join("+");
}

/** A key or chord, written `mod+Enter`; for the eye only, since the control beside it carries `aria-keyshortcuts`. */
export function Kbd({ keys }: { readonly keys: string }) {
  return (
    <kbd className="kbd" aria-hidden="true">
      {keyText(keys)}
    </kbd>
  );
}
