/** What happened, for a moment at the corner; read out too. */
import { createElement } from "react";
import { createRoot } from "react-dom/client";

export type ToastKind = "done" | "failed" | "told";

export interface ToastText {
  title: string;
  about?: string;
  kind?: ToastKind;
  /** A way back, such as undo. */
  action?: { name: string; run: () => void };
}

const SHOWN_MS = 6_000;
const SHOWN_FAILED_MS = 12_000;

let room: Promise<typeof import("./toast-room.tsx")> | undefined;

async function open() {
  const loaded = await import("./toast-room.tsx");
  const place = document.body.appendChild(document.createElement("div"));
  await new Promise<void>((onOpen) => createRoot(place).render(createElement(loaded.ToastRoom, { onOpen })));
  return loaded;
}

/** Shows it for 6 seconds, what failed for 12. */
export function toast({ title, about, kind = "done", action }: ToastText): void {
  room ??= open();
  // One that could not be loaded is asked for again with the next.
  room.catch(() => {
    room = undefined;
  });
  void room.then(({ manager }) => {
    const id = manager.add({
      title,
      ...(about !== undefined && { description: about }),
      type: kind,
      priority: kind === "failed" ? "high" : "low",
      timeout: kind === "failed" ? SHOWN_FAILED_MS : SHOWN_MS,
      ...(action && {
        actionProps: {
          children: action.name,
          onClick: () => {
            manager.close(id);
            action.run();
          },
        },
      }),
    });
  });
}
