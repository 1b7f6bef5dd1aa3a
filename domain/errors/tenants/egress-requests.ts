/** Errors of allowed requests of a tenant's container that its Worker cannot pass to their host. */
import { defineErrors } from "../catalogue.ts";

export const egressRequestErrors = defineErrors({
  egress_host_unreachable: {
    code: "egress_failed",
    message: "{host} cannot be reached.",
    remedy: "Check the host, or try again.",
  },
  egress_loop: {
    code: "egress_refused",
    message: "The request to {host} came through the Worker of a tenant before, and would repeat.",
    remedy: "Do not pass received requests on to other hosts with their `CDN-Loop` header.",
  },
  egress_policy_not_readable: {
    code: "tenant_unavailable",
    message: "The policy of the tenant's network access cannot be read.",
    remedy: "Try again.",
  },
});
