import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shellRoute } from "../../frame/routes.tsx";

const gatewaysRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/gateways",
  component: lazyRouteComponent(() => import("./gateways-page.tsx"), "GatewaysPage"),
});

export const gatewayPages = [
  gatewaysRoute,
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/gateways/$gatewayId",
    component: lazyRouteComponent(() => import("./gateway-page.tsx"), "GatewayPage"),
  }),
] as const;
