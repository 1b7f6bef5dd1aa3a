/** All suites, in the order in which they run. */
import { controlPlane } from "./control-plane/control-plane.ts";
import { dataPlane } from "./data-plane/data-plane.ts";
import { memory } from "./memory/memory.ts";
import { pages } from "./pages/pages.ts";
import { provisioning } from "./provisioning/provisioning.ts";
import type { Suite } from "./suite.ts";

// Last what leaves most memory to this process.
export const suites: readonly Suite[] = [memory, dataPlane, pages, provisioning, controlPlane];
