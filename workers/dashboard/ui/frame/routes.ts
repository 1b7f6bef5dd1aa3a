import type { QueryClient } from "@tanstack/react-query";
import { createRootRouteWithContext, createRoute, lazyRouteComponent } from "@tanstack/react-router";
import type { ComponentType } from "react";
import { sessionQuery } from "../api/session.ts";
import { Broken, NotFound } from "./fallbacks.tsx";
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
