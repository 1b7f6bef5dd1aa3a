/** General codes of HTTP errors. They are stable; `reason` names the error of a code in detail. */

export const errorCodes = {
  access_denied: {
    status: 403,
    cause: "The login is valid, but its user has no access to this platform or tenant.",
    remedy: "Ask the administrator for an invitation, or log in with another address.",
  },
  authentication_required: {
    status: 401,
    cause: "The request has no login, or the login has expired.",
    remedy: "Log in with Cloudflare Access and send its token.",
  },
  client_not_active: {
    status: 403,
    cause: "The client is a draft, so that its tenant takes no traffic.",
    remedy: "Set the client's status to `active` or `production`.",
  },
  conflict: {
    status: 409,
    cause: "The request does not fit the present state of the entity.",
    remedy: "Read the message; it names what to change first.",
  },
  egress_failed: {
    status: 502,
    cause: "The policy allows the request of the tenant's container, but its host cannot be reached.",
    remedy: "Check the host, or try again.",
  },
  egress_refused: {
    status: 403,
    cause: "The policy of the tenant's network access refuses a request of its container.",
    remedy: "Read the message. An administrator of the tenant can change the policy.",
  },
  forbidden: {
    status: 403,
    cause: "The user's role does not allow this operation, or the request comes from a page of another origin.",
    remedy: "Ask a user with the role that the operation requires.",
  },
  gateway_starting: {
    status: 503,
    cause: "The tenant's gateway is starting after sleep, a restart or an update.",
    remedy: "Retry after the seconds in `Retry-After`.",
  },
  gateway_timeout: {
    status: 504,
    cause: "The tenant's gateway did not respond in time.",
    remedy: "Retry. If it fails again, read the tenant's health.",
  },
  gateway_unavailable: {
    status: 502,
    cause: "The tenant's Worker or gateway failed to respond.",
    remedy: "Retry. If it fails again, read the tenant's health.",
  },
  instance_frozen: {
    status: 403,
    cause: "The operator froze the tenant. Its administrators can still download its backups.",
    remedy: "Unfreeze the instance.",
  },
  instance_stopped: { status: 403, cause: "The operator stopped the tenant.", remedy: "Resume the instance." },
  internal: {
    status: 500,
    cause: "An unexpected error. The message has an ID and no details.",
    remedy: "Search the Worker's log for the ID.",
  },
  invalid_request: {
    status: 400,
    cause: "The path, the query or the body breaks the schema.",
    remedy: "Correct the fields that `details` names.",
  },
  limit_exceeded: {
    status: 429,
    cause: "Too many requests, or more than the plan allows.",
    remedy: "Retry after the seconds in `Retry-After`.",
  },
  managed_by_git: {
    status: 409,
    cause: "A stack file in Git declares the tenant, so that a change in the dashboard would be undone.",
    remedy: "Change the stack file, or move the tenant to the dashboard.",
  },
  method_not_allowed: {
    status: 405,
    cause: "The path does not support the method.",
    remedy: "Use a method that the API reference lists.",
  },
  no_account_capacity: {
    status: 409,
    cause: "The Cloudflare account has no capacity for another tenant or a larger plan.",
    remedy: "Delete tenants, or have Cloudflare raise the limit, then raise `limits` of `tenantry:platform`.",
  },
  no_ai_gateway_capacity: {
    status: 409,
    cause: "No AI gateway of the pool has a free slot.",
    remedy: "Add an AI gateway to the pool, or raise the capacity of one.",
  },
  not_found: {
    status: 404,
    cause: "The entity does not exist, or the user has no access to it.",
    remedy: "Check the ID and the user's role.",
  },
  payload_too_large: { status: 413, cause: "The body is larger than the maximum.", remedy: "Send a smaller body." },
  precondition_failed: {
    status: 412,
    cause: "The entity changed after the version in `If-Match` was read.",
    remedy: "Read the entity again, and repeat the change.",
  },
  tenant_not_found: { status: 404, cause: "No tenant has this host.", remedy: "Check the address." },
  tenant_unavailable: {
    status: 503,
    cause: "The platform or a service that it depends on failed for a moment.",
    remedy: "Retry after the seconds in `Retry-After`.",
  },
  unsupported_media_type: {
    status: 415,
    cause: "The `Content-Type` or `Content-Encoding` of the body is not supported.",
    remedy: "Send the media type that the API reference lists.",
  },
} as const satisfies Readonly<Record<string, { status: number; cause: string; remedy: string }>>;

export type ErrorCode = keyof typeof errorCodes;
