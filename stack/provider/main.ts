import { runPlugin } from "@tenantry/plugin-host";
import { tenantry } from "./tenantry.ts";

await runPlugin([tenantry]);
