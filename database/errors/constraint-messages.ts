import { plans } from "#domain/plans/plan.ts";

const orList = new Intl.ListFormat("en-GB", { type: "disjunction" });

export const RECORD_NAMES: Readonly<Record<string, string>> = {
  account_capacity: "capacity count",
  account_limits: "account limit",
  ai_gateways: "AI gateway",
  billing_accounts: "billing account",
  client_plans: "plan period",
  client_subdivisions: "subdivision",
  client_user_instances: "assignment",
  client_user_subdivisions: "assignment",
  client_users: "user",
  clients: "client",
  credit_entries: "ledger entry",
  credit_pools: "credit balance",
  dashboard_users: "dashboard user",
  images: "image",
  incidents: "incident",
  instances: "instance",
  invoice_line_items: "invoice line",
  invoices: "invoice",
  jobs: "job",
  mails: "mail",
  partner_domains: "domain",
  partners: "partner",
  prices: "price",
  rollout_tenants: "rollout step",
  rollouts: "rollout",
  usage_daily: "usage record",
  users: "person",
  worker_bundles: "Worker bundle",
};

/** Unique constraints and indexes. */
export const ALREADY_EXISTS: Readonly<Record<string, string>> = {
  ai_gateways_gateway_id_key:
    "The pool already has an entry for this AI gateway. Change that entry, or choose another ID.",
  ai_gateways_id_gateway_id_key:
    "The pool already has an entry for this AI gateway. Change that entry, or choose another ID.",
  client_subdivisions_client_id_name_key: "The client already has a subdivision with this name. Choose another name.",
  client_users_client_id_email_key:
    "The client already has a user with this email address. Change that user, or use another address.",
  clients_environment_slug_key: "A client with this slug already exists. Choose another slug.",
  credit_entries_client_id_reference_key: "The ledger already has an entry with this reference. Use another reference.",
  dashboard_users_environment_email_key:
    "A dashboard user with this email address already exists. Change that user, or use another address.",
  images_default: "Another image is already the default. Try again.",
  images_environment_reference_key: "The catalog already has this image.",
  instances_client_id_key: "The client already has an instance.",
  instances_worker_name_key: "Another instance already uses this Worker name. Remove that instance first.",
  invoices_period: "The client already has an invoice for this month. Void it first.",
  jobs_deletion: "The deletion of this client is already in progress.",
  partner_domains_hostname_key: "This domain is already registered. Remove it there first, or choose another domain.",
  partners_environment_slug_key: "A partner with this slug already exists. Choose another slug.",
  prices_environment_plan_metric_valid_from_key:
    "A price for this plan, metric and date already exists. Change it instead.",
  rollouts_open: "Another rollout is in progress. Wait until it ends, or stop it.",
  users_environment_partner_id_email_key:
    "A person with this email address already exists. Change that person, or use another address.",
  worker_bundles_default: "Another Worker bundle is already the default. Try again.",
};

/** Foreign keys: messages for deleting a referenced record, and for referencing a missing one. */
export const REFERENCES: Readonly<Record<string, { inUse: string; missing: string }>> = {
  clients_partner_id_fkey: {
    inUse: "The partner still has clients. Delete them or move them to another partner first.",
    missing: "The partner does not exist.",
  },
  instances_ai_gateway_is_the_pool_entrys: {
    inUse: "Instances still use this AI gateway. Move them to another AI gateway first.",
    missing: "The pool has no entry for this AI gateway.",
  },
  instances_bundle_id_fkey: {
    inUse: "Instances still run this Worker bundle. Change their version first.",
    missing: "The Worker bundle does not exist.",
  },
  instances_client_id_fkey: {
    inUse: "The client still has an instance. Remove the instance first.",
    missing: "The client does not exist.",
  },
  instances_client_of_environment: {
    inUse: "The client still has an instance. Remove the instance first.",
    missing: "The client does not exist in this environment.",
  },
  instances_held_pool_id_fkey: {
    inUse: "A move away from this AI gateway is in progress. Wait until it ends.",
    missing: "The pool has no entry for this AI gateway.",
  },
  instances_image_id_fkey: {
    inUse: "Instances still run this image. Change their version first.",
    missing: "The image does not exist.",
  },
};

/** Check constraints. */
export const NOT_ALLOWED: Readonly<Record<string, string>> = {
  ai_gateways_max_instances_check: "The capacity of an AI gateway must be 0 or more.",
  client_users_email_check: "The email address must be in lowercase.",
  clients_billing_plan_check: `The plan must be ${orList.format(plans)}.`,
  clients_slug_is_a_tenant_label:
    "The slug is not allowed. Use at most 59 lowercase letters, digits and hyphens; it must begin and end with a letter or digit, and must not be reserved.",
  clients_status_check: "The status of a client must be draft, active or production.",
  credit_entries_amount_micros_check: "The amount is zero or too large.",
  credit_entries_reference_check: "The reference must have 1 to 255 characters.",
  dashboard_users_email_check: "The email address must be in lowercase.",
  dashboard_users_partner_root_has_partner: "A partner root needs a partner; a platform root must not have one.",
  images_default_is_not_withdrawn: "A withdrawn image cannot be the default.",
  images_reference_check: "The image must be referenced by its digest (name@sha256:…).",
  partner_domains_hostname_check: "The domain must be in lowercase and have at most 253 characters.",
  prices_micros_check: "The price is negative or too large.",
  rollouts_of_something: "A rollout needs an image or a Worker bundle.",
  rollouts_waves_check: "A rollout has 1 to 20 waves, and the last one is 100 percent.",
  users_email_check: "The email address must be in lowercase.",
  worker_bundles_default_is_not_withdrawn: "A withdrawn Worker bundle cannot be the default.",
};
