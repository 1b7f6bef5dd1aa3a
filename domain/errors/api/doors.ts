/** Errors of doors. */
import { defineErrors } from "../catalogue.ts";

export const doorErrors = defineErrors({
  door_limit_reached: {
    code: "limit_exceeded",
    message: "The instance of {slug} has {count} doors, and its plan {plan} allows {limit}.",
    remedy: "Delete a door, or change the plan.",
  },
  instance_door_not_found: {
    code: "not_found",
    message: "Door not found.",
    remedy: "Check its ID, and that your role has access to it.",
  },
  door_secrets_unreadable: {
    code: "conflict",
    message: "The secrets of the door {name} cannot be decrypted.",
    remedy: "Pass all its secrets, or delete the door and create another.",
  },
});
