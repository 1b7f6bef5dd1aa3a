/** Errors of clients. */
import { defineErrors } from "../catalogue.ts";

export const clientErrors = defineErrors({
  client_being_deleted: {
    code: "conflict",
    message: "The client {slug} is being deleted.",
    remedy: "Restore it first.",
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
  grace_period_end_requires_root: {
    code: "forbidden",
    message: "Permission denied: ending the grace period of the client {slug} requires the role ROOT.",
    remedy: "Ask a platform root.",
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
