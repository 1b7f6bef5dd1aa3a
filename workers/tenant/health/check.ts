/** A health check: the snapshot, and what else its observation showed. */
import type { HealthSnapshot } from "#workers/contracts/tenant/health-snapshot.ts";
import type { SandboxActivity, SandboxResources } from "#workers/contracts/tenant/sandbox.ts";

/** `active` starts a gateway that does not run; `passive` changes nothing. */
export type Mode = "active" | "passive";

export interface HealthCheck {
  snapshot: HealthSnapshot;
  /** Absent while the sandbox sleeps or cannot be asked. */
  activity?: SandboxActivity;
  /** Absent while the sandbox sleeps or cannot be asked. */
  resources?: SandboxResources;
}

/** The mode that a request asks for, by its query. */
export const modeOf = (url: string): Mode => (new URL(url).searchParams.get("passive") === "1" ? "passive" : "active");
