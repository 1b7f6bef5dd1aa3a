import type { HealthSnapshot } from "#workers/contracts/tenant/health-snapshot.ts";
import type { SandboxActivity, SandboxResources } from "#workers/contracts/tenant/sandbox.ts";

/** `active` starts a stopped gateway; `passive` changes nothing. */
export type Mode = "active" | "passive";

/** Result of a health check. */
export interface HealthCheck {
  snapshot: HealthSnapshot;
  /** Absent while the sandbox sleeps or cannot be reached. */
  activity?: SandboxActivity;
  /** Absent while the sandbox sleeps or cannot be reached. */
  resources?: SandboxResources;
}

/** Returns the mode in a request's query. */
export const modeOf = (url: string): Mode => (new URL(url).searchParams.get("passive") === "1" ? "passive" : "active");
