import { useQueryClient } from "@tanstack/react-query";
import { Link, Outlet } from "@tanstack/react-router";
import { ExternalLink, LogOut } from "lucide-react";
import { useEffect } from "react";
import { CONSOLE_PATH } from "#domain/access/access-addresses.ts";
import { followEvents } from "../api/live.ts";
import { useTenant, useViewer } from "../api/session.ts";
import { LiveIndicator } from "../frame/live-indicator.tsx";
import { PlaceGroups } from "../frame/place-list.tsx";
import { SessionWatch } from "../frame/session-watch.tsx";
import { ShellFrame } from "../frame/shell-frame.tsx";
import { ViewerMenu } from "../frame/viewer-menu.tsx";
import { ButtonAnchor } from "../kit/button.tsx";
import { applyBrand } from "./brand.ts";
import { placesOf } from "./places.ts";

const VIEW =
  "You view this console as an operator, and cannot change anything. Its administrators see this view in their list of changes.";

export function ConsoleShell() {
  const viewer = useViewer();
  const { brand, address, client, read_only } = useTenant();
  const queries = useQueryClient();
  useEffect(() => applyBrand(brand), [brand]);
  useEffect(() => followEvents(queries), [queries]);
  return (
    <>
      <ShellFrame
        sidebar={(onGo) => <ConsoleSidebar onGo={onGo} />}
        notice={read_only ? VIEW : viewer.notice}
        header={
          <>
            <span className="min-w-0 truncate font-medium">{client.name}</span>
            <div className="flex-1" />
            <LiveIndicator />
            <ButtonAnchor href={address} target="_blank" rel="noreferrer">
              <ExternalLink aria-hidden="true" />
              Open agent
              <span className="sr-only">(opens in a new tab)</span>
            </ButtonAnchor>
            <ViewerMenu
              viewer={viewer}
              links={[]}
              logOut={{
                name: "Log out",
                icon: LogOut,
                words: "",
                run: () => location.assign(`${CONSOLE_PATH}/${client.slug}/leave`),
              }}
            />
          </>
        }
      >
        <Outlet />
      </ShellFrame>
      <SessionWatch reloads />
    </>
  );
}

function ConsoleSidebar({ onGo }: { onGo: (() => void) | undefined }) {
  const { user } = useViewer();
  const { brand } = useTenant();
  return (
    <>
      <div className="flex h-12 items-center border-b border-line px-4">
        <Link to="/" onClick={onGo} className="min-w-0 truncate font-semibold text-text no-underline">
          {brand.logo === undefined ? (
            brand.name
          ) : (
            <img src={brand.logo} alt={brand.name} className="max-h-8 max-w-40 rounded-sm bg-white object-contain" />
          )}
        </Link>
      </div>
      <PlaceGroups groups={placesOf(user.role)} onGo={onGo} />
      {brand.support === undefined ? null : (
        <p className="border-t border-line px-4 py-2.5 text-xs break-words text-quiet">
          Help:{" "}
          <a href={`mailto:${brand.support}`} className="text-quiet underline">
            {brand.support}
          </a>
        </p>
      )}
    </>
  );
}
