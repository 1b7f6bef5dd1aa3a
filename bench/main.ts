/** `npm run bench -- SUITE`: prints a suite's figures. Ends with an error only when it could not measure. */
import { controlPlane } from "./control-plane/control-plane.ts";
import { dataPlane } from "./data-plane/data-plane.ts";
import { memory } from "./memory/memory.ts";
import { pages } from "./pages/pages.ts";
import { provisioning } from "./provisioning/provisioning.ts";

const suites: Readonly<Record<string, () => Promise<void>>> = {
  "control-plane": controlPlane,
  "data-plane": dataPlane,
  memory,
  pages,
  provisioning,
};

const [name = ""] = process.argv.slice(2);
const suite = Object.hasOwn(suites, name) ? suites[name] : undefined;
if (suite === undefined) {
  process.stderr.write(`Usage: npm run bench -- ${Object.keys(suites).join("|")}\n`);
  process.exitCode = 2;
} else {
  try {
    await suite();
  } catch (error) {
    process.stderr.write(`Could not measure: ${error instanceof Error ? error.message : error}\n`);
    process.exitCode = 1;
  }
}
