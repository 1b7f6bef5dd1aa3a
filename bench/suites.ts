/** All suites, in the order in which they run. */
import { controlPlane } from "./control-plane/control-plane.ts";
import { dataPlane } from "./data-plane/data-plane.ts";
import { memory } from "./memory/memory.ts";
import { pages } from "./pages/pages.ts";
import { provisioning } from "./provisioning/provisioning.ts";
import type { Suite } from "./suite.ts";

// Those that last longest come first, so that those beside them in a smoke run are finished with them.
export const suites: readonly Suite[] = [provisioning, memory, dataPlane, controlPlane, pages];
