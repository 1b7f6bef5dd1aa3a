import { aiGatewayRoutes } from "#workers/contracts/api/tenants/ai-gateways.ts";
import { ACME, aiGateway, IDS, onePage } from "../examples.ts";
import { section } from "../section.ts";

const params = { id: IDS.pool };
const ELSEWHERE = "Another environment declares the entry, so that only its dashboard can change it.";

export const aiGatewaySection = section(
  aiGatewayRoutes,
  "AI gateways",
  "An AI gateway is Cloudflare's proxy to model providers, with logs, limits and filters. Gateways of the pool are shared: each has slots for a number of instances.",
  {
    listAiGateways: {
      description:
        "Returns the AI gateways of the pool, each with its slots and how many instances bind it, by gateway ID.",
      answer: onePage(aiGateway),
    },
    getAiGateway: { description: "Returns an entry of the pool with its slots and use.", params, answer: aiGateway },
    listBoundInstances: {
      description:
        "Returns the instances of the dashboard's environment that bind an AI gateway of the pool, by slug. Instances of other environments count in `bound` and are not listed.",
      params,
      answer: onePage({
        id: IDS.instance,
        status: "running",
        client: ACME,
        managed_by: "dashboard",
        declared_in: null,
      } as const),
    },
    createAiGateway: {
      description:
        "Adds a gateway that exists at Cloudflare to the pool, so that new instances can bind it. The request does not create or check the gateway at Cloudflare.",
      body: { gateway_id: "pool-a", max_instances: 20 },
      answer: { ...aiGateway, bound: 0, version: 1 },
      errors: { conflict: "The pool already has an entry with this gateway." },
    },
    updateAiGateway: {
      description:
        "Changes the slots of an entry, its environment, or whether new instances can bind it. Bound instances keep their gateway, also when the entry is disabled.",
      params,
      body: { max_instances: 40 },
      answer: { ...aiGateway, max_instances: 40, version: 4 },
      errors: { conflict: `More instances bind the gateway than the new values allow. Or: ${ELSEWHERE.toLowerCase()}` },
    },
    deleteAiGateway: {
      description: "Removes an entry from the pool. The gateway at Cloudflare stays, with its logs and settings.",
      params,
      errors: { conflict: `Instances still bind the gateway. Or: ${ELSEWHERE.toLowerCase()}` },
    },
  },
);
