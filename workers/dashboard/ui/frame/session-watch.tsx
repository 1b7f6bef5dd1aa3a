import { useEffect, useId, useRef } from "react";
import { createPortal } from "react-dom";
import { sessionExpiry, useStore } from "../api/stores.ts";
import { Button } from "../kit/button.tsx";

/**
 * Says that the login has expired and leads through the next one back to the same address. Part of the first file, because no other can
 * be loaded without a login.
 *
 * @param props.reloads whether the login needs no action by the user: the page is then reloaded at once, unless it has a form
 */
export function SessionWatch({ reloads = false }: { reloads?: boolean }) {
  const hasExpired = useStore(sessionExpiry);
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    if (!hasExpired) return;
    const isFilling = document.querySelector("[role=dialog], [role=alertdialog], form") !== null;
    if (reloads && !isFilling) location.reload();
    else dialog.current?.showModal();
  }, [hasExpired, reloads]);
  if (!hasExpired) return null;
  // Outside of the part of the page that another dialog hides from assistive technology.
  return createPortal(
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onCancel={(event) => event.preventDefault()}
      className="m-auto w-[calc(100vw-2rem)] max-w-sm rounded-xl border border-line bg-raised p-5 text-text shadow-raised backdrop:bg-shade"
    >
      <h2 id={id} className="text-base font-semibold">
        Your session has expired
      </h2>
      <p className="mt-1 mb-4 text-quiet">Log in again to return to this page. Your entries are kept.</p>
      <Button variant="primary" className="ml-auto flex" onClick={() => location.reload()}>
        Log in again
      </Button>
    </dialog>,
    document.body,
  );
}
