import { Popover as Primitive } from "radix-ui";
import type { ReactElement, ReactNode } from "react";

export interface PopoverProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  /** One element that takes a ref: the button that opens it. */
  readonly trigger: ReactElement;
  /** What it holds, for a screen reader. */
  readonly label: string;
  readonly children: ReactNode;
  readonly align?: "start" | "end";
}

/** A panel beside the button that opened it; Esc and a click elsewhere close it. */
export function Popover({ open, onOpenChange, trigger, label, children, align = "start" }: PopoverProps) {
  return (
    <Primitive.Root open={open} onOpenChange={onOpenChange}>
      <Primitive.Trigger asChild>{trigger}</Primitive.Trigger>
      <Primitive.Portal>
        <Primitive.Content className="popover" aria-label={label} align={align} sideOffset={4} collisionPadding={8}>
          {children}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
