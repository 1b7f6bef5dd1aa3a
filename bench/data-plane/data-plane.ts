/** The data plane's figures, most of them from one platform on a local edge of its own. */
import { suite } from "../suite.ts";
import { coldMiss } from "./cold-miss.ts";
import { dispatchCpu } from "./dispatch-cpu.ts";
import { healthSnapshot } from "./health-snapshot.ts";
import { openPlatform } from "./platform.ts";
import { proxying } from "./proxying.ts";
import { throughput } from "./throughput.ts";
import { workersAlone } from "./workers-alone.ts";

export const dataPlane = suite({
  name: "data-plane",
  open: openPlatform,
  close: (platform) => platform.close(),
  measurements: [workersAlone, dispatchCpu, coldMiss, healthSnapshot, proxying, throughput],
});
