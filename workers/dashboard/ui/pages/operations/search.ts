/** Search parameters of pages. An invalid value is ignored, because a link may be older than the page. */
import * as z from "zod";
import { jobKinds, jobStates } from "#domain/entities/job.ts";
import { rolloutTenantStatuses } from "#domain/rollouts/progress.ts";

const moment = z.iso.datetime({ offset: true }).optional().catch(undefined);

export const auditSearch = z.object({
  entity: z.string().min(1).max(63).optional().catch(undefined),
  client: z.uuid().optional().catch(undefined),
  actor: z.string().min(1).max(254).optional().catch(undefined),
  from: moment,
  to: moment,
});
export type AuditSearch = z.infer<typeof auditSearch>;

export const incidentViews = ["open", "over", "all"] as const;
export type IncidentView = (typeof incidentViews)[number];

export const incidentsSearch = z.object({ show: z.enum(incidentViews).optional().catch(undefined) });

export const jobsSearch = z.object({
  status: z.enum(jobStates).optional().catch(undefined),
  kind: z.enum(jobKinds).optional().catch(undefined),
  client: z.uuid().optional().catch(undefined),
});
export type JobsSearch = z.infer<typeof jobsSearch>;

export const rolloutSearch = z.object({ status: z.enum(rolloutTenantStatuses).optional().catch(undefined) });
