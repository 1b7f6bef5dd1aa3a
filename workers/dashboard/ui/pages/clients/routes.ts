import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shellRoute } from "../../frame/routes.tsx";
import { billingSearch, clientsSearch, usageSearch } from "./search.ts";

export const clientPages = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/clients",
    validateSearch: clientsSearch,
    component: lazyRouteComponent(() => import("./clients-page.tsx"), "ClientsPage"),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/clients/new",
    component: lazyRouteComponent(() => import("./new/new-client-page.tsx"), "NewClientPage"),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/clients/$clientId",
    component: lazyRouteComponent(() => import("./detail/overview.tsx"), "OverviewPage"),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/clients/$clientId/users",
    component: lazyRouteComponent(() => import("./users/users.tsx"), "UsersPage"),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/clients/$clientId/usage",
    validateSearch: usageSearch,
    component: lazyRouteComponent(() => import("./usage/usage.tsx"), "UsagePage"),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/clients/$clientId/billing",
    validateSearch: billingSearch,
    component: lazyRouteComponent(() => import("./billing/billing.tsx"), "BillingPage"),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/clients/$clientId/settings",
    component: lazyRouteComponent(() => import("./settings/settings.tsx"), "SettingsPage"),
  }),
] as const;
