import { Dialog as Base } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import { type FormEvent, type ReactNode, useRef, useState } from "react";
import { useIsReadOnly } from "../../api/session.ts";
import { sessionExpiry } from "../../api/stores.ts";
import { Button } from "../button.tsx";
import { joinClasses } from "../classes.ts";
import { TextField } from "./field.tsx";
import { type ChangeState, isConflict, SaveFault } from "./save-fault.tsx";

const FIELD = "input:not(:disabled), textarea:not(:disabled), select:not(:disabled)";

interface DialogProps {
  onClose: () => void;
  title: string;
  about?: ReactNode;
  wide?: boolean;
  /** Whether a click outside leaves it open. Default: false. */
  stays?: boolean;
  children: ReactNode;
}

/** An open dialog: render it conditionally. */
export function Dialog({ onClose, title, about, wide = false, stays = false, children }: DialogProps) {
  const body = useRef<HTMLDivElement>(null);
  return (
    <Base.Root
      open
      disablePointerDismissal={stays}
      // Escape in the dialog of an expired session keeps the entries.
      onOpenChange={(next) => (next || sessionExpiry.get() ? undefined : onClose())}
    >
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-shade" />
        <Base.Popup
          // Focuses the first field before the close button. On touch, this would open the keyboard.
          initialFocus={(by) => by === "touch" || (body.current?.querySelector<HTMLElement>(FIELD) ?? true)}
          className={joinClasses(
            "fixed top-1/2 left-1/2 z-50 flex max-h-[calc(100dvh-2rem)] w-[calc(100vw-2rem)] -translate-x-1/2 -translate-y-1/2 flex-col",
            "rounded-xl border border-line bg-raised shadow-raised outline-none",
            wide ? "max-w-2xl" : "max-w-md",
          )}
        >
          <header className="flex items-start gap-3 px-5 pt-4">
            <div className="min-w-0 flex-1">
              <Base.Title className="text-base font-semibold">{title}</Base.Title>
              {about === undefined ? null : <Base.Description className="mt-1 text-quiet">{about}</Base.Description>}
            </div>
            <Base.Close render={<Button variant="ghost" small icon aria-label="Close" />}>
              <X aria-hidden="true" />
            </Base.Close>
          </header>
          <div ref={body} className="overflow-y-auto px-5 pt-3 pb-5">
            {children}
          </div>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

interface FormDialogProps extends Omit<DialogProps, "stays"> {
  action: string;
  danger?: boolean;
  /** The change that the dialog submits, as from `useChange`. */
  change: ChangeState & { isPending: boolean };
  onReload?: () => Promise<unknown>;
  ready?: boolean;
  /** Whether the response has what is shown once: the dialog then stays open until it arrives. Default: false. */
  showsOnce?: boolean;
  onSubmit: () => void;
}

/** A form in a dialog. Cancel, Escape and the close button discard the entries; a click outside does not. After it is closed, its request continues. */
export function FormDialog({
  action,
  danger = false,
  change,
  ready = true,
  showsOnce = false,
  onReload,
  onSubmit,
  children,
  onClose,
  ...dialog
}: FormDialogProps) {
  const isHeld = showsOnce && change.isPending;
  const close = () => (isHeld ? undefined : onClose());
  const isReadOnly = useIsReadOnly();
  const isReady = ready && !isReadOnly && !(onReload !== undefined && isConflict(change.error));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReady && !change.isPending) onSubmit();
  };
  return (
    <Dialog stays onClose={close} {...dialog}>
      <form onSubmit={submit} noValidate className="flex flex-col gap-4">
        {children}
        <SaveFault change={change} onReload={onReload} />
        {isReadOnly ? <p className="text-quiet">You view this console, and cannot change anything.</p> : null}
        <footer className="flex justify-end gap-2">
          <Button onClick={close} disabled={isHeld}>
            Cancel
          </Button>
          <Button type="submit" variant={danger ? "danger" : "primary"} busy={change.isPending} disabled={!isReady}>
            {action}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}

interface ConfirmDialogProps extends Omit<FormDialogProps, "children" | "ready"> {
  /** Text to type as confirmation, such as a slug. */
  typed?: string;
  children?: ReactNode;
}

export function ConfirmDialog({ typed, children, ...form }: ConfirmDialogProps) {
  const [text, setText] = useState("");
  return (
    <FormDialog {...form} ready={typed === undefined || text.trim() === typed}>
      {children}
      {typed === undefined ? null : <ConfirmationField expected={typed} value={text} onChange={setText} />}
    </FormDialog>
  );
}

interface ConfirmationFieldProps {
  expected: string;
  value: string;
  onChange: (value: string) => void;
}

export const ConfirmationField = ({ expected, ...field }: ConfirmationFieldProps) => (
  <TextField label={`Type “${expected}” to confirm`} spellCheck={false} {...field} />
);
