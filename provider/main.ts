import { runPlugin } from "#plugin-host/plugin.ts";
import { tenantry } from "./tenantry.ts";

await runPlugin([tenantry]);
