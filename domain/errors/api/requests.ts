/** Errors of requests to the dashboard, whatever they ask for. */
import { defineErrors } from "../catalogue.ts";

export const requestErrors = defineErrors({
  address_not_found: {
    code: "not_found",
    message: "This address does not exist.",
    remedy: "Check the path and the method in the API reference.",
  },
  body_not_json: {
    code: "invalid_request",
    message: "The body is not valid JSON in UTF-8.",
    remedy: "Correct the body.",
  },
  body_not_sent_as_json: {
    code: "unsupported_media_type",
    message: "The body must be JSON.",
    remedy: "Send it with the content type application/json.",
  },
  body_too_large: {
    code: "payload_too_large",
    message: "The body must have at most {bytes} bytes.",
    remedy: "Send a smaller body.",
  },
  declared_in_git: {
    code: "managed_by_git",
    message: "{what} is declared in Git.",
    remedy: "Change {file} and deploy it.",
  },
  entity_changed: {
    code: "precondition_failed",
    message: "The entity was changed since you read it.",
    remedy: "Read it again, then repeat your change.",
  },
  entity_changed_by: {
    code: "precondition_failed",
    message: "{who} changed {what} at {at}, after you read it.",
    remedy: "Read it again, then repeat your change.",
  },
  first_response_unreadable: {
    code: "conflict",
    message: "The response to the first request with this Idempotency-Key can no longer be decrypted.",
    remedy: "List the doors, and rotate the new one or delete it.",
  },
  foreign_origin: {
    code: "forbidden",
    message: "Changes are only accepted from the dashboard's own pages.",
    remedy: "Open the dashboard, and make the change there.",
  },
  idempotency_key_invalid: {
    code: "invalid_request",
    message: "Idempotency-Key must have 1 to {most} characters.",
    remedy: "Send another key.",
  },
  idempotency_key_reused: {
    code: "conflict",
    message: "This Idempotency-Key was used for another request.",
    remedy: "Choose a new key.",
  },
  if_match_invalid: {
    code: "invalid_request",
    message: "If-Match must have the ETag of a response.",
    remedy: "Read the entity, and send its ETag.",
  },
  invalid_values: {
    code: "invalid_request",
    message: "The {part} has invalid values.",
    remedy: "Correct the fields in the details.",
  },
  platform_root_required: {
    code: "forbidden",
    message: "Permission denied: this operation requires the role ROOT.",
    remedy: "Ask a platform root.",
  },
  own_tenant_declared_in_git: {
    code: "managed_by_git",
    message: "Your operator declares {slug} in Git.",
    remedy: "Ask your operator to change it.",
  },
  tenant_declared_in_git: {
    code: "managed_by_git",
    message: "{what} is declared in Git.",
    remedy: "Change {file} and deploy it. To manage it here, hand it over: npm run fleet -- release {slug}.",
  },
  too_many_requests: {
    code: "limit_exceeded",
    message: "Too many requests.",
    remedy: "Try again in a moment.",
  },
});
