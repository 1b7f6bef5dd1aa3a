/** Refusals of a plan: a heading, and below it a fault for each tenant, AI gateway or partner. */
import { defineErrors } from "../catalogue.ts";

/** Headings. Each fault below a heading has its own remedy. */
export const planRefusals = defineErrors({
  account_limits_exceeded: {
    message: "The account would exceed its limits.",
    remedy: "Follow the remedy of each limit.",
  },
  deployed_database_empty: {
    message: "The database of a deployed platform is empty.",
    remedy: "Correct the database URL, or restore a dump.",
  },
  platform_environment_fixed: {
    message: "The environment of a deployed platform cannot be changed.",
    remedy: "Keep the environment, and deploy another one from another stack.",
  },
  declared_elsewhere: {
    message: "Another stack owns what this stack declares.",
    remedy: "Choose other names, or take the resources over.",
  },
  doors_refused: {
    message: "Doors that cannot be created.",
    remedy: "Follow the remedy of each door.",
  },
  kept_buckets_found: {
    message: "Backup buckets of earlier tenants.",
    remedy: "Decide for each bucket whether the new tenant uses it.",
  },
  managed_by_dashboard: {
    message: "Clients that the dashboard manages.",
    remedy: "Hand each client over to Git first.",
  },
  clients_declared_in_git: {
    message: "Clients that are declared in Git.",
    remedy: "Hand each client over to the dashboard first.",
  },
  no_ai_gateway_available: {
    message: "No AI gateway is available for every tenant.",
    remedy: "Add a pool gateway, raise a capacity, or allow dedicated ones.",
  },
  partners_unknown: {
    message: "Clients of unknown partners.",
    remedy: "Declare the partners, or deploy them first.",
  },
  pool_too_small: {
    message: "Tenants would lose their AI gateways.",
    remedy: "Give the tenants other gateways first.",
  },
  pool_of_other_environment: {
    message: "AI gateways of another environment's pool.",
    remedy: "Choose other ids.",
  },
  slug_reserved: {
    message: "A client has a reserved slug.",
    remedy: "Choose another slug.",
  },
  platform_named_twice: {
    message: "tenantry:platformStack names one platform twice.",
    remedy: "Remove one of the names.",
  },
});

/** Faults below a heading. */
export const planErrors = defineErrors({
  database_without_schema: {
    message:
      'The database "{database}" on {server} has no Tenantry schema, but the account has this platform\'s Worker {script}.',
    remedy:
      "Set tenantry:databaseUrl to the platform's database, or restore a dump into this one. To deploy a new platform, delete that Worker.",
  },
  stack_has_other_environment: {
    message: "The stack {stack} has the platform of {found}.",
    remedy: "Set tenantry:environment to {found} again, and deploy {environment} from another stack.",
  },
  adopted_client_not_declared: {
    message: "{slug}: this stack declares no such client.",
    remedy: "Correct {variable}.",
  },
  adopted_bucket_not_found: {
    message: "{slug}: there is no bucket {bucket} to adopt.",
    remedy: "Remove the slug from {variable}.",
  },
  kept_bucket_of_deployment: {
    message: "{slug}: the bucket {bucket} of an earlier deployment exists.",
    remedy:
      "To use it and its backups for this tenant, set {variable}={slug} for this run. Otherwise empty and delete it.",
  },
  kept_bucket_of_client: {
    message: "{slug}: the bucket {bucket} holds the backups of an earlier client with this slug.",
    remedy:
      "To use them, a platform root provisions the instance again with “Use kept backups” (use_kept_backups in the API). To start without them, empty and delete the bucket.",
  },
  client_of_dashboard: {
    message: "{slug}: the dashboard manages the client.",
    remedy:
      "To declare it in Git, npm run fleet -- adopt {slug}; to end a release that was interrupted, npm run fleet -- release {slug}.",
  },
  deleted_client_has_slug: {
    message: "{slug}: a deleted client has this slug until {time}.",
    remedy:
      "To keep that client, restore it in the dashboard (POST /client/{id}/restore), then npm run fleet -- adopt {slug}. To declare a new one, end its grace period now (DELETE /client/{id}?now=true), wait until it is removed, and deploy again.",
  },
  client_has_doors_host: {
    message: "{slug}: the client has the host of webhooks, and Access asks their senders for a login.",
    remedy:
      "Create a client with another slug, restore a backup of this one there, and delete this one. Until then its tenant works, and no door receives webhooks.",
  },
  client_slug_reserved: {
    message: "{slug}: the slug is reserved for webhooks.",
    remedy: "Choose another.",
  },
  door_declared_elsewhere: {
    message: "{slug}: the dashboard or another stack has a door {name}.",
    remedy: "Choose another name, or delete that door.",
  },
  doors_beyond_plan: {
    message: "{slug}: the client would have {count} doors, and its plan {plan} allows {limit}.",
    remedy: "Remove doors here or in the dashboard, or change the plan.",
  },
  client_of_git: {
    message: "{slug}: Git declares the client.",
    remedy: "To leave it to the dashboard, npm run fleet -- release {slug}.",
  },
  dashboard_client_not_found: {
    message: "The dashboard has no client {slug}.",
    remedy: "Create it there first.",
  },
  gateway_capacity_missing: {
    message: "{slug}: {code}: {fault}.",
    remedy: "{remedy}.",
  },
  client_partner_unknown: {
    message: "{slug}: unknown partner {partner}.",
    remedy: "Declare it here or deploy it first.",
  },
  partner_still_used: {
    message: "{slug}: another stack's client has the partner {partner}.",
    remedy: "Declare it until that has another.",
  },
  pool_gateway_of_other_environment: {
    message: "{gateway}: {environment}'s stack declares it.",
    remedy: "Choose another id.",
  },
  platform_alias: { message: "{first} and {second} are one platform.", remedy: "Remove one of the two." },
  platform_database_unreadable: {
    message: "The database{owner} cannot be read ({code}).",
    remedy: "Check tenantry:databaseUrl{place} and that the server runs.",
  },
  database_url_invalid: {
    message: "tenantry:databaseUrl: the URL is invalid.",
    remedy: "Use the form postgres://user:password@host:port/database.",
  },
});
