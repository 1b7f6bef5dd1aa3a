import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useCallback, useEffect, useRef } from "react";
import { type Job, jobRoutes } from "#workers/contracts/api/jobs.ts";
import { MAX_LIMIT } from "#workers/contracts/api/paging.ts";
import { apiQuery } from "../../api/queries.ts";
import { jobAddress } from "../../kit/addresses.ts";
import { showToast } from "../../kit/toast/toast.ts";

/** Returns open moves by instance id, and a function that reports the end of a move in a toast. */
export function useOpenMoves(): readonly [ReadonlyMap<string, Job>, follow: (job: Job) => void] {
  const navigate = useNavigate();
  // A move takes minutes, so open moves are among the newest jobs.
  const { data } = useQuery(apiQuery(jobRoutes.listJobs, { query: { kind: "assign_gateway", limit: MAX_LIMIT } }));
  const followed = useRef(new Set<string>());
  useEffect(() => {
    for (const job of data?.data ?? []) {
      if (job.ended_at === null || !followed.current.delete(job.id)) continue;
      if (job.status === "succeeded") showToast({ title: `${job.slug} moved to its new AI gateway` });
      else {
        showToast({
          kind: "failed",
          title: `Failed to move ${job.slug} to another AI gateway`,
          about: job.cause ?? `The move was ${job.status}.`,
          action: { name: "Show job", run: () => void navigate({ to: jobAddress(job.id) }) },
        });
      }
    }
  }, [data, navigate]);
  const follow = useCallback((job: Job) => void followed.current.add(job.id), []);
  const open = (data?.data ?? []).filter(({ ended_at }) => ended_at === null);
  return [new Map(open.flatMap((job) => (job.instance_id === null ? [] : [[job.instance_id, job]]))), follow];
}
