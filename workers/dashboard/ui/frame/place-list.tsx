import { Link } from "@tanstack/react-router";
import type { LucideIcon } from "lucide-react";
import { useId } from "react";

export interface Place {
  name: string;
  to: string;
  icon: LucideIcon;
  /** Further search terms. */
  words?: string;
}

export interface PlaceGroup {
  name: string;
  places: readonly Place[];
}

interface PlaceGroupsProps {
  groups: readonly PlaceGroup[];
  onGo?: (() => void) | undefined;
}

/** Links to pages in the sidebar, in named groups. */
export const PlaceGroups = ({ groups, onGo }: PlaceGroupsProps) => (
  <nav aria-label="Main" className="flex flex-1 flex-col gap-4 overflow-y-auto px-2.5 py-4">
    {groups.map((group) => (
      <PlaceList key={group.name} {...group} onGo={onGo} />
    ))}
  </nav>
);

function PlaceList({ name: group, places, onGo }: PlaceGroup & Pick<PlaceGroupsProps, "onGo">) {
  const id = useId();
  return (
    <div>
      <p id={id} className="px-2 pb-1 text-xs font-medium text-quiet">
        {group}
      </p>
      <ul aria-labelledby={id} className="flex flex-col gap-0.5">
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
    </div>
  );
}
