import { createRootRouteWithContext, createRoute, createRouter, lazyRouteComponent } from "@tanstack/react-router";
import type { ConsolePage } from "#workers/contracts/pages.ts";
import { sessionQuery } from "../api/session.ts";
import { Broken, NotFound } from "../frame/fallbacks.tsx";
import type { routerOptions as Options } from "../frame/start/router-options.tsx";
import { routerOptions } from "../frame/start/router-options.tsx";
import { billingSearch, modelsSearch } from "../pages/clients/search.ts";
import { ConsoleShell } from "./console-shell.tsx";

const rootRoute = createRootRouteWithContext<(typeof Options)["context"]>()({ notFoundComponent: NotFound });

const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: "shell",
  loader: ({ context }) => context.queries.ensureQueryData(sessionQuery),
  component: ConsoleShell,
  errorComponent: Broken,
  notFoundComponent: NotFound,
});

type Load = Parameters<typeof lazyRouteComponent>[0];

/** Each page with its module, whose default export is the page. */
const PAGES: Readonly<Record<ConsolePage, Load>> = {
  "": () => import("./pages/home/home.tsx"),
  people: () => import("./pages/people/people.tsx"),
  "service-tokens": () => import("./pages/people/service-tokens.tsx"),
  channels: () => import("./pages/channels.tsx"),
  models: () => import("./pages/spend/models.tsx"),
  backups: () => import("./pages/backups.tsx"),
  files: () => import("./pages/files/files.tsx"),
  doctor: () => import("./pages/doctor/doctor.tsx"),
  logs: () => import("./pages/logs.tsx"),
  network: () => import("./pages/network.tsx"),
  version: () => import("./pages/version/version.tsx"),
  billing: () => import("./pages/billing/billing.tsx"),
  notifications: () => import("./pages/notifications/notifications.tsx"),
  changes: () => import("./pages/changes.tsx"),
  danger: () => import("./pages/danger/danger.tsx"),
};
const SEARCHES = { models: modelsSearch, billing: billingSearch } as const;

const pages = (Object.keys(PAGES) as ConsolePage[]).map((page) =>
  createRoute({
    getParentRoute: () => shellRoute,
    path: `/${page}`,
    component: lazyRouteComponent(PAGES[page]),
    ...(page in SEARCHES && { validateSearch: SEARCHES[page as keyof typeof SEARCHES] }),
  }),
);

export const consoleRouter = (basepath: string) =>
  createRouter({ ...routerOptions, basepath, routeTree: rootRoute.addChildren([shellRoute.addChildren(pages)]) });
