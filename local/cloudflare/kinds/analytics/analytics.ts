/** Analytics Engine: datasets that Workers write to; nothing of the API serves them. */
import type { Kind } from "../../kind.ts";
import { analyticsBinding } from "./binding.ts";

export const analytics: Kind = { bindings: { analytics_engine: analyticsBinding } };
