import { createRouter } from "@tanstack/react-router";
import { rootRoute, shellRoute } from "./frame/routes.ts";
import { routerOptions } from "./frame/start/router-options.tsx";
import { clientPages } from "./pages/clients/routes.ts";
import { gatewayPages } from "./pages/gateways/routes.ts";
import { instancePages } from "./pages/instance/routes.ts";
import { operationsPages } from "./pages/operations/routes.ts";
import { overviewPages } from "./pages/overview/routes.ts";
import { partnerPages } from "./pages/partners/routes.ts";
import { peoplePages } from "./pages/people/routes.ts";

const routeTree = rootRoute.addChildren([
  shellRoute.addChildren([
    ...overviewPages,
    ...clientPages,
    ...instancePages,
    ...peoplePages,
    ...partnerPages,
    ...gatewayPages,
    ...operationsPages,
  ]),
]);

export const router = createRouter({ ...routerOptions, routeTree });

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
