/** The doctor of a tenant's gateway: OpenClaw's own, which runs in the container. */
import * as z from "zod";

/** `GET` returns a {@link doctorReport}. `POST` starts a check, or joins the run in progress: 202 with the report; 409 if it cannot run. */
export const DOCTOR_PATH = "/api/admin/gateway/doctor";
/** `POST` starts a repair by the gateway's doctor, after a backup: 202 with a {@link doctorReport}; 409 if it cannot run. */
export const DOCTOR_REPAIR_PATH = `${DOCTOR_PATH}/repair`;

export const findingSeverities = ["error", "warning", "info"] as const;

const text = (most: number) => z.string().transform((value) => value.slice(0, most));

/** A finding as the container prints it. */
const printedFinding = z.object({
  /** Of the gateway, such as `core/doctor/security`. */
  check: text(200),
  severity: z.enum(findingSeverities),
  message: text(600),
  /** File or setting. */
  path: text(200).optional(),
  /** What to do, by the gateway. */
  hint: text(600).optional(),
});
export type PrintedFinding = z.infer<typeof printedFinding>;

/** Output of `doctor/doctor.mjs`. */
export const doctorOutput = z.object({ findings: z.array(printedFinding).max(50) });

/**
 * Why a run failed. `no_doctor`: the image or its gateway has none. `too_slow`: it exceeded its time limit. `failed`: it ended with an error or its
 * output is invalid. `interrupted`: the tenant's Worker or container restarted. `not_backed_up`: no repair without a backup. `restarting`: another
 * restart was in progress.
 */
export const doctorFaults = ["no_doctor", "too_slow", "failed", "interrupted", "not_backed_up", "restarting"] as const;
export type DoctorFault = (typeof doctorFaults)[number];

export const doctorSteps = ["backing_up", "repairing", "checking"] as const;

const doctorRun = z.object({
  kind: z.enum(["check", "repair"]),
  state: z.enum(["running", "done", "failed"]),
  /** Of a running one, or at which it failed. */
  step: z.enum(doctorSteps),
  /** ISO 8601 UTC. */
  startedAt: z.iso.datetime(),
  endedAt: z.iso.datetime().optional(),
  fault: z.object({ kind: z.enum(doctorFaults), details: text(600) }).optional(),
  /** ID of the backup before a repair. */
  backup: z.string().optional(),
});
export type DoctorRun = z.infer<typeof doctorRun>;

export const doctorReport = z.object({
  /** The last run; absent before the first. */
  run: doctorRun.optional(),
  /** By the last check. */
  findings: z.array(
    printedFinding.extend({
      /** The first check with it: ISO 8601 UTC. */
      since: z.iso.datetime(),
    }),
  ),
  /** When the last check ended: ISO 8601 UTC. Absent before the first. */
  checkedAt: z.iso.datetime().optional(),
});
export type DoctorReport = z.infer<typeof doctorReport>;
