import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shellRoute } from "../../frame/routes.tsx";

export const instancePages = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/clients/$clientId/instance",
    component: lazyRouteComponent(() => import("./instance-page.tsx"), "InstancePage"),
  }),
] as const;
