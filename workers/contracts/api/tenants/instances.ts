/** Instances, by the API. */
import * as z from "zod";
import { instant } from "#domain/entities/entity.ts";
import { instance } from "#domain/entities/instance.ts";
import { job } from "#domain/entities/job.ts";
import { plans } from "#domain/plans/plan.ts";
import { backupId } from "../../tenant/backup.ts";
import { gatewayVersion } from "../../tenant/sandbox.ts";
import { BOTH_ROOTS, ROOT_ONLY, route, routes } from "../route.ts";
import { instanceHealth } from "./instance-health.ts";

/** An id as Cloudflare gives AI gateways. */
const gatewayId = z
  .string()
  .trim()
  .regex(/^[a-z0-9_-]{1,64}$/, "is no AI gateway's id: up to 64 small letters, digits, hyphens and underscores");

export type Instance = z.infer<typeof instance>;
export type Runs = Instance["runs"];

const byId = z.object({ instance_id: z.uuid() });

const listedBackup = z.object({
  id: z.string(),
  created_at: instant,
  bytes: z.number().int().nonnegative(),
  /** Which gateway wrote the state; null where it did not tell. */
  gateway: gatewayVersion.nullable(),
});

const backup = z.object({ id: z.string(), created_at: instant, bytes: z.number().int().nonnegative() });

/** The file of a stack in Git, as the database knows what it declares: comments and encryption are in the repository alone. */
const instanceFile = z.object({
  /** In the repository. */
  path: z.string(),
  /** YAML. Of the platform's stack, which it names, a partner root is not told. */
  text: z.string(),
  /** Whether it is all that the file declares; a stack of more than this tenant is shown as far as it is about this one. */
  whole: z.boolean(),
});
export type InstanceFile = z.infer<typeof instanceFile>;

