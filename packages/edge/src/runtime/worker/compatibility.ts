/** Which behaviour of workerd a script gets. */
import type { ScriptRecord } from "../../cloudflare/kinds/scripts/record.ts";
import { supportedCompatibilityDate } from "../workerd/miniflare.ts";

/** What a script with no compatibility date gets from the vendor. */
const OLDEST_DATE = "2021-11-02";

export function compatibilityDate({ compatibility_date: asked = OLDEST_DATE }: ScriptRecord): string {
  // A script may ask for a later date than this workerd knows; the vendor's is newer.
  return asked < supportedCompatibilityDate ? asked : supportedCompatibilityDate;
}

export function compatibilityFlags({ compatibility_flags: flags }: ScriptRecord): string[] {
  // The entry module needs AsyncLocalStorage.
  return flags.some((flag) => flag === "nodejs_compat" || flag === "nodejs_als") ? flags : [...flags, "nodejs_als"];
}
