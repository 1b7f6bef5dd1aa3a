/** A look at the tenant: what was seen of it in one lookup. */
import type { HealthSnapshot } from "#workers/contracts/health-snapshot.ts";
import type { SandboxActivity, SandboxResources } from "#workers/contracts/sandbox.ts";

/** `active` starts a gateway that does not run; `passive` touches nothing. */
export type Mode = "active" | "passive";

export interface Look {
  snapshot: HealthSnapshot;
  /** None while the sandbox sleeps or cannot be asked. */
  activity?: SandboxActivity;
  /** Likewise. */
  resources?: SandboxResources;
}

/** The mode that a request asks for, by its query. */
export const modeOf = (url: string): Mode => (new URL(url).searchParams.get("passive") === "1" ? "passive" : "active");
