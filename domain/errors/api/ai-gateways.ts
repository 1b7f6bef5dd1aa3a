/** Errors of the pool of AI gateways, and of the choice of a gateway. */
import { defineErrors } from "../catalogue.ts";

export const aiGatewayErrors = defineErrors({
  ai_gateway_bound: {
    code: "conflict",
    message: "{bound} instances bind {gateway}.",
    remedy: "Move them to another gateway first.",
  },
  ai_gateway_declared_elsewhere: {
    code: "conflict",
    message: "{gateway} belongs to {environment}.",
    remedy: "Change it in that environment's dashboard.",
  },
  ai_gateway_not_found: {
    code: "not_found",
    message: "AI gateway not found.",
    remedy: "Choose one of GET /ai-gateway-pool.",
  },
});
