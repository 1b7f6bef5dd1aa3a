import { runPlugin } from "@tenantry/plugin-host";
import { standIns } from "./providers.ts";

const [name] = process.argv.slice(2);
const provider = (await standIns(process.cwd())).find((item) => item.name === name);
if (provider === undefined) throw new Error(`No provider is named '${name}'.`);
await runPlugin([provider]);
