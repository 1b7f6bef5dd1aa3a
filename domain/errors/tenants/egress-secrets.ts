/** Errors of secrets that the Worker adds to an agent's requests. */
import { defineErrors } from "../catalogue.ts";

export const egressSecretErrors = defineErrors({
  egress_secret_not_found: {
    code: "not_found",
    message: "Egress secret not found.",
    remedy: "Read the instance's secrets, and check that your role has access to it.",
  },
  egress_secrets_too_many: {
    code: "conflict",
    message: "The instance already has {most} egress secrets.",
    remedy: "Delete one first.",
  },
});
