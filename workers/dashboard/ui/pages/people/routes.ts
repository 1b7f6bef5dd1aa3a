import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shellRoute } from "../../frame/routes.ts";
import { peopleSearch } from "./search.ts";

export const peoplePages = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: "/people",
    validateSearch: peopleSearch,
    component: lazyRouteComponent(() => import("./people-page.tsx")),
  }),
] as const;
