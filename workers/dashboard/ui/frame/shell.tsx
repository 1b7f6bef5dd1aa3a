import { useQueryClient } from "@tanstack/react-query";
import { Outlet } from "@tanstack/react-router";
import { Search } from "lucide-react";
import { lazy, Suspense, useEffect, useState } from "react";
import { followEvents } from "../api/live.ts";
import { useViewer } from "../api/session.ts";
import { LiveIndicator } from "./live-indicator.tsx";
import { MailToasts } from "./mail-toasts.tsx";
import { SessionWatch } from "./session-watch.tsx";
import { ShellFrame } from "./shell-frame.tsx";
import { Sidebar } from "./sidebar.tsx";
import { ViewerMenu } from "./viewer-menu.tsx";

const Palette = lazy(() => import("./palette/palette.tsx"));

export function Shell() {
  const viewer = useViewer();
  const queries = useQueryClient();
  const [palette, setPalette] = useState(false);
  useEffect(() => followEvents(queries), [queries]);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== "k" || !(event.metaKey || event.ctrlKey)) return;
      event.preventDefault();
      setPalette((open) => !open);
    };
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, []);
  return (
    <>
      <ShellFrame
        sidebar={(onGo) => <Sidebar viewer={viewer} {...(onGo && { onGo })} />}
        notice={viewer.notice}
        header={
          <>
            <button
              type="button"
              onClick={() => setPalette(true)}
              className="flex h-8 w-full max-w-72 items-center gap-2 rounded-md border border-line bg-ground px-2.5 text-[0.8125rem] text-quiet hover:bg-hover"
            >
              <Search aria-hidden="true" className="size-4" />
              <span className="flex-1 text-left">Search or go to…</span>
              <kbd className="hidden rounded border border-line px-1.5 font-sans text-xs sm:block">Ctrl K</kbd>
            </button>
            <div className="flex-1" />
            <LiveIndicator />
            <ViewerMenu viewer={viewer} />
          </>
        }
      >
        <Outlet />
      </ShellFrame>
      {palette ? (
        <Suspense>
          <Palette onClose={() => setPalette(false)} viewer={viewer} />
        </Suspense>
      ) : null}
      <MailToasts />
      <SessionWatch />
    </>
  );
}
