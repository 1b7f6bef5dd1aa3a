import type { Kind } from "../../kind.ts";
import { analyticsApi } from "./api.ts";
import { analyticsBinding } from "./binding.ts";

export const analytics: Kind = { api: [analyticsApi], bindings: { analytics_engine: analyticsBinding } };
