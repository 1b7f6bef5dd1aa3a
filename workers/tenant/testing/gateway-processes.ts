/** The gateway and its startup script among the processes of containers. */
import { type FoundProcess, findProcesses } from "@tenantry/edge/containers";
import { PROCESS_MARKER, type SandboxProcess } from "#workers/contracts/tenant/sandbox.ts";

export interface GatewayProcess extends FoundProcess {
  /** Set for the gateway and the startup script themselves, not for their children. */
  type: SandboxProcess["type"] | undefined;
  /** Port that the gateway was told to listen on. */
  port: number;
}

/** The gateway, its startup script and what they started, in the containers of a marker. */
export function gatewayProcesses(marker: string): GatewayProcess[] {
  return findProcesses(marker).flatMap((found) => {
    const own = found.variable(PROCESS_MARKER);
    if (own === undefined) return [];
    const type = (["gateway", "script"] as const).find((kind) => own === `${kind}:${found.ownPid}`);
    return [{ ...found, type, port: Number(found.variable("GATEWAY_PORT")) }];
  });
}
