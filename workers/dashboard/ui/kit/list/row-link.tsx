import { useRouter } from "@tanstack/react-router";
import type { MouseEvent, ReactNode } from "react";

/** For tables with thousands of rows: the router's own links each subscribe to the address. */
export function RowLink({ to, className, children }: { to: string; className: string; children: ReactNode }) {
  const router = useRouter();
  const go = (event: MouseEvent) => {
    // The browser opens new tabs and windows.
    if (
      event.defaultPrevented ||
      event.button !== 0 ||
      event.metaKey ||
      event.ctrlKey ||
      event.shiftKey ||
      event.altKey
    )
      return;
    event.preventDefault();
    void router.navigate({ to });
  };
  return (
    <a
      href={router.basepath === "/" ? to : router.basepath + to}
      onClick={go}
      onPointerEnter={() => void router.preloadRoute({ to })}
      className={className}
    >
      {children}
    </a>
  );
}
