import { createElement } from "react";
import { createRoot } from "react-dom/client";

export interface ToastText {
  title: string;
  about?: string;
  kind?: "done" | "failed" | "info";
  action?: { name: string; run: () => void };
}

const SHOWN_MS = 6_000;
const SHOWN_FAILED_MS = 12_000;

let viewport: Promise<typeof import("./toast-viewport.tsx")> | undefined;

async function openToastViewport() {
  const loaded = await import("./toast-viewport.tsx");
  const container = document.body.appendChild(document.createElement("div"));
  await new Promise<void>((onReady) => createRoot(container).render(createElement(loaded.ToastViewport, { onReady })));
  return loaded;
}

/** Shows a message for 6 seconds, or for 12 if something failed. */
export function showToast({ title, about, kind = "done", action }: ToastText): void {
  viewport ??= openToastViewport();
  // If the viewport failed to load, the next toast loads it again.
  viewport.catch(() => {
    viewport = undefined;
  });
  void viewport.then(({ manager }) => {
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
