import { Check } from "lucide-react";
import { DropdownMenu } from "radix-ui";
import type { ReactElement, ReactNode } from "react";
import { Kbd } from "./Kbd";

export interface MenuProps {
  /** One element that takes a ref: the button that opens the menu. */
  readonly trigger: ReactElement;
  readonly children: ReactNode;
  readonly align?: "start" | "end";
  readonly width?: number;
  readonly onOpenChange?: (open: boolean) => void;
}

export function Menu({ trigger, children, align = "start", width, onOpenChange }: MenuProps) {
  return (
    <DropdownMenu.Root modal={false} {...(onOpenChange ? { onOpenChange } : {})}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          className="menu scroll"
          align={align}
          sideOffset={4}
          collisionPadding={8}
          {...(width ? { style: { width } } : {})}
        >
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

export interface MenuItemProps {
  readonly children: ReactNode;
  readonly onSelect: () => void;
  readonly icon?: ReactNode;
  /** Shown dimly at the right. */
  readonly detail?: string;
  readonly keys?: string;
  readonly danger?: boolean;
  readonly disabled?: boolean;
}

export function MenuItem({ children, onSelect, icon, detail, keys, danger, disabled = false }: MenuItemProps) {
  return (
    <DropdownMenu.Item
      className={danger ? "menu-item menu-item-danger" : "menu-item"}
      disabled={disabled}
      onSelect={onSelect}
    >
      {icon ? <span className="menu-sign">{icon}</span> : null}
      <span className="truncate">{children}</span>
      {detail ? <span className="dim small push-right">{detail}</span> : null}
      {keys ? (
        <span className="push-right">
          <Kbd keys={keys} />
        </span>
      ) : null}
    </DropdownMenu.Item>
  );
}

export interface MenuChoiceProps<Value extends string> {
  readonly value: Value;
  readonly choices: readonly { readonly value: Value; readonly label: string; readonly detail?: string }[];
  readonly onChange: (value: Value) => void;
}

/** One of several, the chosen one ticked. */
export function MenuChoice<Value extends string>({ value, choices, onChange }: MenuChoiceProps<Value>) {
  return (
    <DropdownMenu.RadioGroup value={value} onValueChange={(next) => onChange(next as Value)}>
      {choices.map((choice) => (
        <DropdownMenu.RadioItem key={choice.value} value={choice.value} className="menu-item">
          <span className="menu-sign">
            <DropdownMenu.ItemIndicator>
              <Check size={14} aria-hidden="true" />
            </DropdownMenu.ItemIndicator>
          </span>
          <span className="truncate">{choice.label}</span>
          {choice.detail ? <span className="dim small push-right">{choice.detail}</span> : null}
        </DropdownMenu.RadioItem>
      ))}
    </DropdownMenu.RadioGroup>
  );
}

export function MenuLabel({ children }: { readonly children: ReactNode }) {
  return <DropdownMenu.Label className="menu-label">{children}</DropdownMenu.Label>;
}

export function MenuSeparator() {
  return <DropdownMenu.Separator className="menu-separator" />;
}
