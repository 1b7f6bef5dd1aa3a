import { createRouter } from "@tanstack/react-router";
import { queryClient } from "./api/query-client.ts";
import { rootRoute, shellRoute } from "./frame/routes.tsx";
import { Loading } from "./kit/states.tsx";
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

export const router = createRouter({
  routeTree,
  context: { queries: queryClient },
  defaultPreload: "intent",
  // The query client decides what is stale.
  defaultPreloadStaleTime: 0,
  defaultPendingComponent: () => (
    <div className="p-8">
      <Loading />
    </div>
  ),
  scrollRestoration: true,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
