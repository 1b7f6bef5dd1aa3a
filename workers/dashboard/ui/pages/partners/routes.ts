import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shellRoute } from "../../frame/routes.tsx";
import { partnerSearch } from "./search.ts";

const listRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/partners",
  component: lazyRouteComponent(() => import("./partners-page.tsx"), "PartnersPage"),
});

const newRoute = createRoute({
  getParentRoute: () => listRoute,
  path: "new",
  component: lazyRouteComponent(() => import("./changes/new-partner.tsx"), "NewPartner"),
});

const partnerRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/partners/$partnerId",
  validateSearch: partnerSearch,
  component: lazyRouteComponent(() => import("./partner-page.tsx"), "PartnerPage"),
});

export const partnerPages = [listRoute.addChildren([newRoute]), partnerRoute] as const;
