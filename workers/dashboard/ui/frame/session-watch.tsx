import { useEffect, useId, useRef, useSyncExternalStore } from "react";
import { createPortal } from "react-dom";
import { sessionOver } from "../api/session-over.ts";
import { Button } from "../kit/button.tsx";

/**
 * Tells when the log-in has ended, and leads through the next one back to this very address; what was typed is kept as a draft. It is a part
 * of the first file: without a log-in no other can be had.
 */
export function SessionWatch() {
  const over = useSyncExternalStore(sessionOver.subscribe, sessionOver.get);
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    if (over) dialog.current?.showModal();
  }, [over]);
  if (!over) return null;
  // Outside of what another dialog may have hidden from those who read by ear.
  return createPortal(
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onCancel={(event) => event.preventDefault()}
      className="m-auto w-[calc(100vw-2rem)] max-w-sm rounded-xl border border-line bg-raised p-5 text-text shadow-raised backdrop:bg-shade"
    >
      <h2 id={id} className="text-base font-semibold">
        Your log-in has ended
      </h2>
      <p className="mt-1 mb-4 text-quiet">Log in again and you are back here. What you typed into a form is kept.</p>
      <Button look="primary" className="ml-auto flex" onClick={() => location.reload()}>
        Log in again
      </Button>
    </dialog>,
    document.body,
  );
}
