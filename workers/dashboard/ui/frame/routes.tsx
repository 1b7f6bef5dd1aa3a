import type { QueryClient } from "@tanstack/react-query";
import {
  createRootRouteWithContext,
  createRoute,
  type ErrorComponentProps,
  lazyRouteComponent,
} from "@tanstack/react-router";
import type { ComponentType } from "react";
import { sessionQuery } from "../api/session.ts";
import { ButtonLink } from "../kit/button.tsx";
import { Page } from "../kit/layout/page.tsx";
import { Empty, Failed } from "../kit/states.tsx";
import { explainLoadError } from "./chunk-errors.ts";
import { SessionWatch } from "./session-watch.tsx";
import { Shell } from "./shell.tsx";

export const rootRoute = createRootRouteWithContext<{ queries: QueryClient }>()({ notFoundComponent: NotFound });

/** Parent of all pages that need the session. */
export const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: "shell",
  loader: ({ context }) => context.queries.ensureQueryData(sessionQuery),
  component: Shell,
  errorComponent: Broken,
  notFoundComponent: NotFound,
});

/** A lazy page of the shell, without search parameters. @param load imports a module whose default export is the page */
export const shellPage = <const Path extends string>(path: Path, load: () => Promise<{ default: ComponentType }>) =>
  createRoute({ getParentRoute: () => shellRoute, path, component: lazyRouteComponent(load) });

function NotFound() {
  return (
    <Page title="Page not found">
      <Empty title="No page has this address" action={<ButtonLink to="/">Go to overview</ButtonLink>}>
        The page was removed, or the address is incomplete.
      </Empty>
    </Page>
  );
}

/** Retries by a reload, because neither a missing file nor the session is requested again otherwise. */
function Broken({ error }: ErrorComponentProps) {
  return (
    <main>
      <Page title="Failed to show this page">
        <Failed error={explainLoadError(error)} onRetry={() => location.reload()} />
      </Page>
      <SessionWatch />
    </main>
  );
}
