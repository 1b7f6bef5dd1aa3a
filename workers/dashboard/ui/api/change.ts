import { type UseMutationResult, useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import type { Route } from "#workers/contracts/api/route.ts";
import { showToast, type ToastText } from "../kit/toast/toast.ts";
import { type Answer, callApi, type Input } from "./ask.ts";
import { Refused } from "./faults.ts";

interface ChangeOptions<R extends Route> {
  /** Tags to refetch beside the route's own. */
  also?: readonly string[];
  /** Whether `onDone` leaves the page, which may show what no longer exists: then nothing is refetched. Default: false. */
  leaves?: boolean;
  /** Toast after success: its title, or all of it. Toasts and handlers also follow if the component is unmounted by then. */
  success?: string | ((answer: Answer<R>, input: Input<R>) => string | ToastText);
  /** Title of the toast after a failure. Default: none, for a component that shows the error itself. */
  failure?: string;
  onDone?: (answer: Answer<R>, input: Input<R>) => void;
  onFailed?: (error: Error) => void;
}

/**
 * Returns a mutation of `{ input, version? }`: it carries out a `POST` once even if it is sent again, and refetches what it changed.
 * The API rejects the change unless `version` is the current one.
 */
export function useChange<const R extends Route>(
  route: R,
  { also = [], leaves = false, success, failure, onDone, onFailed }: ChangeOptions<R> = {},
): UseMutationResult<Answer<R>, Error, Input<R> & { version?: number | undefined }> {
  const queries = useQueryClient();
  // Kept until the outcome is known, so that a retry sends the same key.
  const pending = useRef<{ key: string; request: string } | undefined>(undefined);
  return useMutation({
    // The cache of mutations would keep a secret that the page no longer shows.
    ...(route.confidential === true && { gcTime: 0 }),
    mutationFn: async ({ version, ...rest }) => {
      const input = rest as unknown as Input<R>;
      // A file has no identity by which its repetition is found.
      if (route.method !== "post" || route.upload !== undefined) return callApi(route, input, { version });
      const request = JSON.stringify([route.path, input]);
      if (pending.current?.request !== request) pending.current = { key: crypto.randomUUID(), request };
      try {
        const answer = await callApi(route, input, { version, idempotencyKey: pending.current.key });
        pending.current = undefined;
        return answer;
      } catch (error) {
        if (error instanceof Refused) pending.current = undefined;
        throw error;
      }
    },
    onError: (error) => {
      if (failure !== undefined) showToast({ kind: "failed", title: failure, about: error.message });
      onFailed?.(error);
    },
    onSuccess: async (answer, variables) => {
      const input = variables as unknown as Input<R>;
      const text = typeof success === "function" ? success(answer, input) : success;
      if (text !== undefined) showToast(typeof text === "string" ? { title: text } : text);
      onDone?.(answer, input);
      const refetchType = leaves ? "none" : "active";
      const tags = [route.tag, ...also];
      await Promise.all(tags.map((tag) => queries.invalidateQueries({ queryKey: [tag], refetchType })));
    },
  });
}
