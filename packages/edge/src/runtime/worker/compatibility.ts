import type { ScriptRecord } from "../../cloudflare/kinds/scripts/record.ts";
import { supportedCompatibilityDate } from "../workerd/miniflare.ts";

/** The vendor's default. */
const OLDEST_DATE = "2021-11-02";

export function compatibilityDate({ compatibility_date: date = OLDEST_DATE }: ScriptRecord): string {
  // The vendor's workerd may know later dates.
  return date < supportedCompatibilityDate ? date : supportedCompatibilityDate;
}

export function compatibilityFlags({ compatibility_flags: flags }: ScriptRecord): string[] {
  // The entry module needs AsyncLocalStorage.
  return flags.some((flag) => flag === "nodejs_compat" || flag === "nodejs_als") ? flags : [...flags, "nodejs_als"];
}
