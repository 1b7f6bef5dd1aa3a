/** Holds what tenants say that they run against what they are to run: each hour, without waking any. */
import * as z from "zod";
import { closeIncident, openIncident } from "#database/health/incidents.ts";
import { polledInstances } from "#database/health/polled-instances.ts";
import { type Difference, noteStarted, storeReport, versionDifferences } from "#database/versions/versions.ts";
import { requestJob } from "#database/work/job-request.ts";
import type { Environment } from "#domain/environment.ts";
import { sandboxStatus } from "#workers/contracts/tenant/sandbox-status.ts";
import type { DispatchWorker } from "../outside/dispatch-worker.ts";
import { type Run, type Task, task } from "../task.ts";

const PAGE = 500;
const LOOK_MS = 10_000;
/** Kind of the incident of a tenant that runs another version than it is wanted to. */
const VERSION_DIFFERS = "version_differs";
const REMEDY =
  "It is deployed again once by itself. If it differs still, look at the job's events, and whether the catalogue tells the right version of its image (GET /images).";

export function readVersionsTask(environment: Environment, dispatch: Pick<DispatchWorker, "status">): Task {
  return task("read_versions", z.unknown(), async (_payload, run) => {
    // First: what these tell from now on is of a start with their present version.
    await noteStarted(run.db, environment);
    let after: string | undefined;
    for (;;) {
      const page = await polledInstances(run.db, environment, { after, limit: PAGE });
      for (const { id, slug } of page) {
        if (run.signal.aborted) return;
        const signal = AbortSignal.any([run.signal, AbortSignal.timeout(LOOK_MS)]);
        // Whoever does not answer has an incident of its own.
        const { data: status } = sandboxStatus.safeParse(await dispatch.status(slug, signal).catch(() => undefined));
        if (status !== undefined) await storeReport(run.db, id, status);
      }
      after = page.at(-1)?.id;
      if (page.length < PAGE) break;
    }
    await followDifferences(environment, run);
  });
}

async function followDifferences(environment: Environment, { db, log }: Run): Promise<void> {
  const { differing, same } = await versionDifferences(db, environment, VERSION_DIFFERS);
  for (const id of same) await closeIncident(db, id, VERSION_DIFFERS);
  for (const one of differing) {
    await db.transaction().execute(async (tx) => {
      const { instanceId, clientId, slug, generation, to } = one;
      const opened = { instanceId, kind: VERSION_DIFFERS, cause: causeOf(one), remedy: REMEDY };
      if (!(await openIncident(tx, opened))) return;
      const payload = { to, from: null, backup: null };
      const asked = { clientId, instanceId, slug, generation, payload, requestedBy: "service" };
      const job = await requestJob(tx, { kind: "adopt_version", ...asked });
      log("warn", "version_differs", { slug, job, cause: opened.cause });
    });
  }
}

function causeOf({ wanted, reported }: Difference): string {
  return `It reports ${reported}, and is to run ${wanted}.`;
}
