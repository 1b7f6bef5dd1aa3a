import { runPlugin } from "@tenantry/plugin-host";
import { standIns } from "./providers.ts";

const [name] = process.argv.slice(2);
const found = (await standIns(process.cwd())).filter((item) => item.name === name);
if (found.length === 0) throw new Error(`There is no stand-in '${name}'.`);
await runPlugin(found);
