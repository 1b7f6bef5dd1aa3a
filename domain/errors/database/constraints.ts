/** Errors of values that a constraint of the database rejects. */
import { defineErrors } from "../catalogue.ts";

/** Unique constraints and indexes. */
export const duplicateErrors = defineErrors({
  ai_gateway_already_in_pool: {
    code: "conflict",
    message: "The pool already has an entry for this AI gateway.",
    remedy: "Change that entry, or choose another ID.",
  },
  channel_account_in_use: {
    code: "conflict",
    message: "This bot is already connected to another tenant of the platform.",
    remedy: "Disconnect it there first, or create another bot.",
  },
  channel_kind_exists: {
    code: "conflict",
    message: "The instance already has a channel of this messenger.",
    remedy: "Replace the token of that channel, or delete it first.",
  },
  client_already_has_instance: {
    code: "conflict",
    message: "The client already has an instance.",
    remedy: "Use that instance, or remove it first.",
  },
  client_deletion_in_progress: {
    code: "conflict",
    message: "The deletion of this client is already in progress.",
    remedy: "Wait until it ends.",
  },
  client_slug_exists: {
    code: "conflict",
    message: "A client with this slug already exists.",
    remedy: "Choose another slug.",
  },
  client_user_exists: {
    code: "conflict",
    message: "The client already has a user with this email address.",
    remedy: "Change that user, or use another address.",
  },
  dashboard_user_exists: {
    code: "conflict",
    message: "A dashboard user with this email address already exists.",
    remedy: "Change that user, or use another address.",
  },
  default_image_changed_meanwhile: {
    code: "conflict",
    message: "Another image is already the default.",
    remedy: "Try again.",
  },
  default_worker_bundle_changed_meanwhile: {
    code: "conflict",
    message: "Another Worker bundle is already the default.",
    remedy: "Try again.",
  },
  domain_registered: {
    code: "conflict",
    message: "This domain is already registered.",
    remedy: "Remove it there first, or choose another domain.",
  },
  door_name_exists: {
    code: "conflict",
    message: "The instance already has a door with this name.",
    remedy: "Choose another name.",
  },
  egress_secret_exists: {
    code: "conflict",
    message: "The instance has a secret for this host and header.",
    remedy: "Replace that secret, or delete it.",
  },
  image_already_in_catalogue: {
    code: "conflict",
    message: "The catalog already has this image.",
    remedy: "Use that entry, or add another image.",
  },
  invoice_of_month_exists: {
    code: "conflict",
    message: "The client already has an invoice for this month.",
    remedy: "Void it first.",
  },
  ledger_reference_exists: {
    code: "conflict",
    message: "The ledger already has an entry with this reference.",
    remedy: "Use another reference.",
  },
  partner_slug_exists: {
    code: "conflict",
    message: "A partner with this slug already exists.",
    remedy: "Choose another slug.",
  },
  person_exists: {
    code: "conflict",
    message: "A person with this email address already exists.",
    remedy: "Change that person, or use another address.",
  },
  price_exists: {
    code: "conflict",
    message: "A price for this plan, metric and date already exists.",
    remedy: "Change it instead.",
  },
  provider_key_exists: {
    code: "conflict",
    message: "Another request has stored a key for this provider.",
    remedy: "Read the keys again, then decide.",
  },
  rollout_already_open: {
    code: "conflict",
    message: "Another rollout is in progress.",
    remedy: "Wait until it ends, or stop it.",
  },
  service_token_name_exists: {
    code: "conflict",
    message: "The user already has a service token with this name.",
    remedy: "Choose another name, or revoke that token.",
  },
  subdivision_name_exists: {
    code: "conflict",
    message: "The client already has a subdivision with this name.",
    remedy: "Choose another name.",
  },
  worker_name_exists: {
    code: "conflict",
    message: "Another instance already uses this Worker name.",
    remedy: "Remove that instance first.",
  },
});

