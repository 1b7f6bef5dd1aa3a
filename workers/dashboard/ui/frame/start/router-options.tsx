import { queryClient } from "../../api/query-client.ts";
import { Loading } from "../../kit/states.tsx";

export const routerOptions = {
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
} as const;
