import * as z from "zod";
import { type InstanceMembers, instanceMembers } from "#database/people/members.ts";
import { queueEvent } from "#database/work/events.ts";
import { memberGroupName } from "#domain/access/member-group.ts";
import { outsideErrors } from "#domain/errors/service/automation.ts";
import { tenantHostname } from "#domain/names/hostnames.ts";
import type { AccessGroups, MemberChange } from "../outside/access-groups.ts";
import type { DispatchWorker } from "../outside/dispatch-worker.ts";
import { defineTask, type Run, type Task, TaskError } from "../task.ts";
import { requestServiceTokens } from "./service-tokens.ts";

const payload = z.object({
  instance_id: z.uuid(),
  /** Whether this is a periodic check: a difference is then drift. */
  sweep: z.boolean().default(false),
});

export interface MembersOptions {
  /** Of the queue. */
  schema: string;
  domain: string;
  groups: AccessGroups;
  dispatch: DispatchWorker;
}

/** Sets the members of a tenant's Access group from the database. */
export function reconcileMembersTask({ schema, domain, groups, dispatch }: MembersOptions): Task {
  return defineTask("reconcile_members", payload, async ({ instance_id, sweep }, run) => {
    const members = await instanceMembers(run.db, instance_id);
    // The instance and its group were deleted.
    if (members === undefined) return;
    const change = await setMembers(members, { domain, groups }, run);
    const differs = change.added + change.removed > 0;
    if (differs) await reportMemberChange(instance_id, members, change, sweep, run);
    // After the group, so that a removed user cannot log in again. Roles change without the group, and a retry shows no difference.
    if (differs || !sweep || run.attempt > 1) await dispatch.invalidate(members.slug, run.signal);
    // A token that a group names is not deleted, so its rule goes first.
    if (change.removed > 0) await requestServiceTokens(run, schema);
  });
}

async function setMembers(
  { slug, environment, status, emails, tokens }: InstanceMembers,
  { domain, groups }: Pick<MembersOptions, "domain" | "groups">,
  { log, signal }: Run,
): Promise<MemberChange> {
  const nothing = { added: 0, removed: 0 };
  // In staging, one application for root users guards all tenants.
  if (environment === "staging") return nothing;
  const name = memberGroupName(tenantHostname(slug, environment, domain));
  const change = await groups.setMembers(name, { emails, tokens }, signal);
  if (change !== undefined) return change;
  // The group is created during provisioning; the next sweep fills it.
  if (status !== "provisioning") {
    throw new TaskError(outsideErrors.tenant_access_group_not_found, { name });
  }
  log("info", "members_wait_for_group", { slug });
  return nothing;
}

async function reportMemberChange(
  instance_id: string,
  { slug, client_id }: InstanceMembers,
  { added, removed }: MemberChange,
  isDrift: boolean,
  { db, log }: Run,
): Promise<void> {
  const what = isDrift ? "repaired" : "changed";
  log(isDrift ? "warn" : "info", `members_${what}`, { slug, added, removed });
  await queueEvent(db, { client_id, kind: `members.${what}`, data: { instance_id, added, removed } });
}
