import { imageRoutes } from "#workers/contracts/api/tenants/images.ts";
import { type Rollout, rolloutRoutes } from "#workers/contracts/api/tenants/rollouts.ts";
import { ACME, BACKUP_ID, IDS, image, queuedJob, ROOT_EMAIL, workerBundle } from "../examples.ts";
import { section } from "../section.ts";

const params = { id: IDS.rollout };

const rollout: Rollout = {
  id: IDS.rollout,
  image_id: IDS.image,
  worker_bundle_id: null,
  waves: [10, 50, 100],
  soak_minutes: 30,
  notice_hours: 24,
  urgent: false,
  status: "running",
  wave: 1,
  cause: null,
  requested_by: ROOT_EMAIL,
  tenants: { done: 2, announced: 10 },
  created_at: "2026-11-02T16:00:00.000Z",
  updated_at: "2026-11-02T16:45:00.000Z",
  ended_at: null,
  version: 2,
};
const created = { ...rollout, wave: 0, tenants: { waiting: 12 }, updated_at: rollout.created_at, version: 1 };
const WITHDRAWN_DEFAULT = "A withdrawn version cannot be the default of new tenants.";

export const versionSection = section(
  { ...imageRoutes, ...rolloutRoutes },
  "Versions and rollouts",
  "A tenant runs a container image and a Worker. The catalogue lists the versions that tenants can get, and a rollout brings one of them to many tenants in waves.",
  {
    listImages: {
      description:
        "Returns all images of the catalogue, newest first, also withdrawn ones, with the number of tenants that run each.",
      answer: { data: [image] },
    },
    addImage: {
      description:
        "Adds an image to the catalogue. Tenants do not change: use `changeVersion` for one tenant, or `createRollout` for many. The image is not pulled or checked.",
      body: { reference: image.reference, gateway_version: image.gateway_version, note: image.note },
      answer: { ...image, default: false, tenants: 0 },
      errors: { conflict: "The catalogue already has an image with this reference." },
    },
    updateImage: {
      description:
        "Changes the note of an image, or its release notes, which users of tenants read; withdraws it, or makes it the default of new tenants. Tenants that run a withdrawn image keep it.",
      params: { id: IDS.image },
      body: { default: true },
      answer: { ...image, version: 2 },
      errors: { conflict: WITHDRAWN_DEFAULT },
    },
    listWorkerBundles: {
      description:
        "Returns the Workers that tenants can get, newest first. The automation service adds its own with each release; they cannot be uploaded here. `others` counts the tenants that run another Worker, or have not reported theirs.",
      answer: {
        data: [workerBundle],
        others: [{ declared_in: "Pulumi.prod-globex.yaml", content_hash: "9f2c".repeat(16), tenants: 2 }],
      },
    },
    updateWorkerBundle: {
      description:
        "Withdraws a Worker, or makes it the default of new tenants. Tenants that run a withdrawn Worker keep it.",
      params: { id: IDS.worker },
      body: { withdrawn: true, default: false },
      answer: { ...workerBundle, default: false, withdrawn_at: "2026-11-02T16:00:00.000Z", version: 2 },
      errors: { conflict: WITHDRAWN_DEFAULT },
    },
    listRollouts: {
      description: "Returns all rollouts with their progress, newest first, also ended ones.",
      answer: { data: [rollout], pagination: { next: null } },
    },
    getRollout: {
      description:
        "Returns a rollout with its progress by wave, and up to 500 of its tenants. Filter the tenants by `status` to find those that failed.",
      params,
      answer: {
        ...rollout,
        by_wave: [
          { wave: 0, tenants: { done: 1 } },
          { wave: 1, tenants: { done: 1, announced: 10 } },
        ],
        members: [
          {
            instance_id: IDS.instance,
            client: { id: ACME.id, slug: ACME.slug },
            wave: 1,
            status: "done",
            not_before: "2026-11-02T16:00:00.000Z",
            changed_at: "2026-11-02T16:40:00.000Z",
            job_id: queuedJob("adopt_version").id,
            backup_id: BACKUP_ID,
            cause: null,
          },
        ],
      },
    },
    createRollout: {
      description:
        "Starts a rollout of an image, a Worker, or both to the tenants of the dashboard. Canaries change first, then one wave after another, each once the previous one was healthy for `soak_minutes`. Administrators get a notice before an interruption, and maintenance windows are respected, unless `urgent` is true. If a tenant fails, its wave is rolled back and the rollout ends.",
      body: { image_id: IDS.image, waves: [10, 50, 100], soak_minutes: 30 },
      answer: { ...created, passed_by: { git: 3, pinned: 1, not_running: 0 } },
      errors: {
        conflict:
          "Another rollout is open, the version is withdrawn, no tenant can get it, or tenants have a state of a newer gateway.",
      },
    },
    pauseRollout: {
      description: "Pauses a rollout. Changes of tenants that already started are finished; no others start.",
      params,
      answer: { ...rollout, status: "paused", version: 3 },
      errors: { conflict: "The rollout is not running." },
    },
    resumeRollout: {
      description: "Continues a paused rollout with the next tenant of its current wave.",
      params,
      answer: { ...rollout, version: 4 },
      errors: { conflict: "The rollout is not paused." },
    },
    stopRollout: {
      description:
        "Ends a rollout. Tenants that have the new version keep it, and the others keep theirs. A stopped rollout cannot be resumed; it can be rolled back.",
      params,
      answer: { ...rollout, status: "stopped", ended_at: "2026-11-02T17:00:00.000Z", version: 3 },
      errors: { conflict: "The rollout has already ended or is rolling back." },
    },
    rollBackRollout: {
      description:
        "Returns each tenant of a rollout to the version that it had before, also after the rollout ended. A tenant whose state is too new for that version gets the backup from before its change.",
      params,
      answer: { ...rollout, status: "rolling_back", version: 3 },
      errors: { conflict: "The rollout is already rolled back or rolling back, or another rollout is open." },
    },
  },
);
