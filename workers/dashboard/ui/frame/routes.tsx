/** The routes that all pages hang on. */
import type { QueryClient } from "@tanstack/react-query";
import { createRootRouteWithContext, createRoute, type ErrorComponentProps } from "@tanstack/react-router";
import { sessionQuery } from "../api/session.ts";
import { ButtonLink } from "../kit/button.tsx";
import { Page } from "../kit/layout/page.tsx";
import { Empty, Failed } from "../kit/states.tsx";
import { reasonOf } from "./missing-files.ts";
import { SessionWatch } from "./session-watch.tsx";
import { Shell } from "./shell.tsx";

export const rootRoute = createRootRouteWithContext<{ queries: QueryClient }>()({ notFoundComponent: NothingHere });

/** Whatever is below it knows who is logged in. */
export const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: "shell",
  loader: ({ context }) => context.queries.ensureQueryData(sessionQuery),
  component: Shell,
  errorComponent: Broken,
  notFoundComponent: NothingHere,
});

function NothingHere() {
  return (
    <Page title="Nothing here">
      <Empty title="There is no page at this address" action={<ButtonLink to="/">Go to the overview</ButtonLink>}>
        What it led to may have been removed, or the address was cut.
      </Empty>
    </Page>
  );
}

/** Tried again from the start: neither a file that was missing nor who is logged in is asked for again otherwise. */
function Broken({ error }: ErrorComponentProps) {
  return (
    <main>
      <Page title="This page cannot be shown">
        <Failed error={reasonOf(error)} onRetry={() => location.reload()} />
      </Page>
      <SessionWatch />
    </main>
  );
}
