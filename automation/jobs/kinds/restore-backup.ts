/**
 * A chosen backup in place of a tenant's present state, which is backed up before; the gateway is ready again when it ends. The order that
 * the tenant is given has the job's name, so that a job that is run again, as its process was killed, neither restores a second time over
 * what was done since nor backs up anew.
 */
import * as z from "zod";
import { isNoted, noteJob } from "#database/work/jobs.ts";
import { type RestoredBackup, TenantRefusal } from "../../outside/dispatch-worker.ts";
import { TaskError } from "../../task.ts";
import type { JobKind } from "../kind.ts";
import { JobOvertaken, JobRefused } from "../refusals.ts";
import { failing, tenantOf } from "./deploying.ts";
import { startGateway } from "./starting.ts";

/** What the API asks for. */
const wanted = z.object({ backup_id: z.string(), discard_present: z.boolean() });

const RESTORED = "restored";

export const restoreBackup: JobKind = {
  name: "restore_backup",
  late: "The gateway was not ready again by its deadline. The job's events tell whether the backup is restored, and the instance's log what keeps it from starting.",
  async run(job, { dispatch }, run) {
    const { backup_id, discard_present: discardPresent } = wanted.parse(job.payload);
    const { slug, status } = await tenantOf(job, run, "anybody");
    if (status !== "running") throw new JobOvertaken(`The instance is ${status} by now.`);
    if (!(await isNoted(run.db, job.id, RESTORED))) {
      const restored = await dispatch
        .restore(slug, backup_id, { discardPresent, order: job.id }, run.signal)
        .catch((error: unknown) => {
          throw error instanceof TenantRefusal ? new JobRefused(error.message) : error;
        });
      await noteJob(run.db, job.id, RESTORED, told(restored), {
        backup_id: restored.restored,
        ...(restored.present !== null && { present_id: restored.present }),
      });
    }
    const { ready, why } = await startGateway(slug, dispatch, run.signal);
    if (!ready)
      throw new TaskError(
        `Backup ${backup_id} is in place, and the gateway is not ready yet: ${why ?? "it tells nothing"}.`,
      );
  },
  ...failing(
    (cause) =>
      `A restore failed: ${cause} The job's events tell whether the backup is in place and as which one the state before is kept; mend what is told and ask again, or restore another.`,
    "anybody",
  ),
};

const told = ({ restored, present }: RestoredBackup): string =>
  present === null
    ? `Backup ${restored} is in place. No other backup of the state before was made: nothing ran, or it was given up.`
    : `Backup ${restored} is in place. The state before is kept as backup ${present}.`;
