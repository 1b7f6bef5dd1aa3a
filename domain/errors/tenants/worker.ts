/** Errors of a tenant's Worker: administration, metrics, and requests to the gateway. */
import { defineErrors } from "../catalogue.ts";

export const workerErrors = defineErrors({
  administration_path_not_found: {
    code: "not_found",
    message: "The tenant Worker has no such administration path.",
    remedy: "Check the path.",
  },
  administration_requires_admin: {
    code: "forbidden",
    message: "This path requires the role ADMIN or ROOT.",
    remedy: "Ask an administrator of this tenant.",
  },
  call_interrupted: {
    code: "tenant_unavailable",
    message: "The tenant's Worker restarted before it completed the request.",
    remedy: "Check whether the request took effect; if not, repeat it.",
  },
  doctor_in_progress: {
    code: "conflict",
    message: "The doctor is checking the agent.",
    remedy: "Wait until the check ends, then repair.",
  },
  doctor_needs_awake_container: {
    code: "conflict",
    message: "The agent is asleep or not started, so its doctor cannot run.",
    remedy: "Wake the agent, then try again.",
  },
  gateway_connection_closed: {
    code: "gateway_unavailable",
    message: "The gateway closed the connection before it responded.",
    remedy: "Try again.",
  },
  gateway_not_started: {
    code: "gateway_starting",
    message: "The gateway is starting.",
    remedy: "Try again in a few seconds.",
  },
  gateway_response_late: {
    code: "gateway_timeout",
    message: "The gateway did not respond within {seconds} seconds.",
    remedy: "Try again.",
  },
  health_listeners_full: {
    code: "tenant_unavailable",
    message: "This tenant's health stream already has {most} listeners of your kind.",
    remedy: "Poll /api/health, or try again later.",
  },
  health_stream_needs_websocket: {
    code: "invalid_request",
    message: "This path only serves WebSockets.",
    remedy: "Open this path as a WebSocket, or poll /api/health.",
  },
  inbox_delivery_invalid: {
    code: "invalid_request",
    message: "The header X-Platform-Delivery does not describe a message.",
    remedy: "Send the header as the contract of the inbox describes it.",
  },
  inbox_full: {
    code: "tenant_unavailable",
    message: "The tenant's inbox has as many messages as its plan allows.",
    remedy:
      "Retry after the seconds in `Retry-After`. An administrator can replay or drop dead messages, or choose a larger plan.",
  },
  inbox_message_too_large: {
    code: "payload_too_large",
    message: "The message must have at most {bytes} bytes.",
    remedy: "Send a smaller message.",
  },
  inbox_query_invalid: {
    code: "invalid_request",
    message: "The query is invalid: {fault}.",
    remedy: "Use `state`, `after` and `limit` as the contract of the inbox describes them.",
  },
  internal_path_not_found: {
    code: "not_found",
    message: "The tenant Worker has no such path.",
    remedy: "Check the path.",
  },
  metrics_body_not_parsed: {
    code: "invalid_request",
    message: "Cannot parse the body as {type}.",
    remedy: "Correct the body, or its content type.",
  },
  metrics_body_too_large: {
    code: "payload_too_large",
    message: "The uncompressed body must have at most {bytes} bytes.",
    remedy: "Export fewer metrics at a time.",
  },
  metrics_content_type: {
    code: "unsupported_media_type",
    message: "Metrics must be sent as {types}.",
    remedy: "Set {protocols}.",
  },
  metrics_encoding: {
    code: "unsupported_media_type",
    message: "The body must be uncompressed or compressed with gzip.",
    remedy: "Change the compression of the exporter.",
  },
  metrics_gzip_damaged: {
    code: "invalid_request",
    message: "Cannot decompress the body, whose Content-Encoding is gzip.",
    remedy: "Compress the body with gzip, or remove the header.",
  },
  metrics_invalid: {
    code: "invalid_request",
    message: "The body is not a valid OTLP export of metrics.",
    remedy: "Correct the problems that `faults` lists.",
  },
  metrics_not_counted: {
    code: "tenant_unavailable",
    message: "Nothing was counted.",
    remedy: "Send the same export again.",
  },
  metrics_path_not_found: {
    code: "not_found",
    message: "Only metrics are accepted.",
    remedy: "Send them by POST /api/otel/v1/metrics.",
  },
  metrics_requires_admin: {
    code: "forbidden",
    message: "Writing usage requires the gateway's token, or the role ADMIN or ROOT.",
    remedy: "Send the gateway's token as a bearer token.",
  },
  metrics_token_missing: {
    code: "authentication_required",
    message: "The request has no valid gateway token.",
    remedy: "Send the gateway's token as a bearer token.",
  },
  method_not_supported: {
    code: "method_not_allowed",
    message: "{path} does not support {method}.",
    remedy: "Use a method of the API reference.",
  },
  order_invalid: {
    code: "invalid_request",
    message: "The body is not a valid order.",
    remedy: "Send an object with {fields} as JSON.",
  },
  sleep_cancelled: {
    code: "conflict",
    message: "The tenant stays awake, because a request or a start came while it fell asleep.",
    remedy: "Try again.",
  },
  sleep_failed: {
    code: "tenant_unavailable",
    message: "Failed to put the tenant to sleep. It keeps its state and stays awake.",
    remedy: "Read the reason at the tenant's GET /api/admin/gateway/log.",
  },
  sleep_interrupts_work: {
    code: "conflict",
    message: "The tenant stays awake, because sleep would interrupt its gateway: {details}.",
    remedy: "Try again when the work or the job has ended.",
  },
  sleep_not_in_plan: {
    code: "conflict",
    message: "The tenant's plan keeps it awake.",
    remedy: "Choose a plan with sleep, or freeze the tenant.",
  },
  sleep_state_not_backed_up: {
    code: "conflict",
    message: "The tenant stays awake, because its state must not be backed up.",
    remedy: "Read the reason at the tenant's GET /api/admin/gateway/backups.",
  },
  tenant_worker_error: {
    code: "internal",
    message: "The tenant Worker failed.",
    remedy: "Search its log for the ID in the details.",
  },
});
