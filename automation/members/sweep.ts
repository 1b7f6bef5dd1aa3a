import * as z from "zod";
import { listInstances } from "#database/people/members.ts";
import { requestWork } from "#database/work/queue-state.ts";
import { defineTask, type Task } from "../task.ts";
import { requestServiceTokens } from "./service-tokens.ts";

/** Less than the time between two sweeps. */
const SPREAD_SECONDS = 600;
/** Lower than the default, which is 0. */
const PRIORITY = 10;

/** Requests the reconciliation of the dashboard's users, all service tokens, and all tenants' members, spread over minutes. */
export function reconcileAllTask(schema: string): Task {
  return defineTask("reconcile_all", z.unknown(), async (_payload, { db, log }) => {
    await requestWork(db, schema, {
      task: "reconcile_dashboard_users",
      payload: { sweep: true },
      // As in `tenantry.dashboard_user_changed`.
      key: "dashboard_users",
      queue: "dashboard_users",
      priority: PRIORITY,
    });
    await requestServiceTokens({ db }, schema);
    const instances = await listInstances(db);
    let requested = 0;
    for (const { id, slug } of instances) {
      const isNew = await requestWork(db, schema, {
        task: "reconcile_members",
        payload: { instance_id: id, sweep: true },
        // As in `tenantry.members_changed`, so that a pending request is not repeated.
        key: `members:${id}`,
        queue: `tenant:${slug}`,
        afterSeconds: Math.random() * SPREAD_SECONDS,
        priority: PRIORITY,
      });
      if (isNew) requested += 1;
    }
    log("info", "members_sweep", { instances: instances.length, asked: requested });
  });
}
