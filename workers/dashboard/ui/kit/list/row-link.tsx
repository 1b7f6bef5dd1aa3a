/** Links of rows, of which there may be thousands: a link of the router follows every change of the address, each by itself. */
import { useRouter } from "@tanstack/react-router";
import type { MouseEvent, ReactNode } from "react";

export interface RowLinkProps {
  /** Path of a page of ours. */
  to: string;
  className: string;
  children: ReactNode;
}

export function RowLink({ to, className, children }: RowLinkProps) {
  const router = useRouter();
  const go = (event: MouseEvent) => {
    // A new tab or window is the browser's to open.
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
    <a href={to} onClick={go} onPointerEnter={() => void router.preloadRoute({ to })} className={className}>
      {children}
    </a>
  );
}
