/** Changing by routes: carried out once however often it is sent, and followed by reading what it changed. */
import { type UseMutationResult, useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import type { Route } from "#workers/contracts/api/route.ts";
import { type Answer, ask, type Input } from "./ask.ts";
import { Refused } from "./faults.ts";

export interface ChangeOptions<R extends Route> {
  /** Tags of what is read anew afterwards, beside the route's own. */
  also?: readonly string[];
  /** Whether its `onDone` leaves the page, which may show what is gone now: that is not asked for once more. Default: false. */
  leaves?: boolean;
  onDone?: (answer: Answer<R>, input: Input<R>) => void;
  /** For what is told elsewhere than beside a button, which may be gone by then. */
  onFailed?: (error: Error) => void;
}

/** @returns a mutation of `{ input, version? }`; `version` is what the change was made to */
export function useChange<const R extends Route>(
  route: R,
  { also = [], leaves = false, onDone, onFailed }: ChangeOptions<R> = {},
): UseMutationResult<Answer<R>, Error, Input<R> & { version?: number | undefined }> {
  const queries = useQueryClient();
  // Kept while it is not known what became of the call, so that another press of the button is the same call.
  const pending = useRef<{ key: string; of: string } | undefined>(undefined);
  return useMutation({
    mutationFn: async ({ version, ...rest }) => {
      const input = rest as unknown as Input<R>;
      if (route.method !== "post") return ask(route, input, { version });
      const of = JSON.stringify([route.path, input]);
      if (pending.current?.of !== of) pending.current = { key: crypto.randomUUID(), of };
      try {
        const answer = await ask(route, input, { version, idempotencyKey: pending.current.key });
        pending.current = undefined;
        return answer;
      } catch (error) {
        if (error instanceof Refused) pending.current = undefined;
        throw error;
      }
    },
    ...(onFailed && { onError: onFailed }),
    onSuccess: async (answer, input) => {
      onDone?.(answer, input as unknown as Input<R>);
      const refetchType = leaves ? "none" : "active";
      const tags = [route.tag, ...also];
      await Promise.all(tags.map((tag) => queries.invalidateQueries({ queryKey: [tag], refetchType })));
    },
  });
}
