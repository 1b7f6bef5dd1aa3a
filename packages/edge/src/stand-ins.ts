/** Everything in this package that stands in for Cloudflare, and how it differs. */
import type { StandIn } from "@tenantry/std/difference";
import { accessDifferences } from "./access/differences.ts";
import { aiGatewayDifferences } from "./ai-gateway/differences.ts";
import { apiDifferences } from "./cloudflare/api/differences.ts";
import { apiParts } from "./cloudflare/kinds.ts";
import { pluginDifferences } from "./cloudflare/plugin/differences.ts";
import { containerDifferences } from "./containers/differences.ts";
import { runtimeDifferences } from "./runtime/differences.ts";
import { weatherDifferences } from "./weather/differences.ts";

/** What is not one part of the API. */
export const otherStandIns: readonly StandIn[] = [
  apiDifferences,
  runtimeDifferences,
  containerDifferences,
  accessDifferences,
  aiGatewayDifferences,
  pluginDifferences,
  weatherDifferences,
];

export const standIns: readonly StandIn[] = [
  ...apiParts.map(({ title, differs = [] }) => ({ title, differs })),
  ...otherStandIns,
];
