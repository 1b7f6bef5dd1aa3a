import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shellPage, shellRoute } from "../../frame/routes.ts";
import { billingSearch, clientsSearch, usageSearch } from "./search.ts";

export const clientPages = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/clients",
    validateSearch: clientsSearch,
    component: lazyRouteComponent(() => import("./clients-page.tsx")),
  }),
  shellPage("/clients/new", () => import("./new/new-client-page.tsx")),
  shellPage("/clients/$clientId", () => import("./detail/overview.tsx")),
  shellPage("/clients/$clientId/webhooks", () => import("./webhooks/webhooks.tsx")),
  shellPage("/clients/$clientId/network", () => import("./network/network.tsx")),
  shellPage("/clients/$clientId/users", () => import("./users/users.tsx")),
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/clients/$clientId/usage",
    validateSearch: usageSearch,
    component: lazyRouteComponent(() => import("./usage/usage.tsx")),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/clients/$clientId/billing",
    validateSearch: billingSearch,
    component: lazyRouteComponent(() => import("./billing/billing.tsx")),
  }),
  shellPage("/clients/$clientId/settings", () => import("./settings/settings.tsx")),
] as const;
