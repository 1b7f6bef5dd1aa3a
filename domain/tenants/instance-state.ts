/**
 * States of clients and instances, and which of them take traffic (spec: "States and transitions", "Routing gate").
 */
import type { Environment } from "../environment.ts";

export const clientStates = ["draft", "active", "production"] as const;
export type ClientState = (typeof clientStates)[number];

export const instanceStates = ["provisioning", "running", "frozen", "stopped", "error"] as const;
export type InstanceState = (typeof instanceStates)[number];

/** Why a tenant takes no traffic. */
export type GateRefusal = "client_not_active" | "instance_frozen" | "instance_stopped";

/**
 * The routing gate, evaluated before authentication: one table for all environments (`docs/reference/routing-gate.md`), which the database's
 * `tenantry.takes_traffic` repeats. A frozen or stopped instance is refused; in production a client that is no more than a draft too.
 * An instance that is being provisioned, or whose provisioning failed, is not: what runs of it serves, and its health tells the rest.
 *
 * @returns the reason for a refusal, or `undefined` when traffic may pass
 */
export function gateRefusal(
  environment: Environment,
  client: ClientState,
  instance: InstanceState,
): GateRefusal | undefined {
  if (instance === "frozen") return "instance_frozen";
  if (instance === "stopped") return "instance_stopped";
  return environment === "production" && client === "draft" ? "client_not_active" : undefined;
}
