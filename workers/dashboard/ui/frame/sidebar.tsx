import { Link } from "@tanstack/react-router";
import type { Viewer } from "../api/session.ts";
import { Badge } from "../kit/badge.tsx";
import { placesFor } from "./navigation.ts";
import { PlaceGroups } from "./place-list.tsx";

/** @param props.onGo called for each link, including that of the current page */
export const Sidebar = ({ viewer, onGo }: { viewer: Viewer; onGo?: () => void }) => (
  <>
    <div className="flex h-12 items-center gap-2.5 border-b border-line px-4">
      <Mark />
      <Link to="/" onClick={onGo} className="font-semibold text-text no-underline">
        Tenantry
      </Link>
      {viewer.environment === "production" ? null : <Badge tone="busy">{viewer.environment}</Badge>}
    </div>
    <PlaceGroups groups={placesFor(viewer)} onGo={onGo} />
    <p className="border-t border-line px-4 py-2.5 text-xs break-words text-quiet" title={viewer.platform_domain}>
      {viewer.partner === null ? viewer.platform_domain : viewer.partner.name}
      <br />
      Tenantry {viewer.version}
    </p>
  </>
);

const Mark = () => (
  <svg aria-hidden="true" viewBox="0 0 32 32" className="size-6 text-accent">
    <rect width="32" height="32" rx="7" fill="currentColor" />
    <path d="M7 11h18M12 11v12M20 11v12" fill="none" stroke="var(--on-accent)" strokeWidth="3" strokeLinecap="round" />
  </svg>
);
