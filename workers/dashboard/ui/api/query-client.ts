/** What pages have read, kept for as long as it is good. */
import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { Refused, SessionEnded, Unanswered } from "./faults.ts";
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
      // Without a network it fails as any other call does, and says so, rather than wait unseen.
      networkMode: "always",
      refetchOnReconnect: true,
      // What was refused is refused again, and what took too long has been waited for.
      retry: (failures, error) =>
        failures < MOST_RETRIES &&
        !(error instanceof SessionEnded) &&
        !(error instanceof Unanswered && error.isOverdue) &&
        !(error instanceof Refused && error.status < 500),
    },
    // Who pressed the button decides, and when: nothing is sent later because there is a network again.
    mutations: { retry: false, networkMode: "always" },
  },
});
