/**
 * States of clients and instances, and which of them take traffic (spec: "States and transitions", "Routing gate").
 */
import type { Environment } from "./slug.ts";

export const clientStates = ["draft", "active", "production"] as const;
export type ClientState = (typeof clientStates)[number];

export const instanceStates = ["provisioning", "running", "frozen", "stopped", "error"] as const;
export type InstanceState = (typeof instanceStates)[number];

/** Why a tenant takes no traffic. */
export type GateRefusal = "client_not_active" | "instance_frozen" | "instance_stopped" | "instance_not_running";

/**
 * The routing gate, evaluated before authentication: in production by the client's status, elsewhere by the instance's.
 * A frozen or stopped instance is refused everywhere.
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
  if (environment === "production") return client === "draft" ? "client_not_active" : undefined;
  return instance === "running" || instance === "provisioning" ? undefined : "instance_not_running";
}
