import type { Case } from "./case.ts";
import { serviceTokenCases } from "./cases/access/service-tokens.ts";
import { accountCases } from "./cases/accounts.ts";
import { aiGatewayCases } from "./cases/ai-gateway.ts";
import { analyticsCases } from "./cases/analytics-engine.ts";
import { containerCases } from "./cases/containers.ts";
import { dispatchCases } from "./cases/dispatch.ts";
import { dnsCases } from "./cases/dns.ts";
import { durableObjectCases } from "./cases/durable-objects.ts";
import { healthcheckCases } from "./cases/healthchecks.ts";
import { hyperdriveCases } from "./cases/hyperdrive.ts";
import { kvCases } from "./cases/kv.ts";
import { queueCases } from "./cases/queues.ts";
import { r2Cases } from "./cases/r2.ts";
import { workersCases } from "./cases/workers.ts";
import { platformCases } from "./cases/workers-for-platforms.ts";
import { zeroTrustCases } from "./cases/zero-trust.ts";

export const cases: readonly Case[] = [
  ...accountCases,
  ...dnsCases,
  ...healthcheckCases,
  ...workersCases,
  ...platformCases,
  ...dispatchCases,
  ...durableObjectCases,
  ...containerCases,
  ...kvCases,
  ...r2Cases,
  ...queueCases,
  ...hyperdriveCases,
  ...zeroTrustCases,
  ...serviceTokenCases,
  ...aiGatewayCases,
  ...analyticsCases,
];
