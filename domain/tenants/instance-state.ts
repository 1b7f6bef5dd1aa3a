/** States of clients and instances, and the routing gate (spec: "States and transitions", "Routing gate"). */
import type { Environment } from "../environment.ts";

export const clientStates = ["draft", "active", "production"] as const;
export type ClientState = (typeof clientStates)[number];

export const instanceStates = ["provisioning", "running", "frozen", "stopped", "error"] as const;
export type InstanceState = (typeof instanceStates)[number];

/** Why a tenant takes no traffic. */
export type GateRefusal = "client_not_active" | "instance_frozen" | "instance_stopped";

/**
 * Evaluates the routing gate, before authentication. The database's `tenantry.takes_traffic` has the same rules. An instance in
 * `provisioning` or `error` passes: the parts that run serve requests.
 *
 * @returns why traffic is refused; `undefined` if it passes
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
