/** Instances in the API. */
import * as z from "zod";
import { instant } from "#domain/entities/entity.ts";
import { instance } from "#domain/entities/instance.ts";
import { job } from "#domain/entities/job.ts";
import { plans } from "#domain/plans/plan.ts";
import { backupId, backupReasons } from "../../tenant/backup.ts";
import { gatewayVersion } from "../../tenant/sandbox.ts";
import { wakeAfterSeconds } from "../../tenant/sleep.ts";
import {
  BOTH_ROOTS,
  ROOT_AND_ADMINS,
  ROOT_ONLY,
  ROOTS_AND_ADMINS,
  ROOTS_AND_TENANT_USERS,
  route,
  routes,
} from "../route.ts";
import { instanceHealth } from "./instance-health.ts";
import { instanceVersions } from "./instance-versions.ts";

/** ID of an AI gateway at Cloudflare. */
const gatewayId = z
  .string()
  .trim()
  .regex(
    /^[a-z0-9_-]{1,64}$/,
    "must be the ID of an AI gateway: at most 64 lower-case letters, digits, hyphens and underscores",
  );

export type Instance = z.infer<typeof instance>;
export type Runs = Instance["runs"];

const byId = z.object({ instance_id: z.uuid() });

export const listedBackup = z.object({
  id: z.string(),
  created_at: instant,
  bytes: z.number().int().nonnegative(),
  /** The gateway that wrote the state; null if unknown. */
  gateway: gatewayVersion.nullable(),
  /** `unknown`: an earlier version made it. */
  reason: z.enum([...backupReasons, "unknown"]),
  /** Who requested or uploaded it; null if nobody did, or it is unknown. */
  by: z.string().nullable(),
  role: z.string().nullable(),
  /** Whether the platform keeps it beyond the limits of its retention. */
  kept: z.boolean(),
});

const backup = z.object({ id: z.string(), created_at: instant, bytes: z.number().int().nonnegative() });

/** A stack file in Git, derived from the database: without comments and encryption, which only the repository has. */
const instanceFile = z.object({
  /** Relative to the repository. */
  path: z.string(),
  /** YAML. For a partner root without the name of the platform's stack. */
  text: z.string(),
  /** Whether this is the whole file. For a stack with other tenants, only the part of this tenant is returned. */
  whole: z.boolean(),
});
export type InstanceFile = z.infer<typeof instanceFile>;

