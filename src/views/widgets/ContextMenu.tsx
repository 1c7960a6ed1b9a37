import { ContextMenu as Primitive } from "radix-ui";
import type { ReactElement, ReactNode } from "react";
import { Kbd } from "./Kbd";

export interface ContextMenuProps {
  readonly items: ReactNode;
  /** One element that takes a ref and the pointer events. */
  readonly children: ReactElement;
}

/** The menu of the right button (and of the menu key) over an element. */
export function ContextMenu({ items, children }: ContextMenuProps) {
  return (
    <Primitive.Root modal={false}>
      <Primitive.Trigger asChild>{children}</Primitive.Trigger>
      <Primitive.Portal>
        <Primitive.Content className="menu scroll" collisionPadding={8}>
          {items}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}

export interface ContextMenuItemProps {
  readonly children: ReactNode;
  readonly onSelect: () => void;
  readonly keys?: string;
  readonly danger?: boolean;
  readonly disabled?: boolean;
}

export function ContextMenuItem({ children, onSelect, keys, danger, disabled = false }: ContextMenuItemProps) {
  return (
    <Primitive.Item
      className={danger ? "menu-item menu-item-danger" : "menu-item"}
      disabled={disabled}
      onSelect={onSelect}
    >
      <span className="truncate">{children}</span>
      {keys ? (
        <span className="push-right">
          <Kbd keys={keys} />
        </span>
      ) : null}
    </Primitive.Item>
  );
}

export function ContextMenuSeparator() {
  return <Primitive.Separator className="menu-separator" />;
}
