import { Link } from "@tanstack/react-router";
import type { LucideIcon } from "lucide-react";

export interface Place {
  name: string;
  to: string;
  icon: LucideIcon;
  /** Further search terms. */
  words?: string;
}

/** Links to pages in the sidebar. */
export const PlaceList = ({ places, onGo }: { places: readonly Place[]; onGo?: (() => void) | undefined }) => (
  <ul className="flex flex-col gap-0.5">
    {places.map(({ name, to, icon: Icon }) => (
      <li key={to}>
        <Link
          to={to}
          onClick={onGo}
          activeOptions={{ exact: to === "/", includeSearch: false }}
          className="flex items-center gap-2.5 rounded-md px-2 py-1.5 text-soft no-underline hover:bg-hover hover:text-text data-[status=active]:bg-accent-soft data-[status=active]:font-medium data-[status=active]:text-accent-strong"
        >
          <Icon aria-hidden="true" className="size-4 shrink-0" />
          {name}
        </Link>
      </li>
    ))}
  </ul>
);
