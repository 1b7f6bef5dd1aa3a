/** Finds the gateway and its startup script among the processes of containers. */
import { type FoundProcess, findProcesses } from "@tenantry/edge/containers";
import { PROCESS_MARKER, type SandboxProcess } from "#workers/contracts/tenant/sandbox.ts";

export interface GatewayProcess extends FoundProcess {
  /** Undefined for child processes. */
  type: SandboxProcess["type"] | undefined;
  /** The gateway's port. */
  port: number;
}

/** Returns the gateway, its startup script and their child processes in the containers of a marker. */
export function gatewayProcesses(marker: string): GatewayProcess[] {
  return findProcesses(marker).flatMap((found) => {
    const own = found.variable(PROCESS_MARKER);
    if (own === undefined) return [];
    const type = (["gateway", "script"] as const).find((kind) => own === `${kind}:${found.ownPid}`);
    return [{ ...found, type, port: Number(found.variable("GATEWAY_PORT")) }];
  });
}
