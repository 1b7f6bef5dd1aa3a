/** Errors of a gateway's calls to models. They have the error format of the AI gateway, with the status of their code. */
import { defineErrors } from "../catalogue.ts";

export const modelCallErrors = defineErrors({
  ai_gateway_not_reachable: {
    code: "gateway_unavailable",
    message: "The AI gateway cannot be reached.",
    remedy: "Try again.",
  },
  model_call_of_other_gateway: {
    code: "not_found",
    message: "This path does not belong to this tenant's AI gateway.",
    remedy: "Use the address in the tenant's configuration.",
  },
  model_call_over_websocket: {
    code: "invalid_request",
    message: "WebSockets of the AI gateway are not supported.",
    remedy: "Use its HTTP endpoints.",
  },
  model_call_too_large: {
    code: "payload_too_large",
    message: "A call of this endpoint must have at most 32 MiB.",
    remedy: "Use its provider's path.",
  },
  provider_keys_not_readable: {
    code: "tenant_unavailable",
    message: "The tenant's provider keys cannot be read.",
    remedy: "Try again.",
  },
  spending_cap_reached: {
    code: "limit_exceeded",
    message: "The spending cap of the last 30 days is reached.",
    remedy: "Raise it on the console's page Models, or store an own provider key there.",
  },
});
