import { Toast } from "@base-ui/react/toast";
import { X } from "lucide-react";
import { useEffect } from "react";
import { Button } from "../button.tsx";
import { joinClasses } from "../classes.ts";

export const manager = Toast.createToastManager();

const EDGES: Readonly<Record<string, string>> = {
  done: "border-l-good",
  failed: "border-l-bad",
  info: "border-l-info",
};

/** @param props.onReady called once toasts can be shown; an earlier one would be lost */
export function ToastViewport({ onReady }: { onReady: () => void }) {
  // Runs after the effect of the provider, which subscribes to toasts.
  useEffect(onReady, [onReady]);
  return (
    <Toast.Provider toastManager={manager}>
      <Toast.Portal>
        <Toast.Viewport className="pointer-events-none fixed right-4 bottom-4 z-60 flex w-[min(22rem,calc(100vw-2rem))] flex-col gap-2 outline-none">
          <ToastList />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}

function ToastList() {
  const { toasts } = Toast.useToastManager();
  return toasts.map((toast) => (
    <Toast.Root
      key={toast.id}
      toast={toast}
      className={joinClasses(
        "pointer-events-auto flex items-start gap-3 rounded-lg border border-l-4 border-line bg-raised px-3.5 py-3 shadow-raised outline-none",
        EDGES[toast.type ?? "done"],
      )}
    >
      <Toast.Content className="min-w-0 flex-1">
        <Toast.Title className="font-medium" />
        <Toast.Description className="text-[0.8125rem] break-words text-quiet" />
        <Toast.Action render={<Button small className="mt-2" />} />
      </Toast.Content>
      <Toast.Close render={<Button variant="ghost" small icon aria-label="Dismiss" />}>
        <X aria-hidden="true" />
      </Toast.Close>
    </Toast.Root>
  ));
}