export const instanceRoutes = routes("instances", {
  createInstance: route("post", "/client/instance/create", {
    summary: "Provision a client's one instance, or anew one whose provisioning failed",
    callers: BOTH_ROOTS,
    body: z.strictObject({
      client_id: z.uuid(),
      /** The gateway to bind, by a platform root alone. Default: that of an instance in error, else the pool's emptiest. */
      ai_gateway_id: gatewayId.optional(),
      ai_gateway_pool_id: z.uuid().optional(),
      /**
       * Starts from the newest backup in the bucket that an earlier client with this slug left; by a platform root alone. Without it
       * provisioning fails where there is such a bucket.
       */
      use_kept_backups: z.boolean().optional(),
    }),
    answer: instance,
    status: 202,
    refusals: ["conflict", "forbidden", "managed_by_git", "no_account_capacity", "no_ai_gateway_capacity"],
  }),
  getInstance: route("get", "/client/instance/:instance_id", {
    summary: "Get an instance",
    callers: BOTH_ROOTS,
    params: byId,
    answer: instance,
    versioned: true,
  }),
  removeInstance: route("delete", "/client/instance/:instance_id", {
    summary: "Remove an instance: it stops at once, is backed up for the last time in production, and its client stays",
    callers: BOTH_ROOTS,
    params: byId,
    query: z.object({
      /** Goes on when its state cannot be backed up; the removal fails then otherwise, and nothing is removed. */
      discard_state: z.enum(["true", "false"]).default("false"),
    }),
    answer: instance,
    status: 202,
    refusals: ["conflict", "managed_by_git"],
    versioned: true,
  }),
  changeWorkerPlan: route("put", "/client/instance/:instance_id/worker-plan/:plan_type", {
    summary: "Change the plan of an instance's Worker, which is its client's",
    callers: BOTH_ROOTS,
    params: byId.extend({ plan_type: z.enum(plans) }),
    answer: instance,
    status: 202,
    refusals: ["conflict", "managed_by_git", "no_account_capacity"],
    versioned: true,
  }),
  changeVersion: route("put", "/client/instance/:instance_id/version", {
    summary: "Give an instance another image or Worker, backed up before; it goes back by itself if that does not run",
    callers: ROOT_ONLY,
    params: byId,
    body: z
      .strictObject({
        /** Null: the platform's image. */
        image_id: z.uuid().nullable().optional(),
        /** Null: the automation service's own Worker. */
        worker_bundle_id: z.uuid().nullable().optional(),
        /** Restored where the present state is too new for the image. */
        backup_id: backupId.optional(),
      })
      .refine(
        (body) => body.image_id !== undefined || body.worker_bundle_id !== undefined,
        "Name an image, a Worker, or both.",
      ),
    answer: job,
    status: 202,
    refusals: ["conflict", "managed_by_git"],
  }),
  pinInstance: route("put", "/client/instance/:instance_id/pin", {
    summary: "Pin an instance to what it runs, so that roll-outs pass it by, or let them reach it",
    callers: ROOT_ONLY,
    params: byId,
    body: z.strictObject({ pinned: z.boolean() }),
    answer: instance,
    refusals: ["managed_by_git"],
    versioned: true,
  }),
  rotateToken: route("post", "/client/instance/:instance_id/rotate-token", {
    summary: "Make a gateway's token anew, which restarts the gateway",
    callers: BOTH_ROOTS,
    params: byId,
    answer: job,
    status: 202,
    refusals: ["conflict", "managed_by_git"],
  }),
  getInstanceHealth: route("get", "/client/instance/:instance_id/health", {
    summary: "Whether an instance's gateway is up, its heartbeat, resources, history and incidents",
    callers: BOTH_ROOTS,
    params: byId,
    answer: instanceHealth,
  }),
  restartInstance: route("post", "/client/instance/:instance_id/restart", {
    summary: "Restart an instance's gateway",
    callers: BOTH_ROOTS,
    params: byId,
    answer: z.object({ restarting: z.literal(true) }),
    status: 202,
    refusals: ["conflict", "gateway_unavailable", "tenant_unavailable"],
  }),
  backUpInstance: route("post", "/client/instance/:instance_id/backup", {
    summary: "Back an instance's state up now; one that takes longer than 20 s goes on by itself",
    callers: BOTH_ROOTS,
    params: byId,
    answer: z.object({
      /** `nothing`: there is no state to back up. */
      state: z.enum(["made", "nothing", "under_way"]),
      backup: backup.nullable(),
    }),
    refusals: ["conflict", "gateway_unavailable", "tenant_unavailable"],
  }),
  listBackups: route("get", "/client/instance/:instance_id/backups", {
    summary: "List an instance's backups, newest first",
    callers: BOTH_ROOTS,
    params: byId,
    answer: z.object({
      data: z.array(listedBackup),
      /** What keeps backups from being made or restored, if anything does. */
      trouble: z
        .object({ kind: z.string(), reason: z.string(), since: instant, remedy: z.string().nullable() })
        .nullable(),
    }),
    refusals: ["gateway_unavailable", "tenant_unavailable"],
  }),
  downloadBackup: route("get", "/client/instance/:instance_id/backups/:backup_id", {
    summary: "Download a backup: the instance's data, whatever state it is in",
    callers: BOTH_ROOTS,
    params: byId.extend({ backup_id: backupId }),
    produces: ["application/gzip"],
    refusals: ["conflict", "gateway_unavailable", "tenant_unavailable"],
  }),
  restoreBackup: route("post", "/client/instance/:instance_id/restore", {
    summary: "Restore a backup into a fresh container; the present state is backed up first",
    callers: BOTH_ROOTS,
    params: byId,
    body: z.strictObject({
      backup_id: backupId,
      /** Gives the present state up for good if it cannot be backed up first. */
      discard_present: z.boolean().default(false),
    }),
    answer: job,
    status: 202,
    refusals: ["conflict"],
  }),
  getInstanceFile: route("get", "/client/instance/:instance_id/file", {
    summary: "The stack file that declares an instance in Git, or would if the dashboard's were handed over",
    callers: BOTH_ROOTS,
    params: byId,
    answer: instanceFile,
  }),
  getInstanceLog: route("get", "/client/instance/:instance_id/log", {
    summary: "The latest lines of an instance's log, as its administrators see it",
    callers: BOTH_ROOTS,
    params: byId,
    answer: z.object({ lines: z.array(z.string()) }),
    refusals: ["gateway_unavailable", "tenant_unavailable"],
  }),
  assignGateway: route("post", "/api/instances/:id/assign-gateway", {
    summary: "Move an instance to another AI gateway; its present one is freed once the new one works",
    callers: ROOT_ONLY,
    params: z.object({ id: z.uuid() }),
    body: z
      .strictObject({ ai_gateway_id: gatewayId.optional(), ai_gateway_pool_id: z.uuid().optional() })
      .refine((body) => Object.values(body).some((value) => value !== undefined), "Name a gateway by one of its ids."),
    answer: job,
    status: 202,
    refusals: ["conflict", "managed_by_git", "no_ai_gateway_capacity"],
  }),
});
