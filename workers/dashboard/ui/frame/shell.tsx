import { useQueryClient } from "@tanstack/react-query";
import { Outlet, useRouterState } from "@tanstack/react-router";
import { Menu as MenuIcon, Search } from "lucide-react";
import { lazy, Suspense, useEffect, useState } from "react";
import { followEvents } from "../api/live.ts";
import { useViewer } from "../api/session.ts";
import { Button } from "../kit/button.tsx";
import { LiveIndicator } from "./live-indicator.tsx";
import { MailToasts } from "./mail-toasts.tsx";
import { RouteAnnouncer } from "./route-announcer.tsx";
import { SessionWatch } from "./session-watch.tsx";
import { Sidebar } from "./sidebar.tsx";
import { ViewerMenu } from "./viewer-menu.tsx";

const Palette = lazy(() => import("./palette/palette.tsx"));
const Drawer = lazy(() => import("./drawer.tsx"));

export function Shell() {
  const viewer = useViewer();
  const queries = useQueryClient();
  const [palette, setPalette] = useState(false);
  const [drawer, setDrawer] = useState(false);
  const path = useRouterState({ select: (state) => state.location.pathname });
  useEffect(() => followEvents(queries), [queries]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a navigation closes the drawer.
  useEffect(() => setDrawer(false), [path]);
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
    <div className="flex min-h-dvh">
      <a
        href="#main"
        className="absolute top-2 left-2 z-50 -translate-y-16 rounded-md bg-accent px-3 py-2 text-on-accent focus:translate-y-0"
      >
        Skip to content
      </a>
      <aside className="sticky top-0 hidden h-dvh w-56 shrink-0 flex-col border-r border-line bg-card lg:flex">
        <Sidebar viewer={viewer} />
      </aside>
      {drawer ? (
        <Suspense>
          <Drawer onClose={() => setDrawer(false)} viewer={viewer} />
        </Suspense>
      ) : null}
      <div className="flex min-w-0 flex-1 flex-col [--sidebar:0rem] lg:[--sidebar:14rem]">
        <header className="sticky top-0 z-30 h-12 border-b border-line bg-card pr-scrollbar">
          <div className="flex h-full items-center gap-2 px-3 sm:px-4">
            <Button
              variant="ghost"
              icon
              className="lg:hidden"
              aria-label="Open navigation"
              onClick={() => setDrawer(true)}
            >
              <MenuIcon aria-hidden="true" />
            </Button>
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
          </div>
        </header>
        {viewer.notice === null ? null : (
          <p role="note" className="border-b border-line bg-info-soft px-4 py-1.5 text-center text-xs text-info">
            {viewer.notice}
          </p>
        )}
        <main id="main" tabIndex={-1} className="min-w-0 flex-1 pr-scrollbar outline-none">
          <Outlet />
        </main>
      </div>
      {palette ? (
        <Suspense>
          <Palette onClose={() => setPalette(false)} viewer={viewer} />
        </Suspense>
      ) : null}
      <RouteAnnouncer />
      <MailToasts />
      <SessionWatch />
    </div>
  );
}
