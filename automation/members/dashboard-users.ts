import * as z from "zod";
import { dashboardMembers } from "#database/people/members.ts";
import { queueEvent } from "#database/work/events.ts";
import { memberGroupName, rootGroupName } from "#domain/access/member-group.ts";
import type { Environment } from "#domain/environment.ts";
import { outsideErrors } from "#domain/errors/service/automation.ts";
import { dashboardHostname } from "#domain/names/hostnames.ts";
import type { AccessGroups, MemberChange } from "../outside/access-groups.ts";
import { defineTask, type Run, type Task, TaskError } from "../task.ts";

const payload = z.object({
  /** Whether this is a periodic check: a difference is then drift. */
  sweep: z.boolean().default(false),
});

export interface DashboardUsersOptions {
  environment: Environment;
  domain: string;
  groups: AccessGroups;
}

/** Sets the members of the dashboard's Access groups from the database: root users, whose group tenants' groups include, and partner roots. */
export function reconcileDashboardUsersTask({ environment, domain, groups }: DashboardUsersOptions): Task {
  const host = dashboardHostname(environment, domain);
  return defineTask("reconcile_dashboard_users", payload, async ({ sweep }, run) => {
    const { roots, partnerRoots } = await dashboardMembers(run.db);
    const setMembers = async (name: string, emails: readonly string[]) => {
      const change = await groups.setMembers(name, { emails, tokens: [] }, run.signal);
      if (change !== undefined) return change;
      throw new TaskError(outsideErrors.platform_access_group_not_found, { name });
    };
    // Root users first, so that a partner root who becomes one always is in a group.
    const changes = [
      await setMembers(rootGroupName(host), roots),
      await setMembers(memberGroupName(host), partnerRoots),
    ];
    await reportMemberChanges(changes, sweep, run);
  });
}

/** Reports a change even if an earlier attempt made it: the event closes the live connections of removed users. */
async function reportMemberChanges(
  changes: readonly MemberChange[],
  isDrift: boolean,
  { db, log }: Run,
): Promise<void> {
  const added = changes.reduce((sum, change) => sum + change.added, 0);
  const removed = changes.reduce((sum, change) => sum + change.removed, 0);
  if (isDrift && added + removed === 0) return;
  const what = isDrift ? "repaired" : "changed";
  log(isDrift ? "warn" : "info", `dashboard_users_${what}`, { added, removed });
  await queueEvent(db, { client_id: null, kind: `dashboard_users.${what}`, data: { added, removed } });
}
