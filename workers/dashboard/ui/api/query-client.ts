import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { Refused, SessionEnded, Unanswered } from "./faults.ts";
import { sessionExpiry } from "./stores.ts";

const FRESH_MS = 15_000;
const MAX_RETRIES = 2;

const onError = (error: Error) => {
  if (error instanceof SessionEnded) sessionExpiry.set(true);
};

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    queries: {
      staleTime: FRESH_MS,
      // Offline, a query fails visibly instead of pausing.
      networkMode: "always",
      refetchOnReconnect: true,
      // A retry would not help a rejected request, and a timeout has taken long enough.
      retry: (failures, error) =>
        failures < MAX_RETRIES &&
        !(error instanceof SessionEnded) &&
        !(error instanceof Unanswered && error.isTimeout) &&
        !(error instanceof Refused && error.status < 500),
    },
    // Only the viewer repeats a change: none is sent later because the network is back.
    mutations: { retry: false, networkMode: "always" },
  },
});
