import { Dialog as Base } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import { type FormEvent, type ReactNode, useRef, useState } from "react";
import { sessionOver } from "../../api/session-over.ts";
import { Button } from "../button.tsx";
import { classes } from "../classes.ts";
import { TextField } from "./field.tsx";
import { isOvertaken, SaveFault } from "./save-fault.tsx";

const FIELD = "input:not(:disabled), textarea:not(:disabled), select:not(:disabled)";

export interface DialogProps {
  open: boolean;
  onClose: () => void;
  title: string;
  about?: ReactNode;
  /** Default: 28 rem. */
  wide?: boolean;
  /** Whether a press beside it leaves it open. Default: false. */
  stays?: boolean;
  children: ReactNode;
}

/** Takes the keyboard while it is open, and gives it back. */
export function Dialog({ open, onClose, title, about, wide = false, stays = false, children }: DialogProps) {
  const body = useRef<HTMLDivElement>(null);
  return (
    <Base.Root
      open={open}
      disablePointerDismissal={stays}
      // Escape at the end of a log-in gives nothing up.
      onOpenChange={(next) => (next || sessionOver.get() ? undefined : onClose())}
    >
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-shade" />
        <Base.Popup
          // What is to be typed comes before the way out; a touch opens no keyboard.
          initialFocus={(by) => by === "touch" || (body.current?.querySelector<HTMLElement>(FIELD) ?? true)}
          className={classes(
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
            <Base.Close render={<Button look="ghost" small icon aria-label="Close" />}>
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

export interface FormDialogProps extends Omit<DialogProps, "stays"> {
  /** What the button says that carries it out. */
  action: string;
  danger?: boolean;
  /** Why it was refused. What was typed stays. */
  error?: Error | null | undefined;
  /** Reads anew what is changed, where it was changed meanwhile. */
  onReadAnew?: () => void;
  busy?: boolean;
  /** Whether it may be carried out. Default: true. */
  ready?: boolean;
  onSubmit: () => void;
}

/** A dialog that asks for something and carries it out. Cancel, Escape and the cross give up what was typed; a slip beside it does not. */
export function FormDialog({
  action,
  danger = false,
  error,
  busy = false,
  ready = true,
  onReadAnew,
  onSubmit,
  children,
  ...dialog
}: FormDialogProps) {
  const isReady = ready && !(onReadAnew !== undefined && isOvertaken(error));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReady && !busy) onSubmit();
  };
  return (
    <Dialog stays {...dialog}>
      <form onSubmit={submit} noValidate className="flex flex-col gap-4">
        {children}
        <SaveFault error={error} onReadAnew={onReadAnew} />
        <footer className="flex justify-end gap-2">
          <Button onClick={dialog.onClose}>Cancel</Button>
          <Button type="submit" look={danger ? "danger" : "primary"} busy={busy} disabled={!isReady}>
            {action}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}

export interface ConfirmDialogProps extends Omit<FormDialogProps, "children" | "ready"> {
  /** What has to be typed before it is carried out, such as a slug. Default: nothing. */
  typed?: string;
  children?: ReactNode;
}

/** Asks once more before what cannot be taken back. */
export function ConfirmDialog({ typed, children, ...form }: ConfirmDialogProps) {
  const [text, setText] = useState("");
  return (
    <FormDialog {...form} ready={typed === undefined || text.trim() === typed}>
      {children}
      {typed === undefined ? null : (
        <TextField
          label={`Type “${typed}” to confirm`}
          value={text}
          onChange={setText}
          autoComplete="off"
          spellCheck={false}
        />
      )}
    </FormDialog>
  );
}