export const instanceRoutes = routes("instances", {
  createInstance: route("post", "/client/instance/create", {
    summary: "Provision a client's instance",
    callers: BOTH_ROOTS,
    body: z.strictObject({
      client_id: z.uuid(),
      /** The gateway to bind, only for platform roots. Default: that of an instance in error, else the pool's least used. */
      ai_gateway_id: gatewayId.optional(),
      ai_gateway_pool_id: z.uuid().optional(),
      /**
       * Starts from the newest backup in the bucket that an earlier client with this slug left; only for platform roots. Without it,
       * provisioning fails if such a bucket exists.
       */
      use_kept_backups: z.boolean().optional(),
    }),
    answer: instance,
    status: 202,
    refusals: ["conflict", "forbidden", "managed_by_git", "no_account_capacity", "no_ai_gateway_capacity"],
  }),
  getInstance: route("get", "/client/instance/:instance_id", {
    summary: "Get an instance",
    callers: ROOTS_AND_TENANT_USERS,
    params: byId,
    answer: instance,
    versioned: true,
  }),
  removeInstance: route("delete", "/client/instance/:instance_id", {
    summary: "Remove an instance",
    callers: BOTH_ROOTS,
    params: byId,
    query: z.object({
      /** Removes the instance even if its state cannot be backed up. By default the removal then fails and changes nothing. */
      discard_state: z.enum(["true", "false"]).default("false"),
    }),
    answer: instance,
    status: 202,
    refusals: ["conflict", "managed_by_git"],
    versioned: true,
  }),
  changeWorkerPlan: route("put", "/client/instance/:instance_id/worker-plan/:plan_type", {
    summary: "Change the plan of an instance",
    callers: ROOTS_AND_ADMINS,
    params: byId.extend({ plan_type: z.enum(plans) }),
    query: z.object({
      /** The plan whose price the caller compared: another plan by now is an error. Default: any. */
      from: z.enum(plans).optional(),
    }),
    answer: instance,
    status: 202,
    refusals: ["conflict", "managed_by_git", "no_account_capacity"],
    versioned: true,
  }),
  listVersions: route("get", "/client/instance/:instance_id/versions", {
    summary: "List the versions that an instance can get",
    callers: ROOTS_AND_TENANT_USERS,
    params: byId,
    answer: instanceVersions,
    versioned: true,
  }),
  changeVersion: route("put", "/client/instance/:instance_id/version", {
    summary: "Change the version of an instance",
    callers: ROOT_AND_ADMINS,
    params: byId,
    body: z
      .strictObject({
        /** Null: the platform's image, only for platform roots. */
        image_id: z.uuid().nullable().optional(),
        /** Null: the automation service's own Worker. Only for platform roots. */
        worker_bundle_id: z.uuid().nullable().optional(),
        /** Restored if the current state is too new for the image. */
        backup_id: backupId.optional(),
        /** `window`: when the maintenance window opens next, or now while it is open. */
        start: z.enum(["now", "window"]).default("now"),
      })
      .refine(
        (body) => body.image_id !== undefined || body.worker_bundle_id !== undefined,
        "Specify an image, a Worker, or both.",
      ),
    answer: job,
    status: 202,
    refusals: ["conflict", "forbidden", "managed_by_git"],
    versioned: true,
  }),
  pinInstance: route("put", "/client/instance/:instance_id/pin", {
    summary: "Pin or unpin the version of an instance",
    callers: ROOT_AND_ADMINS,
    params: byId,
    body: z.strictObject({ pinned: z.boolean() }),
    answer: instance,
    refusals: ["forbidden", "managed_by_git"],
    versioned: true,
  }),
  rotateToken: route("post", "/client/instance/:instance_id/rotate-token", {
    summary: "Rotate the token of a gateway",
    callers: BOTH_ROOTS,
    params: byId,
    answer: job,
    status: 202,
    refusals: ["conflict", "managed_by_git"],
  }),
  getInstanceHealth: route("get", "/client/instance/:instance_id/health", {
    summary: "Get the health of an instance",
    callers: ROOTS_AND_TENANT_USERS,
    params: byId,
    answer: instanceHealth,
  }),
  getInstanceAvailability: route("get", "/client/instance/:instance_id/availability", {
    summary: "Get the availability of an instance by day",
    callers: ROOTS_AND_TENANT_USERS,
    params: byId,
    answer: z.object({
      /** Those of the last 30 days that have probes, oldest first, in UTC. */
      data: z.array(
        z.object({
          day: z.iso.date(),
          samples: z.number().int().positive(),
          ready: z.number().int().nonnegative(),
          mean_latency_ms: z.number().int().nonnegative(),
        }),
      ),
    }),
  }),
  restartInstance: route("post", "/client/instance/:instance_id/restart", {
    summary: "Restart an instance's gateway",
    callers: ROOTS_AND_ADMINS,
    params: byId,
    answer: z.object({ restarting: z.literal(true) }),
    status: 202,
    refusals: ["conflict", "gateway_unavailable", "tenant_unavailable"],
  }),
  backUpInstance: route("post", "/client/instance/:instance_id/backup", {
    summary: "Back up an instance",
    callers: ROOTS_AND_ADMINS,
    params: byId,
    answer: z.object({
      /** `nothing`: the instance has no state to back up. */
      state: z.enum(["made", "nothing", "under_way"]),
      backup: backup.nullable(),
    }),
    refusals: ["conflict", "gateway_unavailable", "tenant_unavailable"],
  }),
  sleepInstance: route("post", "/client/instance/:instance_id/sleep", {
    summary: "Put an instance to sleep",
    callers: ROOTS_AND_ADMINS,
    params: byId,
    body: z.strictObject({
      /** Wakes the instance as for a scheduled job. Default: only jobs of its gateway and requests wake it. */
      wake_after_seconds: wakeAfterSeconds.optional(),
    }),
    answer: z.object({
      state: z.enum(["asleep", "under_way"]),
      /** When it wakes without a request; null if never, or unknown. */
      wakes_at: instant.nullable(),
    }),
    refusals: ["conflict", "gateway_unavailable", "tenant_unavailable"],
  }),
  wakeInstance: route("post", "/client/instance/:instance_id/wake", {
    summary: "Wake an instance",
    callers: ROOTS_AND_TENANT_USERS,
    params: byId,
    answer: z.object({ state: z.enum(["awake", "starting"]) }),
    status: 202,
    refusals: ["conflict", "gateway_unavailable", "tenant_unavailable"],
  }),
  listBackups: route("get", "/client/instance/:instance_id/backups", {
    summary: "List an instance's backups",
    callers: ROOTS_AND_ADMINS,
    params: byId,
    answer: z.object({
      data: z.array(listedBackup),
      /** What prevents backups or restores, if anything. */
      trouble: z
        .object({ kind: z.string(), reason: z.string(), since: instant, remedy: z.string().nullable() })
        .nullable(),
      /** Which backups stay; null if the tenant's Worker does not report it. */
      retention: z
        .object({
          count: z.number().int(),
          days: z.number(),
          /** Total size; null for no limit. */
          bytes: z.number().int().nullable(),
          /** Most kept backups. */
          kept: z.number().int(),
        })
        .nullable(),
    }),
    refusals: ["conflict", "gateway_unavailable", "tenant_unavailable"],
  }),
  downloadBackup: route("get", "/client/instance/:instance_id/backups/:backup_id", {
    summary: "Download a backup",
    callers: ROOTS_AND_ADMINS,
    params: byId.extend({ backup_id: backupId }),
    produces: ["application/gzip"],
    refusals: ["conflict", "gateway_unavailable", "tenant_unavailable"],
  }),
  restoreBackup: route("post", "/client/instance/:instance_id/restore", {
    summary: "Restore a backup",
    callers: ROOTS_AND_ADMINS,
    params: byId,
    body: z.strictObject({
      backup_id: backupId,
      /** Discards the current state if it cannot be backed up. */
      discard_present: z.boolean().default(false),
    }),
    answer: job,
    status: 202,
    refusals: ["conflict"],
  }),
  getInstanceFile: route("get", "/client/instance/:instance_id/file", {
    summary: "Get the stack file of an instance",
    callers: BOTH_ROOTS,
    params: byId,
    answer: instanceFile,
  }),
  getInstanceLog: route("get", "/client/instance/:instance_id/log", {
    summary: "Get the log of an instance",
    callers: ROOTS_AND_ADMINS,
    params: byId,
    answer: z.object({ lines: z.array(z.string()) }),
    refusals: ["conflict", "gateway_unavailable", "tenant_unavailable"],
  }),
  assignGateway: route("post", "/api/instances/:id/assign-gateway", {
    summary: "Move an instance to another AI gateway",
    callers: ROOT_ONLY,
    params: z.object({ id: z.uuid() }),
    body: z
      .strictObject({ ai_gateway_id: gatewayId.optional(), ai_gateway_pool_id: z.uuid().optional() })
      .refine(
        (body) => Object.values(body).some((value) => value !== undefined),
        "Specify a gateway by one of its IDs.",
      ),
    answer: job,
    status: 202,
    refusals: ["conflict", "managed_by_git", "no_ai_gateway_capacity"],
  }),
});
