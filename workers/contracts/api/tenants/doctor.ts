/** The doctor of an instance in the API: checks of the platform, and OpenClaw's own doctor in the container. */
import * as z from "zod";
import { instant } from "#domain/entities/entity.ts";
import { doctorSteps, findingSeverities } from "../../tenant/doctor.ts";
import { ROOTS_AND_ADMINS, route, routes } from "../route.ts";

const byId = z.object({ instance_id: z.uuid() });

/** Operations that repair findings. */
export const doctorRepairs = [
  "backUpInstance",
  "changeWorkerPlan",
  "putProviderKey",
  "repairByDoctor",
  "replaceChannelToken",
  "replayInbox",
  "restartInstance",
  "restoreBackup",
  "setSpendingCap",
] as const;
export type DoctorRepair = (typeof doctorRepairs)[number];

const finding = z.object({
  id: z.string(),
  /** `gateway`: of the gateway's own doctor. */
  source: z.enum(["platform", "gateway"]),
  severity: z.enum(findingSeverities),
  message: z.string(),
  /** What to do; null if the doctor states nothing. */
  remedy: z.string().nullable(),
  /** File or setting of the gateway; null if it concerns none. */
  path: z.string().nullable(),
  since: instant.nullable(),
  /** Operation of this API that repairs it; null if none does. */
  repair: z.enum(doctorRepairs).nullable(),
});
export type DoctorFinding = z.infer<typeof finding>;

const run = z.object({
  kind: z.enum(["check", "repair"]),
  state: z.enum(["running", "done", "failed"]),
  /** Of a running one, or at which it failed. */
  step: z.enum(doctorSteps),
  started_at: instant,
  ended_at: instant.nullable(),
  /** Why it failed, and what to do; null unless it failed. */
  reason: z.string().nullable(),
  /** ID of the backup before a repair. */
  backup_id: z.string().nullable(),
});

export const doctorReport = z.object({
  /** Errors first. */
  findings: z.array(finding),
  /** The last run of the gateway's doctor; null before the first, and if it is unknown. */
  run: run.nullable(),
  /** When the gateway's doctor last completed a check; null before the first, and if it is unknown. */
  gateway_checked_at: instant.nullable(),
});
export type DoctorReport = z.infer<typeof doctorReport>;

const ordered = {
  callers: ROOTS_AND_ADMINS,
  params: byId,
  answer: doctorReport,
  status: 202,
  refusals: ["conflict", "gateway_unavailable", "tenant_unavailable"],
} as const;

export const doctorRoutes = routes("doctor", {
  getDoctor: route("get", "/client/instance/:instance_id/doctor", {
    summary: "Get the doctor's findings of an instance",
    callers: ROOTS_AND_ADMINS,
    params: byId,
    answer: doctorReport,
  }),
  runDoctor: route("post", "/client/instance/:instance_id/doctor", {
    ...ordered,
    summary: "Run the doctor of an instance",
  }),
  repairByDoctor: route("post", "/client/instance/:instance_id/doctor/repair", {
    ...ordered,
    summary: "Repair an instance by its gateway's doctor",
  }),
});
