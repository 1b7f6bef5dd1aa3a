import { Link } from "@tanstack/react-router";
import { useEffect, useRef } from "react";

export interface Tab {
  name: string;
  /** Address of the tab's page. */
  to: string;
  /** How many are behind it. */
  count?: number | undefined;
}

/** Parts of a page that have addresses of their own. */
export function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    // Where there is no room for all of them, the one that is open is seen.
    const open = nav.current?.querySelector<HTMLElement>('[data-status="active"]');
    if (nav.current && open) nav.current.scrollLeft = open.offsetLeft + open.offsetWidth - nav.current.clientWidth;
  }, []);
  return (
    <nav ref={nav} aria-label={label} className="relative -mb-px flex gap-1 overflow-x-auto border-b border-line">
      {tabs.map(({ name, to, count }) => (
        <Link
          key={to}
          to={to}
          activeOptions={{ exact: true, includeSearch: false }}
          className="flex items-center gap-1.5 border-b-2 border-transparent px-3 py-2 font-medium whitespace-nowrap text-quiet no-underline hover:text-text data-[status=active]:border-accent data-[status=active]:text-text"
        >
          {name}
          {count === undefined ? null : (
            <span className="rounded-full bg-sunken px-1.5 text-xs text-soft tabular-nums">{count}</span>
          )}
        </Link>
      ))}
    </nav>
  );
}
