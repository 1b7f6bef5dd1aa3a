import { startApi } from "#workers/dashboard/testing/start-api.ts";
import { startConsole } from "#workers/dashboard/ui/console/testing/start-console.ts";
import { clientList } from "./control-plane/client-list.ts";
import { globalAnalytics } from "./control-plane/global-analytics.ts";
import { resolveTenant } from "./control-plane/resolve-tenant.ts";
import { coldMiss } from "./data-plane/cold-miss.ts";
import { dispatchCpu } from "./data-plane/dispatch-cpu.ts";
import { measureEgress } from "./data-plane/egress.ts";
import { healthSnapshot } from "./data-plane/health-snapshot.ts";
import { openPlatform } from "./data-plane/platform.ts";
import { measureProxying } from "./data-plane/proxying.ts";
import { measureThroughput } from "./data-plane/throughput.ts";
import { workersAlone } from "./data-plane/workers-alone.ts";
import { memoryUnderAllowlist } from "./memory/allowlist.ts";
import { manyScripts } from "./memory/many-scripts.ts";
import { openRunningEdge } from "./memory/running-edge.ts";
import { tenantsAwake } from "./memory/tenants-awake.ts";
import { wranglerDev } from "./memory/wrangler-dev.ts";
import { measureConsoleLists } from "./pages/console-lists.ts";
import { measureFirstPaint } from "./pages/first-paint.ts";
import { measureScrolling } from "./pages/scrolling.ts";
import { measureDeployments } from "./provisioning/deployments.ts";
import { openFleet } from "./provisioning/fleet.ts";
import { manyFiles } from "./provisioning/many-files.ts";
import { measurePreviews } from "./provisioning/previews.ts";
import { requestCounts } from "./provisioning/request-counts.ts";
import { measureUnderFaults } from "./provisioning/under-faults.ts";
import { defineSuite, type Suite } from "./suite.ts";

/** All suites, longest first, so that concurrent ones in a smoke run end together. */
export const suites: readonly Suite[] = [
  defineSuite({
    name: "provisioning",
    open: openFleet,
    close: (fleet) => fleet.close(),
    measurements: [measurePreviews, measureDeployments, manyFiles, requestCounts, measureUnderFaults],
  }),
  defineSuite({
    name: "memory",
    open: (run) => openRunningEdge(run),
    close: (edge) => edge.close(),
    measurements: [tenantsAwake, manyScripts, wranglerDev, memoryUnderAllowlist],
  }),
  defineSuite({
    name: "data-plane",
    open: openPlatform,
    close: (platform) => platform.close(),
    measurements: [
      workersAlone,
      dispatchCpu,
      coldMiss,
      healthSnapshot,
      measureProxying,
      measureEgress,
      measureThroughput,
    ],
  }),
  defineSuite({
    name: "control-plane",
    open: () => startApi(),
    close: (api) => api.stop(),
    measurements: [clientList, resolveTenant, globalAnalytics],
  }),
  defineSuite({
    name: "pages",
    open: () => startConsole(),
    close: (pages) => pages.stop(),
    measurements: [measureFirstPaint, measureScrolling, measureConsoleLists],
  }),
];
