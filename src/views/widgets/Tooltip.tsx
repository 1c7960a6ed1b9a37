import { Tooltip as Primitive } from "radix-ui";
import type { FocusEvent, ReactElement, ReactNode } from "react";
import { Kbd } from "./Kbd";

/** Stands once around the whole page, so that tooltips follow each other without a wait. */
export function TooltipProvider({ children }: { readonly children: ReactNode }) {
  return <Primitive.Provider delayDuration={450}>{children}</Primitive.Provider>;
}

export interface TooltipProps {
  readonly text: string;
  readonly keys?: string;
  /** One element that takes a ref. */
  readonly children: ReactElement;
}

export function Tooltip({ text, keys, children }: TooltipProps) {
  return (
    <Primitive.Root>
      <Primitive.Trigger asChild onFocus={unlessGivenBack}>
        {children}
      </Primitive.Trigger>
      <Primitive.Portal>
        <Primitive.Content className="tooltip" sideOffset={4} collisionPadding={8} onEscapeKeyDown={passOn}>
          {text}
          {keys ? <Kbd keys={keys} /> : null}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}

/** The focus comes back to a button when its menu closes: nobody has asked what the button is for. */
function unlessGivenBack(event: FocusEvent<HTMLElement>): void {
  if (!event.target.matches(":focus-visible")) event.preventDefault();
}

/** A tooltip goes on Esc, but nobody has opened it on purpose: the key is given to what the person meant. */
function passOn({ target, isTrusted }: KeyboardEvent): void {
  if (!isTrusted) return;
  setTimeout(() =>
    target?.dispatchEvent(
      new KeyboardEvent("keydown", { key: "Escape", code: "Escape", bubbles: true, cancelable: true }),
    ),
  );
}
