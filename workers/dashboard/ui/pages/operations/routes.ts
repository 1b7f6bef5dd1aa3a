import { createRoute, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { shellPage, shellRoute } from "../../frame/routes.ts";
import { auditSearch, incidentsSearch, jobsSearch, rolloutSearch } from "./search.ts";

export const operationsPages = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/operations",
    beforeLoad: () => {
      throw redirect({ to: "/operations/jobs", replace: true });
    },
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/operations/jobs",
    validateSearch: jobsSearch,
    component: lazyRouteComponent(() => import("./jobs/jobs-page.tsx")),
  }),
  shellPage("/operations/jobs/$jobId", () => import("./jobs/job-page.tsx")),
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/operations/incidents",
    validateSearch: incidentsSearch,
    component: lazyRouteComponent(() => import("./incidents/incidents-page.tsx")),
  }),
  shellPage("/operations/versions", () => import("./versions/versions-page.tsx")),
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/operations/rollouts/$rolloutId",
    validateSearch: rolloutSearch,
    component: lazyRouteComponent(() => import("./rollouts/rollout-page.tsx")),
  }),
  shellPage("/operations/capacity", () => import("./capacity/capacity-page.tsx")),
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/operations/audit",
    validateSearch: auditSearch,
    component: lazyRouteComponent(() => import("./audit/audit-page.tsx")),
  }),
] as const;
