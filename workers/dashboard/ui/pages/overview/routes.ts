import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shellRoute } from "../../frame/routes.ts";
import { overviewSearch } from "./search.ts";

export const overviewPages = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/",
    validateSearch: overviewSearch,
    component: lazyRouteComponent(() => import("./overview-page.tsx")),
  }),
] as const;
