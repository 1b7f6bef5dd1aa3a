/** Rules that functions of the database state, as `message; remedy` in the SQL. */
import { defineErrors } from "../catalogue.ts";

export const ruleErrors = defineErrors({
  account_count_reached: {
    code: "no_account_capacity",
    message: "The account's limit of {kind} is {most}, and {needed} would be needed (GET /capacity).",
    remedy:
      "Remove unused resources, or ask the vendor to raise the limit and set ACCOUNT_LIMITS of the automation service{elsewhere}.",
  },
  account_limit_reached: {
    code: "no_account_capacity",
    message: "The limit limits.{kind} is {most}, and {needed} would be needed.",
    remedy:
      "Remove tenants, or raise the limit under tenantry:platform in the platform's stack if the account's plan allows more{elsewhere}.",
  },
  account_limit_reached_by_stack: {
    code: "no_account_capacity",
    message: "The limit limits.{kind} is {most}, and {needed} would be needed.",
    remedy:
      "Plan again, or raise the limit under tenantry:platform in the platform's stack if the account's plan allows more.",
  },
  ai_gateway_bound_elsewhere: {
    code: "conflict",
    message: "AI gateway {gateway} is in use by {bound} instances of environments other than {environment}.",
    remedy: "Move them to another AI gateway first.",
  },
  ai_gateway_capacity_below_use: {
    code: "conflict",
    message: "AI gateway {gateway} is in use by {bound} instances.",
    remedy: "Set max_instances to at least that number, or move instances to another AI gateway first.",
  },
  ai_gateway_cannot_bind_environment: {
    code: "conflict",
    message: "AI gateway {gateway} is only for {environment}, and the instance is in {other}.",
    remedy: "Choose another.",
  },
  ai_gateway_has_no_slot: {
    code: "no_ai_gateway_capacity",
    message: "AI gateway {gateway} holds {bound} of {most} instances.",
    remedy: "Plan again or raise max_instances.",
  },
  ai_gateway_turned_off: {
    code: "conflict",
    message: "AI gateway {gateway} is disabled.",
    remedy: "Enable it or choose another.",
  },
  client_deleted_by_platform: {
    code: "forbidden",
    message: "The platform deleted this client.",
    remedy: "Ask a platform root to restore it.",
  },
  client_deleted_without_credit: {
    code: "conflict",
    message: "The client was deleted because its credit is used up.",
    remedy: "Ask a platform root to book a purchase first.",
  },
  client_status_step: {
    code: "conflict",
    message: "A client that is {status} cannot become {next}.",
    remedy: "Make it active first.",
  },
  credit_state_step: {
    code: "conflict",
    message: "A credit balance that is {state} cannot become {next} yet.",
    remedy: "Wait for its deadline.",
  },
  credit_used_up: {
    code: "conflict",
    message: "The client's credit is used up.",
    remedy: "Ask a platform root to book a purchase, or to have the client pay by invoice.",
  },
  decision_accepts_no_instance: {
    code: "invalid_request",
    message: "The decision accepts no instance.",
    remedy: "Accept at least one of the instances, or reject the invitation.",
  },
  incident_already_acknowledged: {
    code: "conflict",
    message: "An incident can be acknowledged only once, and closes by itself.",
    remedy: "Read the incident again.",
  },
  client_erasing: {
    code: "conflict",
    message: "The client's data is being erased, and the client cannot be restored.",
    remedy: "Create a new client after it.",
  },
  client_restored_by_admin: {
    code: "forbidden",
    message: "An ADMIN cannot restore this client.",
    remedy: "Ask your operator.",
  },
  grace_period_ended_by_admin: {
    code: "forbidden",
    message: "An ADMIN cannot end this grace period.",
    remedy: "Ask your operator.",
  },
  instance_changed_by_admin: {
    code: "forbidden",
    message: "An ADMIN cannot change this instance's status.",
    remedy: "Ask your operator.",
  },
  version_pinned_by_operator: {
    code: "forbidden",
    message: "Your operator pinned this version.",
    remedy: "Ask your operator to unpin it.",
  },
  instance_frozen_by_platform: {
    code: "forbidden",
    message: "The platform froze this instance.",
    remedy: "Ask a platform root to resume it.",
  },
  instance_operation_replaced: {
    code: "conflict",
    message: "Another operation on the instance has begun since (generation {generation}).",
    remedy: "Start this one again.",
  },
  instance_status_step: {
    code: "conflict",
    message: "An instance that is {status} cannot become {next}.",
    remedy: "Check its current status.",
  },
  invitations_per_hour: {
    code: "limit_exceeded",
    message: "You have sent 60 invitations in the last hour.",
    remedy: "Try again later.",
  },
  invoice_status_step: {
    code: "conflict",
    message: "An invoice that is {status} cannot become {next}.",
    remedy: "Check its current status.",
  },
  price_of_past_day: {
    code: "conflict",
    message: "Prices of past days cannot change.",
    remedy: "Set valid_from to {day} or later.",
  },
  rule_of_database: {
    code: "conflict",
    message: "A rule of the database rejects the change.",
    remedy: "Read the message, which is the database's own.",
  },
  slug_reserved_for_webhooks: {
    code: "invalid_request",
    message: "The slug {slug} is reserved for webhooks.",
    remedy: "Choose another slug.",
  },
  spending_cap_above_plan: {
    code: "invalid_request",
    message: "The plan {plan} permits to spend at most {maximum} US dollars in 30 days.",
    remedy: "Choose a lower cap, or change the plan.",
  },
  user_of_other_client: {
    code: "invalid_request",
    message: "A user can be assigned only to instances of the same client.",
    remedy: "Choose one of these.",
  },
  user_status_step: {
    code: "conflict",
    message: "A user who is {status} cannot become {next}.",
    remedy: "Check the user's current status.",
  },
});
