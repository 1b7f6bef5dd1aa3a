import { useRouterState } from "@tanstack/react-router";
import { Menu as MenuIcon } from "lucide-react";
import { lazy, type ReactNode, Suspense, useEffect, useState } from "react";
import { Button } from "../kit/button.tsx";
import { RouteAnnouncer } from "./route-announcer.tsx";

const Drawer = lazy(() => import("./drawer.tsx"));

interface ShellFrameProps {
  /** @param onGo called for each link, including that of the current page */
  sidebar: (onGo?: () => void) => ReactNode;
  /** Of the header, from left to right. */
  header: ReactNode;
  /** Above the page. */
  notice: string | null;
  /** The page. */
  children: ReactNode;
}

/** What dashboard and console share around each page. */
export function ShellFrame({ sidebar, header, notice, children }: ShellFrameProps) {
  const [drawer, setDrawer] = useState(false);
  const path = useRouterState({ select: (state) => state.location.pathname });
  const closeDrawer = () => setDrawer(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a navigation closes the drawer.
  useEffect(closeDrawer, [path]);
  return (
    <div className="flex min-h-dvh">
      <a
        href="#main"
        className="absolute top-2 left-2 z-50 -translate-y-16 rounded-md bg-accent px-3 py-2 text-on-accent focus:translate-y-0"
      >
        Skip to content
      </a>
      <aside className="sticky top-0 hidden h-dvh w-56 shrink-0 flex-col border-r border-line bg-card lg:flex">
        {sidebar()}
      </aside>
      {drawer ? (
        <Suspense>
          <Drawer onClose={closeDrawer}>{sidebar(closeDrawer)}</Drawer>
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
            {header}
          </div>
        </header>
        {notice === null ? null : (
          <p role="note" className="border-b border-line bg-info-soft px-4 py-1.5 text-center text-xs text-info">
            {notice}
          </p>
        )}
        <main id="main" tabIndex={-1} className="min-w-0 flex-1 pr-scrollbar outline-none">
          {children}
        </main>
      </div>
      <RouteAnnouncer />
    </div>
  );
}
