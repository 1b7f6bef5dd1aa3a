/**
 * Carries a tenant's users to the Access group that guards its host. The database is the truth: what differs is put right, and nothing
 * else is written.
 */
import * as z from "zod";
import { type InstanceMembers, instanceMembers } from "#database/people/members.ts";
import { tellEvent } from "#database/work/events.ts";
import { memberGroupName } from "#domain/access/member-group.ts";
import { tenantHostname } from "#domain/names/hostnames.ts";
import type { AccessGroups, MemberChange } from "../outside/access-groups.ts";
import type { DispatchWorker } from "../outside/dispatch-worker.ts";
import { type Run, type Task, TaskError, task } from "../task.ts";

const payload = z.object({
  instance_id: z.uuid(),
  /** Set where nobody changed anything: what differs then is drift. */
  sweep: z.boolean().default(false),
});

export interface MembersOptions {
  domain: string;
  groups: AccessGroups;
  dispatch: DispatchWorker;
}

export function reconcileMembersTask({ domain, groups, dispatch }: MembersOptions): Task {
  return task("reconcile_members", payload, async ({ instance_id, sweep }, run) => {
    const members = await instanceMembers(run.db, instance_id);
    // It is gone, and its group with it.
    if (members === undefined) return;
    const change = await carry(members, { domain, groups }, run);
    const differs = change.added + change.removed > 0;
    if (differs) await tell(instance_id, members, change, sweep, run);
    // After the group, so that whoever is cut off cannot come back by it. Roles are none of the group's, and change by themselves.
    // What an attempt before this one had put right shows no difference any more.
    if (differs || !sweep || run.attempt > 1) await dispatch.invalidate(members.slug, run.signal);
  });
}

async function carry(
  { slug, environment, status, emails }: InstanceMembers,
  { domain, groups }: Pick<MembersOptions, "domain" | "groups">,
  { log, signal }: Run,
): Promise<MemberChange> {
  const nothing = { added: 0, removed: 0 };
  // There one application guards all tenants, for root users alone.
  if (environment === "staging") return nothing;
  const name = memberGroupName(tenantHostname(slug, environment, domain));
  const change = await groups.setMembers(name, emails, signal);
  if (change !== undefined) return change;
  // What is being provisioned gets its group later; the next sweep fills it.
  if (status !== "provisioning") {
    throw new TaskError(`There is no Access group '${name}'. Run \`pulumi up\` of the tenant's stack.`);
  }
  log("info", "members_wait_for_group", { slug });
  return nothing;
}

async function tell(
  instance_id: string,
  { slug, client_id }: InstanceMembers,
  { added, removed }: MemberChange,
  isDrift: boolean,
  { db, log }: Run,
): Promise<void> {
  const what = isDrift ? "repaired" : "changed";
  log(isDrift ? "warn" : "info", `members_${what}`, { slug, added, removed });
  await tellEvent(db, { client_id, kind: `members.${what}`, data: { instance_id, added, removed } });
}
