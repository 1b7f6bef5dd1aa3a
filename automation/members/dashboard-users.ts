/**
 * Carries the dashboard's users to the Access groups that let them in: root users to theirs, which tenants' groups include too, partner roots
 * to the dashboard's. The database is the truth, as with tenants' members.
 */
import * as z from "zod";
import { dashboardMembers } from "#database/people/members.ts";
import { tellEvent } from "#database/work/events.ts";
import { memberGroupName, rootGroupName } from "#domain/access/member-group.ts";
import type { Environment } from "#domain/environment.ts";
import { dashboardHostname } from "#domain/names/hostnames.ts";
import type { AccessGroups, MemberChange } from "../outside/access-groups.ts";
import { type Run, type Task, TaskError, task } from "../task.ts";

const payload = z.object({
  /** Set where nobody changed anything: what differs then is drift. */
  sweep: z.boolean().default(false),
});

export interface DashboardUsersOptions {
  environment: Environment;
  domain: string;
  groups: AccessGroups;
}

export function reconcileDashboardUsersTask({ environment, domain, groups }: DashboardUsersOptions): Task {
  const host = dashboardHostname(environment, domain);
  return task("reconcile_dashboard_users", payload, async ({ sweep }, run) => {
    const { roots, partnerRoots } = await dashboardMembers(run.db);
    const carry = async (name: string, emails: readonly string[]) => {
      const change = await groups.setMembers(name, emails, run.signal);
      if (change !== undefined) return change;
      throw new TaskError(`There is no Access group '${name}'. Run \`pulumi up\` of the platform's stack.`);
    };
    // Root users first: a partner root who becomes one is never without a group.
    const changes = [await carry(rootGroupName(host), roots), await carry(memberGroupName(host), partnerRoots)];
    await tell(changes, sweep, run);
  });
}

/** Tells of a change even where an attempt before had made it: whoever was removed is cut off from live news when there are some. */
async function tell(changes: readonly MemberChange[], isDrift: boolean, { db, log }: Run): Promise<void> {
  const added = changes.reduce((sum, change) => sum + change.added, 0);
  const removed = changes.reduce((sum, change) => sum + change.removed, 0);
  if (isDrift && added + removed === 0) return;
  const what = isDrift ? "repaired" : "changed";
  log(isDrift ? "warn" : "info", `dashboard_users_${what}`, { added, removed });
  await tellEvent(db, { client_id: null, kind: `dashboard_users.${what}`, data: { added, removed } });
}
