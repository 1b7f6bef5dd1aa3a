/** Restores a backup and waits for the gateway. The order has the job's id, so that a repeated job does not restore twice. */
import * as z from "zod";
import { addJobEvent, hasJobEvent } from "#database/work/jobs.ts";
import type { RestoredBackup } from "../../outside/dispatch-worker.ts";
import { TaskError } from "../../task.ts";
import type { JobKind } from "../kind.ts";
import { JobOvertaken } from "../refusals.ts";
import { orRefuse, reportFailureToTenant, tenantOf } from "./deploying.ts";
import { startGateway } from "./starting.ts";

const wanted = z.object({ backup_id: z.string(), discard_present: z.boolean() });

const RESTORED = "restored";

export const restoreBackup: JobKind = {
  name: "restore_backup",
  late: "The gateway was not ready by the deadline. The job's events show whether the backup is restored, and the instance's log why the gateway does not start.",
  async run(job, { dispatch }, run) {
    const { backup_id, discard_present: discardPresent } = wanted.parse(job.payload);
    const { slug, status } = await tenantOf(job, run, "anybody");
    if (status !== "running") throw new JobOvertaken(`The instance is ${status} now.`);
    if (!(await hasJobEvent(run.db, job.id, RESTORED))) {
      const how = { discardPresent, order: job.id };
      const restored = await orRefuse(dispatch.restore(slug, backup_id, how, run.signal));
      await addJobEvent(run.db, job.id, RESTORED, restoredText(restored), {
        backup_id: restored.restored,
        ...(restored.present !== null && { present_id: restored.present }),
      });
    }
    const { ready, why } = await startGateway(slug, dispatch, run.signal);
    if (!ready)
      throw new TaskError(
        `Backup ${backup_id} is restored, but the gateway is not ready: ${why ?? "it reports no cause"}.`,
      );
  },
  ...reportFailureToTenant(
    (cause) =>
      `The restore failed: ${cause} The job's events show whether the backup is restored, and which backup has the former state. Correct the cause and request it again, or restore another backup.`,
    "anybody",
  ),
};

const restoredText = ({ restored, present }: RestoredBackup): string =>
  present === null
    ? `Backup ${restored} is restored. The former state was not backed up: no gateway ran, or the state was discarded.`
    : `Backup ${restored} is restored. Backup ${present} has the former state.`;
