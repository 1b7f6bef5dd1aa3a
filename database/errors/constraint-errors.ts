import {
  duplicateErrors as duplicate,
  referenceErrors as reference,
  valueErrors as value,
} from "#domain/errors/database/constraints.ts";
import { type StatedError, stateError } from "#domain/errors/stated.ts";
import { plans } from "#domain/plans/plan.ts";

const orList = new Intl.ListFormat("en-GB", { type: "disjunction" });

export const RECORD_NAMES: Readonly<Record<string, string>> = {
  account_capacity: "capacity count",
  account_limits: "account limit",
  ai_gateways: "AI gateway",
  billing_accounts: "billing account",
  channels: "channel",
  client_plans: "plan period",
  client_subdivisions: "subdivision",
  client_user_instances: "assignment",
  client_user_subdivisions: "assignment",
  client_users: "user",
  clients: "client",
  credit_entries: "ledger entry",
  credit_pools: "credit balance",
  dashboard_users: "dashboard user",
  doors: "door",
  egress_secrets: "egress secret",
  images: "image",
  incidents: "incident",
  instances: "instance",
  invoice_line_items: "invoice line",
  invoices: "invoice",
  jobs: "job",
  mails: "mail",
  notification_deliveries: "delivery",
  notification_settings: "notification setting",
  notifications: "notification",
  partner_domains: "domain",
  partners: "partner",
  prices: "price",
  provider_keys: "provider key",
  rollout_tenants: "rollout step",
  rollouts: "rollout",
  service_tokens: "service token",
  usage_daily: "usage record",
  users: "person",
  worker_bundles: "Worker bundle",
};

/** Errors by constraint. Unique constraints and indexes: */
export const ALREADY_EXISTS: Readonly<Record<string, StatedError>> = {
  ai_gateways_gateway_id_key: stateError(duplicate.ai_gateway_already_in_pool),
  ai_gateways_id_gateway_id_key: stateError(duplicate.ai_gateway_already_in_pool),
  channels_environment_messenger_account_id_key: stateError(duplicate.channel_account_in_use),
  channels_instance_id_messenger_key: stateError(duplicate.channel_kind_exists),
  client_subdivisions_client_id_name_key: stateError(duplicate.subdivision_name_exists),
  client_users_client_id_email_key: stateError(duplicate.client_user_exists),
  clients_environment_slug_key: stateError(duplicate.client_slug_exists),
  credit_entries_client_id_reference_key: stateError(duplicate.ledger_reference_exists),
  dashboard_users_environment_email_key: stateError(duplicate.dashboard_user_exists),
  doors_instance_id_name_key: stateError(duplicate.door_name_exists),
  egress_secrets_instance_id_host_header_key: stateError(duplicate.egress_secret_exists),
  egress_secrets_instance_id_name_key: stateError(duplicate.egress_secret_exists),
  images_default: stateError(duplicate.default_image_changed_meanwhile),
  images_environment_reference_key: stateError(duplicate.image_already_in_catalogue),
  instances_client_id_key: stateError(duplicate.client_already_has_instance),
  instances_worker_name_key: stateError(duplicate.worker_name_exists),
  invoices_period: stateError(duplicate.invoice_of_month_exists),
  jobs_deletion: stateError(duplicate.client_deletion_in_progress),
  partner_domains_hostname_key: stateError(duplicate.domain_registered),
  partners_environment_slug_key: stateError(duplicate.partner_slug_exists),
  prices_environment_plan_metric_valid_from_key: stateError(duplicate.price_exists),
  provider_keys_instance_id_provider_key: stateError(duplicate.provider_key_exists),
  rollouts_open: stateError(duplicate.rollout_already_open),
  service_tokens_client_user_id_name_key: stateError(duplicate.service_token_name_exists),
  users_environment_partner_id_email_key: stateError(duplicate.person_exists),
  worker_bundles_default: stateError(duplicate.default_worker_bundle_changed_meanwhile),
};

/** Foreign keys: for deleting a referenced record, and for referencing a missing one. */
export const REFERENCES: Readonly<Record<string, { inUse: StatedError; missing: StatedError }>> = {
  channels_door_id_fkey: {
    inUse: stateError(reference.door_of_channel),
    missing: stateError(reference.door_unknown),
  },
  clients_partner_id_fkey: {
    inUse: stateError(reference.partner_of_clients),
    missing: stateError(reference.partner_unknown),
  },
  instances_ai_gateway_is_the_pool_entrys: {
    inUse: stateError(reference.ai_gateway_in_use),
    missing: stateError(reference.ai_gateway_not_in_pool),
  },
  instances_bundle_id_fkey: {
    inUse: stateError(reference.worker_bundle_in_use),
    missing: stateError(reference.worker_bundle_unknown),
  },
  instances_client_id_fkey: {
    inUse: stateError(reference.client_has_instance),
    missing: stateError(reference.client_unknown),
  },
  instances_client_of_environment: {
    inUse: stateError(reference.client_has_instance),
    missing: stateError(reference.client_not_in_environment),
  },
  instances_held_pool_id_fkey: {
    inUse: stateError(reference.ai_gateway_left_by_move),
    missing: stateError(reference.ai_gateway_not_in_pool),
  },
  instances_image_id_fkey: { inUse: stateError(reference.image_in_use), missing: stateError(reference.image_unknown) },
};

/** Check constraints. */
export const NOT_ALLOWED: Readonly<Record<string, StatedError>> = {
  ai_gateways_max_instances_check: stateError(value.ai_gateway_capacity_negative),
  client_users_email_check: stateError(value.email_not_lowercase),
  clients_billing_plan_check: stateError(value.plan_unknown, { plans: orList.format(plans) }),
  clients_slug_is_a_tenant_label: stateError(value.slug_not_allowed),
  clients_status_check: stateError(value.client_status_unknown),
  credit_entries_amount_micros_check: stateError(value.credit_amount_out_of_range),
  credit_entries_reference_check: stateError(value.credit_reference_length),
  dashboard_users_email_check: stateError(value.email_not_lowercase),
  dashboard_users_partner_root_has_partner: stateError(value.partner_root_without_partner),
  images_default_is_not_withdrawn: stateError(value.withdrawn_image_as_default),
  images_reference_check: stateError(value.image_without_digest),
  partner_domains_hostname_check: stateError(value.domain_malformed),
  prices_micros_check: stateError(value.price_out_of_range),
  rollouts_of_something: stateError(value.rollout_without_version),
  rollouts_waves_check: stateError(value.rollout_waves_invalid),
  users_email_check: stateError(value.email_not_lowercase),
  worker_bundles_default_is_not_withdrawn: stateError(value.withdrawn_worker_bundle_as_default),
};
