/** What can be done to an instance, by whom, and when. */
import type { Client } from "#workers/contracts/api/tenants/clients.ts";
import type { Instance } from "#workers/contracts/api/tenants/instances.ts";
import type { Viewer } from "#workers/dashboard/ui/api/session.ts";

export const actions = [
  "restart",
  "back_up",
  "provision",
  "resume",
  "freeze",
  "plan",
  "gateway",
  "version",
  "token",
  "remove",
] as const;
export type Action = (typeof actions)[number];

export interface ActionDialogProps {
  instance: Instance;
  onClose: () => void;
}

interface Rule {
  /** Of the instance, in which it can be done. */
  states: readonly Instance["status"][];
  /** Whether what Git declares is changed by it. */
  declared?: boolean;
  rootOnly?: boolean;
}

const RULES: Readonly<Record<Action, Rule>> = {
  restart: { states: ["running", "error"] },
  back_up: { states: ["running"] },
  provision: { states: ["error"], declared: true },
  resume: { states: ["frozen"] },
  freeze: { states: ["provisioning", "running", "error"] },
  plan: { states: ["running", "frozen", "error"], declared: true },
  gateway: { states: ["running", "frozen"], declared: true, rootOnly: true },
  version: { states: ["running", "frozen"], declared: true, rootOnly: true },
  token: { states: ["running", "frozen"], declared: true },
  remove: { states: ["provisioning", "running", "frozen", "stopped", "error"], declared: true },
};

/** What froze an instance; null while it is not frozen. */
type FrozenBy = NonNullable<Client["instance"]>["frozen_by"];

/** Whether a frozen instance can be resumed by hand: what credit froze goes on with credit, what the platform froze by a platform root alone. */
export const mayResume = (frozenBy: FrozenBy, { isRoot }: Pick<Viewer, "isRoot">): boolean =>
  frozenBy !== "credit" && (isRoot || frozenBy !== "platform");

/**
 * Whether the API would do it. What it would refuse is not offered.
 *
 * @param o.isDeleted whether the client is in its time of grace after a deletion
 */
export function isOffered(
  action: Action,
  { status, managed_by, job }: Pick<Instance, "status" | "managed_by" | "job">,
  { isRoot, isDeleted, frozenBy }: Pick<Viewer, "isRoot"> & { isDeleted: boolean; frozenBy: FrozenBy },
): boolean {
  const { states, declared = false, rootOnly = false } = RULES[action];
  if (!states.includes(status) || (rootOnly && !isRoot) || (declared && managed_by === "git")) return false;
  if (isDeleted && (action === "resume" || action === "provision")) return false;
  if (action === "resume" && !mayResume(frozenBy, { isRoot })) return false;
  if (action === "remove" && !isRoot && frozenBy === "platform") return false;
  return action !== "remove" || job?.kind !== "deprovision";
}
