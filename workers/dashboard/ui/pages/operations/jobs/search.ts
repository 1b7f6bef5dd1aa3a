/** What the address of the list of jobs says. */
import * as z from "zod";
import { jobKinds, jobStates } from "#domain/entities/job.ts";

export const jobsSearch = z.object({
  status: z.enum(jobStates).optional().catch(undefined),
  kind: z.enum(jobKinds).optional().catch(undefined),
  /** One client's alone. */
  client: z.uuid().optional().catch(undefined),
});
export type JobsSearch = z.infer<typeof jobsSearch>;
