import { X } from "lucide-react";
import { Dialog as Primitive } from "radix-ui";
import type { ReactNode } from "react";
import { useFocusReturn } from "./useFocusReturn";

export interface DialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly title: string;
  /** One sentence under the title. */
  readonly description?: string;
  readonly children: ReactNode;
  /** The buttons, at the right below. */
  readonly footer?: ReactNode;
  /** In px; 440 when absent. */
  readonly width?: number;
}

/** A window over the page that keeps the focus until it is closed. */
export function Dialog({ open, onClose, title, description, children, footer, width = 440 }: DialogProps) {
  const focus = useFocusReturn();
  return (
    <Primitive.Root open={open} onOpenChange={(next) => (next ? undefined : onClose())}>
      <Primitive.Portal>
        <Primitive.Overlay className="dialog-overlay" />
        <Primitive.Content
          className="dialog"
          style={{ width }}
          onOpenAutoFocus={(event) => {
            focus.remember();
            focusFirstField(event);
          }}
          onCloseAutoFocus={focus.giveBack}
          {...(description ? {} : { "aria-describedby": undefined })}
        >
          <div className="dialog-header">
            <Primitive.Title className="dialog-title">{title}</Primitive.Title>
            <Primitive.Close asChild>
              <button type="button" className="icon-button" aria-label="Close" title="Close (Esc)">
                <X size={16} aria-hidden="true" />
              </button>
            </Primitive.Close>
          </div>
          <div className="dialog-body scroll">
            {description ? <Primitive.Description className="muted">{description}</Primitive.Description> : null}
            {children}
          </div>
          {footer ? <div className="dialog-footer">{footer}</div> : null}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}

/** What a person came to fill in has the focus; failing that the window itself, so that Esc closes it at once. */
function focusFirstField(event: Event): void {
  event.preventDefault();
  const content = event.currentTarget;
  if (!(content instanceof HTMLElement) || content.contains(document.activeElement)) return;
  (content.querySelector<HTMLElement>("input, textarea, select") ?? content).focus();
}
