import { createRoute, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { shellRoute } from "../../frame/routes.tsx";
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
    component: lazyRouteComponent(() => import("./jobs/jobs-page.tsx"), "JobsPage"),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/operations/jobs/$jobId",
    component: lazyRouteComponent(() => import("./jobs/job-page.tsx"), "JobPage"),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/operations/incidents",
    validateSearch: incidentsSearch,
    component: lazyRouteComponent(() => import("./incidents/incidents-page.tsx"), "IncidentsPage"),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/operations/versions",
    component: lazyRouteComponent(() => import("./versions/versions-page.tsx"), "VersionsPage"),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/operations/rollouts/$rolloutId",
    validateSearch: rolloutSearch,
    component: lazyRouteComponent(() => import("./rollouts/rollout-page.tsx"), "RolloutPage"),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/operations/capacity",
    component: lazyRouteComponent(() => import("./capacity/capacity-page.tsx"), "CapacityPage"),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/operations/audit",
    validateSearch: auditSearch,
    component: lazyRouteComponent(() => import("./audit/audit-page.tsx"), "AuditPage"),
  }),
] as const;
