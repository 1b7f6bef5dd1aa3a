import type { Kind } from "../../kind.ts";
import { dnsRecordsApi } from "./api.ts";

export const dns: Kind = { api: [dnsRecordsApi], plugin: () => import("./plugin.ts") };
