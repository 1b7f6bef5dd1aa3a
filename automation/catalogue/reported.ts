/** Compares the versions that tenants report with the wanted ones each hour, without waking them. */
import * as z from "zod";
import { closeIncidents, openIncident } from "#database/health/incidents.ts";
import { polledInstances } from "#database/health/polled-instances.ts";
import { clearStarted, storeReport, versionDifferences } from "#database/versions/versions.ts";
import { requestJob } from "#database/work/job-request.ts";
import type { Environment } from "#domain/environment.ts";
import { errorParts } from "#domain/errors/catalogue-error.ts";
import { incidentErrors } from "#domain/errors/service/automation.ts";
import { type DispatchWorker, tryStatus } from "../outside/dispatch-worker.ts";
import { defineTask, type Run, type Task } from "../task.ts";

const PAGE = 500;
const TIMEOUT_MS = 10_000;
const VERSION_DIFFERS = "version_differs";

export function readVersionsTask(environment: Environment, dispatch: Pick<DispatchWorker, "status">): Task {
  return defineTask("read_versions", z.unknown(), async (_payload, run) => {
    // First, because reports from now on are of a start with the present version.
    await clearStarted(run.db, environment);
    let after: string | undefined;
    for (;;) {
      const page = await polledInstances(run.db, environment, { after, limit: PAGE });
      for (const { id, slug } of page) {
        if (run.signal.aborted) return;
        const signal = AbortSignal.any([run.signal, AbortSignal.timeout(TIMEOUT_MS)]);
        // A tenant that does not respond has another incident.
        const status = await tryStatus(dispatch, slug, signal);
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
  for (const id of same) await closeIncidents(db, id, [VERSION_DIFFERS]);
  for (const difference of differing) {
    await db.transaction().execute(async (tx) => {
      const { instanceId, clientId, slug, generation, to, reported, wanted } = difference;
      const texts = errorParts(incidentErrors.version_differs, { reported, wanted });
      const incident = { instanceId, kind: VERSION_DIFFERS, ...texts };
      if (!(await openIncident(tx, incident))) return;
      const payload = { to, from: null, backup: null };
      const request = { clientId, instanceId, slug, generation, payload, requestedBy: "service" };
      const job = await requestJob(tx, { kind: "adopt_version", ...request });
      log("warn", "version_differs", { slug, job, cause: incident.cause });
    });
  }
}
