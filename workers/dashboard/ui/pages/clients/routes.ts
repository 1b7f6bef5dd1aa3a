import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shellRoute } from "../../frame/routes.tsx";
import { billingSearch } from "./billing/search.ts";
import { clientsSearch } from "./search.ts";
import { usageSearch } from "./usage/search.ts";

// Tabs are pages of their own, side by side: each stands in the client's frame.
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
    component: lazyRouteComponent(() => import("./detail/overview-page.tsx"), "OverviewPage"),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/clients/$clientId/users",
    component: lazyRouteComponent(() => import("./users/users-page.tsx"), "UsersPage"),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/clients/$clientId/usage",
    validateSearch: usageSearch,
    component: lazyRouteComponent(() => import("./usage/usage-page.tsx"), "UsagePage"),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/clients/$clientId/billing",
    validateSearch: billingSearch,
    component: lazyRouteComponent(() => import("./billing/billing-page.tsx"), "BillingPage"),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/clients/$clientId/settings",
    component: lazyRouteComponent(() => import("./settings/settings-page.tsx"), "SettingsPage"),
  }),
] as const;
