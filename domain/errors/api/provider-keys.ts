/** Errors of tenants' own keys for model providers. */
import { defineErrors } from "../catalogue.ts";

export const providerKeyErrors = defineErrors({
  provider_key_not_found: {
    code: "not_found",
    message: "Provider key not found.",
    remedy: "Read the instance's keys, and check that your role has access to it.",
  },
  provider_key_rejected: {
    code: "invalid_request",
    message: "{provider} rejects the key: {reason}",
    remedy: "Copy the present key at the provider, or create a new one there.",
  },
  provider_busy: {
    code: "limit_exceeded",
    message: "{provider} limits the number of requests.",
    remedy: "Retry after the seconds in `Retry-After`.",
  },
  provider_no_response: {
    code: "tenant_unavailable",
    message: "{provider} did not respond within {seconds} seconds.",
    remedy: "Nothing was changed. Retry in a minute.",
  },
  provider_response_unknown: {
    code: "tenant_unavailable",
    message: "{provider} sent an unexpected response with status {status}.",
    remedy: "Nothing was changed. Retry in a minute, and check the status page of the provider.",
  },
});