/** Foreign keys: deletions of a referenced record, and references to a missing one. */
export const referenceErrors = defineErrors({
  ai_gateway_in_use: {
    code: "conflict",
    message: "Instances still use this AI gateway.",
    remedy: "Move them to another AI gateway first.",
  },
  ai_gateway_left_by_move: {
    code: "conflict",
    message: "A move away from this AI gateway is in progress.",
    remedy: "Wait until it ends.",
  },
  ai_gateway_not_in_pool: {
    code: "conflict",
    message: "The pool has no entry for this AI gateway.",
    remedy: "Choose an entry of the pool.",
  },
  client_has_instance: {
    code: "conflict",
    message: "The client still has an instance.",
    remedy: "Remove the instance first.",
  },
  client_not_in_environment: {
    code: "conflict",
    message: "The client does not exist in this environment.",
    remedy: "Check the client and the environment.",
  },
  client_unknown: {
    code: "conflict",
    message: "The client does not exist.",
    remedy: "Check its ID.",
  },
  door_of_channel: {
    code: "conflict",
    message: "A channel receives its messages by this door.",
    remedy: "Delete the channel, which deletes its door.",
  },
  door_unknown: {
    code: "conflict",
    message: "The door does not exist.",
    remedy: "Check its ID.",
  },
  image_in_use: {
    code: "conflict",
    message: "Instances still run this image.",
    remedy: "Change their version first.",
  },
  image_unknown: {
    code: "conflict",
    message: "The image does not exist.",
    remedy: "Choose an image of the catalogue.",
  },
  partner_of_clients: {
    code: "conflict",
    message: "The partner still has clients.",
    remedy: "Delete them or move them to another partner first.",
  },
  partner_unknown: {
    code: "conflict",
    message: "The partner does not exist.",
    remedy: "Check its ID.",
  },
  worker_bundle_in_use: {
    code: "conflict",
    message: "Instances still run this Worker bundle.",
    remedy: "Change their version first.",
  },
  worker_bundle_unknown: {
    code: "conflict",
    message: "The Worker bundle does not exist.",
    remedy: "Choose a Worker bundle of the catalogue.",
  },
});

/** Check constraints. */
export const valueErrors = defineErrors({
  ai_gateway_capacity_negative: {
    code: "invalid_request",
    message: "The capacity of an AI gateway must be 0 or more.",
    remedy: "Send a larger capacity.",
  },
  client_status_unknown: {
    code: "invalid_request",
    message: "The status of a client must be draft, active or production.",
    remedy: "Choose one of them.",
  },
  credit_amount_out_of_range: {
    code: "invalid_request",
    message: "The amount is zero or too large.",
    remedy: "Send another amount.",
  },
  credit_reference_length: {
    code: "invalid_request",
    message: "The reference must have 1 to 255 characters.",
    remedy: "Send another reference.",
  },
  domain_malformed: {
    code: "invalid_request",
    message: "The domain must be in lowercase and have at most 253 characters.",
    remedy: "Correct the domain.",
  },
  email_not_lowercase: {
    code: "invalid_request",
    message: "The email address must be in lowercase.",
    remedy: "Send it in lowercase.",
  },
  image_without_digest: {
    code: "invalid_request",
    message: "The image must be referenced by its digest (name@sha256:…).",
    remedy: "Add the digest.",
  },
  partner_root_without_partner: {
    code: "invalid_request",
    message: "A partner root needs a partner; a platform root must not have one.",
    remedy: "Correct the role or the partner.",
  },
  plan_unknown: {
    code: "invalid_request",
    message: "The plan must be {plans}.",
    remedy: "Choose one of them.",
  },
  price_out_of_range: {
    code: "invalid_request",
    message: "The price is negative or too large.",
    remedy: "Send another price.",
  },
  rollout_waves_invalid: {
    code: "invalid_request",
    message: "A rollout has 1 to 20 waves, and the last one is 100 percent.",
    remedy: "Correct the waves.",
  },
  rollout_without_version: {
    code: "invalid_request",
    message: "A rollout needs an image or a Worker bundle.",
    remedy: "Add one of them.",
  },
  slug_not_allowed: {
    code: "invalid_request",
    message: "The slug is not allowed.",
    remedy:
      "Use at most 59 lowercase letters, digits and hyphens; it must begin and end with a letter or digit, and must not be reserved.",
  },
  withdrawn_image_as_default: {
    code: "invalid_request",
    message: "A withdrawn image cannot be the default.",
    remedy: "Choose another default, or reinstate the image.",
  },
  withdrawn_worker_bundle_as_default: {
    code: "invalid_request",
    message: "A withdrawn Worker bundle cannot be the default.",
    remedy: "Choose another default, or reinstate the Worker bundle.",
  },
});
