/** What pages have read, kept for as long as it is good. */
import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { Refused, SessionEnded } from "./faults.ts";
import { sessionOver } from "./session-over.ts";

/** Read again at the earliest after this, in milliseconds; news of changes come at once (`live.ts`). */
const FRESH_MS = 15_000;
const MOST_RETRIES = 2;

const tellEnd = (error: Error) => {
  if (error instanceof SessionEnded) sessionOver.tell();
};

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: tellEnd }),
  mutationCache: new MutationCache({ onError: tellEnd }),
  defaultOptions: {
    queries: {
      staleTime: FRESH_MS,
      // What was refused is refused again.
      retry: (failures, error) =>
        failures < MOST_RETRIES &&
        !(error instanceof SessionEnded) &&
        !(error instanceof Refused && error.status < 500),
    },
    // Who pressed the button decides.
    mutations: { retry: false },
  },
});
