import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import * as z from "zod";
import { stylePreviews } from "#workers/contracts/api/people/partners.ts";
import { shellPage, shellRoute } from "../../frame/routes.ts";

/** Ignores an invalid value, because a link may be older than the page. */
const partnerSearch = z.object({ preview: z.enum(stylePreviews).optional().catch(undefined) });

const listRoute = shellPage("/partners", () => import("./partners-page.tsx"));

const newRoute = createRoute({
  getParentRoute: () => listRoute,
  path: "new",
  component: lazyRouteComponent(() => import("./changes/new-partner.tsx")),
});

const partnerRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/partners/$partnerId",
  validateSearch: partnerSearch,
  component: lazyRouteComponent(() => import("./partner-page.tsx")),
});

export const partnerPages = [listRoute.addChildren([newRoute]), partnerRoute] as const;
