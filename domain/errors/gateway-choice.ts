/** Errors of the choice of an AI gateway for a tenant, in the dashboard and in a stack. */
import { defineErrors } from "./catalogue.ts";

export const gatewayChoiceErrors = defineErrors({
  ai_gateway_disabled: {
    code: "no_ai_gateway_capacity",
    message: "AI gateway {gateway} is disabled.",
    remedy: "Enable it or choose another.",
  },
  ai_gateway_full: {
    code: "no_ai_gateway_capacity",
    message: "AI gateway {gateway} holds {bound} of {most} instances.",
    remedy: "Raise its capacity or choose another.",
  },
  ai_gateway_of_other_environment: {
    code: "no_ai_gateway_capacity",
    message: "AI gateway {gateway} serves {environment} only.",
    remedy: "Choose another.",
  },
  no_pool_gateway_has_room: {
    code: "no_ai_gateway_capacity",
    message: "No AI gateway of the pool has room.",
    remedy: "Raise a capacity, add a gateway to the pool, or allow dedicated ones.",
  },
});
