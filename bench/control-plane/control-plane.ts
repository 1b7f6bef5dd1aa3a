/** The control plane's figures: the dashboard Worker as deployed, in workerd, over a real Postgres with many rows. */
import { startApi } from "#workers/dashboard/testing/start-api.ts";
import { suite } from "../suite.ts";
import { clientList } from "./client-list.ts";
import { globalAnalytics } from "./global-analytics.ts";
import { resolveTenant } from "./resolve-tenant.ts";

export const controlPlane = suite({
  name: "control-plane",
  open: () => startApi(),
  close: (api) => api.stop(),
  measurements: [clientList, resolveTenant, globalAnalytics],
});
