import { Link } from "@tanstack/react-router";
import { useEffect, useRef } from "react";

export function Tabs({ label, tabs }: { label: string; tabs: readonly { name: string; to: string }[] }) {
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    // Scrolls to the current tab where not all fit.
    const open = nav.current?.querySelector<HTMLElement>('[data-status="active"]');
    if (nav.current && open) nav.current.scrollLeft = open.offsetLeft + open.offsetWidth - nav.current.clientWidth;
  }, []);
  return (
    <nav ref={nav} aria-label={label} className="relative -mb-px flex gap-1 overflow-x-auto border-b border-line">
      {tabs.map(({ name, to }) => (
        <Link
          key={to}
          to={to}
          activeOptions={{ exact: true, includeSearch: false }}
          className="flex items-center gap-1.5 border-b-2 border-transparent px-3 py-2 font-medium whitespace-nowrap text-quiet no-underline hover:text-text data-[status=active]:border-accent data-[status=active]:text-text"
        >
          {name}
        </Link>
      ))}
    </nav>
  );
}
