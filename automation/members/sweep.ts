/** Asks for the dashboard's users and every tenant's members to be reconciled, spread over minutes, behind whatever somebody waits for. */
import * as z from "zod";
import { listInstances } from "#database/people/members.ts";
import { requestWork } from "#database/work/queue-state.ts";
import { type Task, task } from "../task.ts";

/** Over how long the tenants are spread, in seconds: less than lies between two sweeps. */
const SPREAD_SECONDS = 600;
/** After what has none, which is 0. */
const PRIORITY = 10;

/** @param schema of the queue */
export function reconcileAllTask(schema: string): Task {
  return task("reconcile_all", z.unknown(), async (_payload, { db, log }) => {
    await requestWork(db, schema, {
      task: "reconcile_dashboard_users",
      payload: { sweep: true },
      // As in `tenantry.dashboard_user_changed`.
      key: "dashboard_users",
      queue: "dashboard_users",
      priority: PRIORITY,
    });
    const instances = await listInstances(db);
    let asked = 0;
    for (const { id, slug } of instances) {
      const isNew = await requestWork(db, schema, {
        task: "reconcile_members",
        payload: { instance_id: id, sweep: true },
        // As in `tenantry.members_changed`: what is asked for already does as well.
        key: `members:${id}`,
        queue: `tenant:${slug}`,
        afterSeconds: Math.random() * SPREAD_SECONDS,
        priority: PRIORITY,
      });
      if (isNew) asked += 1;
    }
    log("info", "members_sweep", { instances: instances.length, asked });
  });
}
