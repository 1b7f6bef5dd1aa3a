import type { Instance } from "#workers/contracts/api/instances/instances.ts";
import type { Client } from "#workers/contracts/api/tenants/clients.ts";
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
  states: readonly Instance["status"][];
  /** Whether it changes what Git declares. */
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

type FrozenBy = NonNullable<Client["instance"]>["frozen_by"];

/** Credit freezes end with a purchase; only platform roots resume what the platform froze. */
export const mayResume = (frozenBy: FrozenBy, { isRoot }: Pick<Viewer, "isRoot">): boolean =>
  frozenBy !== "credit" && (isRoot || frozenBy !== "platform");

/** Whether the API would allow the action. */
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
