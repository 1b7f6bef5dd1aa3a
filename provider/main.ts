import { runPlugin } from "./host/plugin.ts";
import { tenantry } from "./tenantry.ts";

await runPlugin([tenantry]);
