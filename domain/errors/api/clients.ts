/** Errors of clients. */
import { defineErrors } from "../catalogue.ts";

export const clientErrors = defineErrors({
  admin_erases_instead: {
    code: "forbidden",
    message: "Permission denied: ending the grace period of the client {slug} by `now=true` requires the role ROOT.",
    remedy: "Erase the client (POST /client/ID/erase), or wait for the end of the grace period.",
  },
  client_being_deleted: {
    code: "conflict",
    message: "The client {slug} is being deleted.",
    remedy: "Restore it first.",
  },
  client_deleted_by_operator: {
    code: "forbidden",
    message: "The client {slug} was deleted by {by}, not by an ADMIN.",
    remedy: "Ask {by} to restore it.",
  },
  client_deleted_for_credit: {
    code: "conflict",
    message: "The client {slug} was deleted because its credit is used up.",
    remedy: "Ask your operator to book a purchase and to restore it.",
  },
  client_field_requires_root: {
    code: "forbidden",
    message: "Permission denied: changing {what} requires the role ROOT.",
    remedy: "Ask a platform root.",
  },
  client_without_console: {
    code: "conflict",
    message: "The client {slug} has no instance, and so no console.",
    remedy: "Create the instance first.",
  },
  client_has_no_instance_to_freeze: {
    code: "conflict",
    message: "The client {slug} has no instance to freeze.",
    remedy: "Create the instance first.",
  },
  client_move_requires_root: {
    code: "forbidden",
    message: "Permission denied: moving a client to another partner requires the role ROOT.",
    remedy: "Ask a platform root.",
  },
  client_not_deleted: {
    code: "conflict",
    message: "The client {slug} is not deleted and has no grace period to end.",
    remedy: "Delete it first.",
  },
  client_not_found: {
    code: "not_found",
    message: "Client not found.",
    remedy: "Check its ID, and that your role has access to it.",
  },
  client_not_restorable: {
    code: "conflict",
    message: "The client {slug} is not deleted and cannot be restored.",
    remedy: "Keep it as it is; a restore is not needed.",
  },
  client_of_other_partner: {
    code: "forbidden",
    message: "Permission denied: creating a client of another partner requires the role ROOT.",
    remedy: "Omit partner_id, or ask a platform root.",
  },
  erasure_not_found: {
    code: "not_found",
    message: "Erasure not found.",
    remedy: "Check its ID, and that your role has access to it.",
  },
  erasure_not_confirmed: {
    code: "invalid_request",
    message: "The erasure of the client {slug} is not confirmed.",
    remedy: "Send its slug in the field `slug`.",
  },
  grace_period_over: {
    code: "conflict",
    message: "The grace period of the client {slug} is over, and its removal has begun.",
    remedy: "Ask your operator whether it can still be restored.",
  },
  grace_period_end_requires_root: {
    code: "forbidden",
    message: "Permission denied: ending the grace period of the client {slug} requires the role ROOT.",
    remedy: "Ask a platform root.",
  },
  instance_frozen_by_operator: {
    code: "forbidden",
    message: "The instance of {slug} was frozen by {by}, not by an ADMIN.",
    remedy: "Ask {by} to resume it.",
  },
  instance_frozen_for_credit: {
    code: "conflict",
    message: "The instance of {slug} is frozen because its credit is used up.",
    remedy: "Ask your operator to book a purchase; the instance then resumes.",
  },
  instance_not_frozen: {
    code: "conflict",
    message: "The instance of {slug} is not frozen.",
    remedy: "Keep it as it is; nothing has to be resumed.",
  },
  slug_in_grace_period: {
    code: "conflict",
    message: "The slug {slug} belongs to a deleted client until {until}.",
    remedy:
      "Restore that client (POST /client/{id}/restore), end its grace period now (DELETE /client/{id}?now=true), or choose another slug.",
  },
  stopped_instance_cannot_freeze: {
    code: "conflict",
    message: "The instance of {slug} is stopped and takes no traffic.",
    remedy: "Keep it stopped; a freeze is not needed.",
  },
});
