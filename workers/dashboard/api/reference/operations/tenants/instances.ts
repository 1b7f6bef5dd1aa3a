import { instanceRoutes } from "#workers/contracts/api/instances/instances.ts";
import {
  ACME,
  BACKUP_ID,
  busyInstance,
  DOMAIN,
  IDS,
  image,
  incident,
  instance,
  PROVISIONED,
  queuedJob,
  ROOT_EMAIL,
} from "../examples.ts";
import { section } from "../section.ts";

const params = { instance_id: IDS.instance };
const BUSY = "Another job of the instance is queued or running.";
const NOT_DEPLOYED = "The instance is still being provisioned, is being removed, or is in error.";
const NO_WORKER = "The tenant has no Worker, because its instance was not provisioned.";
const GIGABYTE = 1_000_000_000;
const healthy = { startup_ok: true, readiness_ok: true, liveness_ok: true };
const backup = { id: BACKUP_ID, created_at: "2026-11-02T14:15:00.000Z", bytes: 48_210_944 };

export const instanceSection = section(
  instanceRoutes,
  "Instances",
  "An instance is the deployed gateway of a client: a Worker, a container, a backup bucket and a binding to an AI gateway. Most changes are jobs, which the automation service runs after the response.",
  {
    createInstance: {
      description:
        "Queues the job `provision`, which deploys the Worker, container, bucket and login of a client's instance in a few minutes. The response has the new instance in the status `provisioning` with its job. Follow the job with `getJob`. Send the same request again if the provisioning failed.",
      body: { client_id: IDS.client },
      answer: busyInstance("provision", {
        status: "provisioning",
        state_cause: `Provisioning was requested by ${ROOT_EMAIL} and is queued; nothing is deployed yet.`,
        state_deadline: "2026-11-02T09:30:00.000Z",
        generation: 1,
        runs: { ...instance.runs, reported: null, as_wanted: null },
        version: 1,
      }),
      errors: {
        conflict:
          "The client already has an instance that is not in error, is deleted, or its former instance is still being removed.",
        forbidden: "A partner root chose an AI gateway or `use_kept_backups`.",
      },
    },
    getInstance: {
      description:
        "Returns an instance: its status, AI gateway, the versions that it should run and reports, and its open job. For its current health use `getInstanceHealth`.",
      params,
      answer: instance,
    },
    removeInstance: {
      description:
        "Stops an instance at once and queues the job `deprovision`, which removes its Worker, container and login and releases its AI gateway. In production it first takes a final backup, and keeps the bucket. Messages in the inbox are deleted: export them first (`GET /api/instances/{instance_id}/inbox/export`). The client stays and can get a new instance.",
      params,
      answer: busyInstance("deprovision", {
        status: "stopped",
        state_cause: `Removal was requested by ${ROOT_EMAIL}.`,
      }),
      errors: { conflict: "The instance is already being removed, or another operation on it is running." },
    },
    changeWorkerPlan: {
      description:
        "Changes the billing plan of the instance's client and queues the job `change_plan`, which redeploys the Worker with the limits and container of the plan. The gateway restarts once. Without a difference nothing happens. An ADMIN of the client may do so while the instance runs; `listPlans` returns the prices.",
      params: { ...params, plan_type: "pro" },
      answer: busyInstance("change_plan", { billing_plan: "pro" }),
      errors: { conflict: BUSY },
    },
    listVersions: {
      description:
        "Returns the version that an instance runs, who pinned it, the versions that the platform offers it with their release notes, the next opening of the maintenance window, and an open change of the version.",
      params,
      answer: {
        running: { gateway: image.gateway, gateway_version: image.gateway_version, since: PROVISIONED },
        release_notes: image.release_notes,
        pin: null,
        canary: false,
        newer_id: null,
        offered: [
          {
            ...{ id: IDS.image, gateway: image.gateway, gateway_version: image.gateway_version },
            ...{ release_notes: image.release_notes, age: "current", default: true, added_at: image.created_at },
          },
        ],
        window: { from: "2026-11-07T02:00:00.000Z", until: "2026-11-07T04:00:00.000Z" },
        rollout_from: null,
        change: null,
        refusal: null,
        version: instance.version,
      },
    },
    changeVersion: {
      description:
        "Queues the job `adopt_version`, which backs up the instance, changes its image or Worker, and waits until the gateway is healthy. If it does not become healthy, the job restores the previous version. Send `backup_id` for an image that is older than the instance's state. With `start` set to `window` the job starts in the maintenance window; cancel it with `cancelJob` before. An ADMIN of the client may choose an offered image (`listVersions`).",
      params,
      body: { image_id: IDS.image },
      answer: queuedJob("adopt_version"),
      errors: {
        conflict: `${NOT_DEPLOYED} Or another job is open, the version is withdrawn, or the state is of a newer gateway than the image's. Or the client has no maintenance window.`,
        forbidden: "An ADMIN chose a Worker or the platform's image, or an operator pinned the version.",
      },
    },
    pinInstance: {
      description:
        "Pins an instance to its image and Worker, so that rollouts skip it, or unpins it. The versions themselves do not change. An ADMIN of the client may do so too, but cannot undo the pin of an operator.",
      params,
      body: { pinned: true },
      answer: { ...instance, runs: { ...instance.runs, pinned: true }, version: 5 },
      errors: { forbidden: "An ADMIN tried to undo the pin of an operator." },
    },
    rotateToken: {
      description:
        "Queues the job `rotate_token`, which replaces the token that the Worker sends to the gateway, and restarts the gateway. Logins of users do not change.",
      params,
      answer: queuedJob("rotate_token"),
      errors: { conflict: `${NOT_DEPLOYED} Or another job is open.` },
    },
    getInstanceHealth: {
      description:
        "Probes the gateway now, without waking it, and returns the result with heartbeat, resources, the last 24 hours and open incidents. A failed probe is part of the response and no error.",
      params,
      answer: {
        status: "running",
        state_cause: null,
        state_deadline: null,
        generation: 1,
        gateway: {
          state: "up",
          phase: "running",
          reason: null,
          probes: { ...healthy, had_backup: true, restored: true, latency_ms: 42 },
        },
        heartbeat: { at: "2026-11-02T14:59:30.000Z", reason: null },
        sandbox: {
          state: "awake",
          disk: { used_bytes: 1.2 * GIGABYTE, total_bytes: 8 * GIGABYTE },
          memory: { used_bytes: 0.8 * GIGABYTE, total_bytes: 4 * GIGABYTE },
          warnings: [],
          sleep: {
            ...{ after_seconds: 1800, remaining_seconds: 1260, with_channels: false },
            ...{ kept_awake: null, next_job_at: null, wakes_at: null },
          },
          channels: [
            {
              ...{
                messenger: "irc",
                label: "IRC",
                account: "default",
                condition: "online",
                reason: null,
                cause: null,
                remedy: null,
              },
              ...{ is_own: true, keeps_awake: true, webhook_kind: null },
            },
          ],
        },
        latest: { at: "2026-11-02T14:59:00.000Z", ...healthy, latency_ms: 38 },
        history: [
          {
            at: "2026-11-02T14:55:00.000Z",
            samples: 5,
            started: 5,
            ready: 5,
            alive: 5,
            mean_latency_ms: 40,
            max_latency_ms: 61,
          },
        ],
        incidents: [incident],
      },
    },
    getInstanceAvailability: {
      description:
        "Returns how many of each day's probes found the gateway ready, for the last 30 days. Days without probes are absent: the instance slept, was frozen or did not exist.",
      params,
      answer: { data: [{ day: "2026-11-02", samples: 1440, ready: 1438, mean_latency_ms: 41 }] },
    },
    restartInstance: {
      description:
        "Restarts the gateway process and returns before it is ready. The gateway's data stays. Follow the restart with `getInstanceHealth`.",
      params,
      answer: { restarting: true },
      errors: { conflict: "The instance is frozen or stopped." },
    },
    backUpInstance: {
      description:
        "Backs up the state of an instance, in addition to the automatic backups. `state` is `made` with the backup, `nothing` without state to back up, or `under_way` if the backup takes longer than 20 seconds and continues.",
      params,
      answer: { state: "made", backup },
      errors: { conflict: "The tenant has no Worker, or its state must not be backed up. The message has the reason." },
    },
    sleepInstance: {
      description:
        "Puts an instance to sleep now, as its plan does after idle time: its state is backed up, and its container stops. Open connections end, and connected channels do not prevent it. `state` is `under_way` if the backup takes longer than 20 seconds and continues. The next request wakes the instance.",
      params,
      body: { wake_after_seconds: 3600 },
      answer: { state: "asleep", wakes_at: "2026-11-02T16:00:00.000Z" },
      errors: {
        conflict:
          "The instance is frozen or stopped, its plan keeps it awake, or sleep would interrupt its work. The message has the reason.",
      },
    },
    wakeInstance: {
      description:
        "Wakes a sleeping instance, as opening the agent does, and returns before the gateway is ready. It has no effect on one that runs. Follow the start with `getInstanceHealth`.",
      params,
      answer: { state: "starting" },
      errors: { conflict: `The instance is frozen or stopped. Or: ${NOT_DEPLOYED.toLowerCase()}` },
    },
    listBackups: {
      description:
        "Returns the stored backups of an instance, newest first, also while it is frozen. `trouble` says what prevents new backups or restores. Old backups are deleted by count, age and total size; the newest is always kept.",
      params,
      answer: {
        data: [
          {
            ...backup,
            gateway: { name: image.gateway, version: image.gateway_version },
            reason: "requested",
            by: ROOT_EMAIL,
            role: "ROOT",
            kept: false,
          },
        ],
        trouble: null,
        retention: { count: 96, days: 30, bytes: null, kept: 5 },
      },
      errors: { conflict: NO_WORKER },
    },
    downloadBackup: {
      description:
        "Returns a backup as a gzip-compressed tar archive with the gateway's files. The download works in any state of the instance, and is recorded as an event with the caller.",
      params: { ...params, backup_id: BACKUP_ID },
      errors: { conflict: "The backup is damaged, or the tenant has no Worker." },
    },
    restoreBackup: {
      description:
        "Queues the job `restore_backup`, which backs up the current state, replaces the container and restores the backup into it. The gateway is unavailable meanwhile. If the current state cannot be backed up, the job fails unless `discard_present` is true.",
      params,
      body: { backup_id: BACKUP_ID },
      answer: queuedJob("restore_backup"),
      errors: { conflict: `The instance is not running. Or: ${BUSY.toLowerCase()}` },
    },
    getInstanceFile: {
      description:
        "Returns the stack file that declares the instance in Git. For an instance of the dashboard it is the file that a handover to Git would write. It never contains secrets.",
      params,
      answer: {
        path: "Pulumi.prod-acme.yaml",
        text: "config:\n  tenantry:clients:\n    acme:\n      plan: basic\n",
        whole: true,
      },
    },
    getInstanceLog: {
      description:
        "Returns the latest lines of the gateway's log, oldest first, as the administrators of the tenant see them.",
      params,
      answer: {
        lines: [
          "2026-11-02T14:58:12Z info gateway listening",
          `2026-11-02T14:58:14Z info channel slack connected for ${ACME.slug}.${DOMAIN}`,
        ],
      },
      errors: { conflict: NO_WORKER },
    },
    assignGateway: {
      description:
        "Queues the job `assign_gateway`, which binds the instance to another AI gateway. Name a gateway of the pool by `ai_gateway_pool_id`, or any by `ai_gateway_id`. The slot of the current gateway is released once the new one works.",
      params: { id: IDS.instance },
      body: { ai_gateway_pool_id: IDS.pool },
      answer: queuedJob("assign_gateway"),
      errors: {
        conflict:
          "The instance is in error, already binds this gateway, or has an open job; or the gateway belongs to another tenant or is disabled.",
      },
    },
  },
);
