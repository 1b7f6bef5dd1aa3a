import { runPlugin } from "@tenantry/plugin-host/plugin";
import { tenantry } from "./tenantry.ts";

await runPlugin([tenantry]);
