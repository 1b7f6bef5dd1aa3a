/** Findings of `npm run fleet -- preflight`. Each is a check that does not pass. */
import { defineErrors } from "../catalogue.ts";

export const preflightErrors = defineErrors({
  preflight_without_platform: {
    message: "The stack {stack} declares no platform.",
    remedy: "Name the platform's stack.",
  },
  preflight_check_failed: {
    message: "The check failed: {fault}",
    remedy: "Run preflight again, and check the service that it asks if it fails again.",
  },
  preflight_check_without_api: {
    message: "Not checked, because Cloudflare's API cannot be used.",
    remedy: "Correct the findings of the API and the token, and run preflight again.",
  },
  preflight_check_without_permission: {
    message: "Not checked, because CLOUDFLARE_API_TOKEN lacks the permission {permission}.",
    remedy: "Grant it {permission}, and run preflight again.",
  },
});

export const preflightApiErrors = defineErrors({
  preflight_token_not_set: {
    message: "CLOUDFLARE_API_TOKEN is not set.",
    remedy: "Set it to a token with the rights in docs/reference/permissions.md.",
  },
  preflight_api_unreachable: {
    message: "Cloudflare's API cannot be reached at {host}: {fault}",
    remedy: "Check the network and CLOUDFLARE_BASE_URL.",
  },
  preflight_api_not_cloudflare: {
    message: "{host} answers with status {status} and {type}, which is not Cloudflare's API.",
    remedy: "Check CLOUDFLARE_BASE_URL, and proxies between this machine and the API.",
  },
  preflight_request_failed: {
    message: "Cloudflare's API answers: {fault}.",
    remedy: "Run preflight again, and check the API's status if it fails again.",
  },
  preflight_token_invalid: {
    message: "Cloudflare's API refuses CLOUDFLARE_API_TOKEN: {fault}.",
    remedy: "Create a token with the rights in docs/reference/permissions.md, and set the variable to it.",
  },
  preflight_token_expires: {
    message: "CLOUDFLARE_API_TOKEN expires at {time}.",
    remedy: "Create another token before it expires, also for the automation service.",
  },
  preflight_permission_missing: {
    message: "CLOUDFLARE_API_TOKEN lacks the permission {permission}, which it needs for {use} ({fault}).",
    remedy: "Add {permission} to the token for this {scope}.",
  },
  preflight_permission_unproven: {
    message: "Whether CLOUDFLARE_API_TOKEN has the permission {permission} is unknown: the API answers {fault}.",
    remedy: "Check the permissions of the token in Cloudflare's dashboard.",
  },
  preflight_clock_differs: {
    message:
      "This machine's clock is {seconds} s {direction} Cloudflare's, so tokens that it signs or verifies are refused.",
    remedy: "Synchronize the clock, such as with NTP.",
  },
  preflight_clock_unknown: {
    message: "The API's response has no time.",
    remedy: "Check that the clock is synchronized.",
  },
});

export const preflightAccountErrors = defineErrors({
  preflight_account_not_found: {
    message: "CLOUDFLARE_API_TOKEN cannot read the account {account}: {fault}.",
    remedy: "Set platform.accountId to the account of the token, or grant it this account.",
  },
  preflight_zone_not_found: {
    message: "CLOUDFLARE_API_TOKEN cannot read the zone {zone}: {fault}.",
    remedy: "Set platform.zoneId to the zone of the domain, or grant the token this zone.",
  },
  preflight_zone_of_other_account: {
    message: "The zone {name} belongs to the account {found}, not to {account}.",
    remedy: "Set platform.accountId and platform.zoneId to an account and its zone.",
  },
  preflight_zone_inactive: {
    message: "The zone {name} has the status {status}, so its hosts do not resolve.",
    remedy: "Set the domain's name servers at its registrar to those that Cloudflare shows.",
  },
  preflight_zone_paused: {
    message: "The zone {name} is paused, so requests bypass its Workers.",
    remedy: "Resume Cloudflare for the zone in Cloudflare's dashboard.",
  },
  preflight_domain_outside_zone: {
    message: "The domain {domain} is not in the zone {name}.",
    remedy: "Set platform.zoneId to the zone of the domain, or platform.domain to a name in the zone.",
  },
  preflight_certificate_missing: {
    message:
      "No active certificate of the zone covers {host}. A universal certificate covers one label below the zone.",
    remedy: "Order an advanced certificate for {host}, or choose a domain that is the zone itself.",
  },
  preflight_certificate_unknown: {
    message: "Whether a certificate covers {host} is unknown: CLOUDFLARE_API_TOKEN lacks SSL and Certificates (Read).",
    remedy: "Check that an advanced certificate covers {host}, or grant the permission for the zone.",
  },
  preflight_access_issuer_differs: {
    message: "tenantry:accessIssuer names the host {host}, and the Zero Trust organization of the account has {found}.",
    remedy: "Set tenantry:accessIssuer to https://{found}.",
  },
  preflight_identity_provider_missing: {
    message: "The Zero Trust organization has no identity provider, so nobody can log in.",
    remedy: "Add one in Zero Trust, Settings, Authentication, such as the one-time PIN.",
  },
  preflight_product_missing: {
    message: "{product} is not enabled in the account: {fault}.",
    remedy: "{action}.",
  },
  preflight_quota_exceeded: {
    message:
      "The account would have {needed} {kind}: {others} exist beside this stack's, and it needs {planned}. The limit is {limit}.",
    remedy: "Delete unused ones, use another account, or have Cloudflare raise the limit and set platform.limits.",
  },
  preflight_quota_scarce: {
    message: "The account would have {needed} of {limit} {kind}.",
    remedy: "Plan another account, or have Cloudflare raise the limit.",
  },
  preflight_name_taken: {
    message: "The {kind} {name} exists, and the stack {stack} did not create it.",
    remedy: "Delete it if nobody uses it, or deploy to another account.",
  },
  preflight_slug_reserved: {
    message: "The slug {slug} is reserved for webhooks.",
    remedy: "Choose another slug for the client.",
  },
  preflight_bucket_kept: {
    message:
      "The R2 bucket {name} exists, and the stack {stack} did not create it. It can hold the backups of another customer.",
    remedy: "Choose another slug, or adopt it: TENANTRY_ADOPT_BUCKETS={slug}.",
  },
  preflight_image_not_pinned: {
    message: "The image {image} of platform.containerImage has no fixed tag or digest.",
    remedy: "Name a tag other than latest, or a digest.",
  },
  preflight_image_of_other_account: {
    message:
      "The image {image} of platform.containerImage is in the registry of the account {found}, which {account} cannot pull from.",
    remedy: "Push the image to registry.cloudflare.com/{account}.",
  },
  preflight_image_not_found: {
    message: "The account's registry has no image {image}.",
    remedy: "Push it: npx wrangler containers push IMAGE.",
  },
  preflight_image_unchecked: {
    message: "Whether the image {image} can be pulled cannot be checked here: {fault}.",
    remedy: "Pull it with a container engine.",
  },
  preflight_registry_not_configured: {
    message: "The registry {registry} of platform.containerImage is not configured in the account.",
    remedy:
      "Push the image to registry.cloudflare.com, or add the registry: npx wrangler containers registries configure {registry}.",
  },
});

export const preflightServiceErrors = defineErrors({
  preflight_database_unreachable: {
    message: "Failed to connect to the database at {host}: {fault}",
    remedy: "Check tenantry:databaseUrl and the network.",
  },
  preflight_database_old: {
    message: "The database is PostgreSQL {version}, and the schema requires {least} or later.",
    remedy: "Upgrade the database server.",
  },
  preflight_database_rights_missing: {
    message: "The role {role} of tenantry:databaseUrl may not {right}.",
    remedy: "Grant it that right, or use the role of the database's owner.",
  },
  preflight_database_not_encrypted: {
    message: "The connection to the database at {host} is not encrypted.",
    remedy: "Omit sslmode=disable from tenantry:databaseUrl, and enable TLS on the server.",
  },
  preflight_database_pooled: {
    message: "The connection to the database goes through a pooler: {fault}.",
    remedy: "Set tenantry:databaseUrl to the direct connection.",
  },
  preflight_database_connections_few: {
    message: "The database allows {free} more connections, and a platform uses up to {needed}.",
    remedy: "Raise max_connections or the role's limit, or end other connections.",
  },
  preflight_database_schema_refused: {
    message: "The database cannot be upgraded by this version: {fault}",
    remedy: "See docs/how-to/upgrade.md.",
  },
  preflight_rest_unreachable: {
    message: "The REST layer cannot be reached at {host}: {fault}",
    remedy: "Check tenantry:restUrl and the network.",
  },
  preflight_rest_unknown: {
    message: "{host} answers with status {status}, which is not a PostgREST API.",
    remedy: "Set tenantry:restUrl to the base of the REST layer.",
  },
  preflight_rest_key_refused: {
    message: "The REST layer refuses tenantry:serviceRoleKey: {fault}.",
    remedy: "Sign the key with the JWT secret of the REST layer. With Supabase, also set tenantry:restApiKey.",
  },
  preflight_rest_key_role: {
    message: "tenantry:serviceRoleKey has the role {role}, and the dispatch Worker requires {required}.",
    remedy: "Sign a key with the role {required}.",
  },
  preflight_rest_key_expired: {
    message: "tenantry:serviceRoleKey expired at {time}.",
    remedy: "Sign another key.",
  },
  preflight_rest_schema_hidden: {
    message: "The REST layer does not expose the schema api: {fault}.",
    remedy: "Expose the schema api in its settings.",
  },
  preflight_mail_not_set: {
    message: "Not checked, because SMTP_URL is not set.",
    remedy: "Set it to the mail server of the automation service, and run preflight again.",
  },
  preflight_mail_failed: {
    message: "The mail server {host} refuses the connection or the login: {fault}",
    remedy: "Check SMTP_URL.",
  },
  preflight_stack_missing: {
    message: "The backend has no stack {stack}.",
    remedy: "Create it: npx pulumi stack init {stack}.",
  },
  preflight_backend_failed: {
    message: "Failed to create, lock and delete a stack in the backend: {fault}",
    remedy: "Check PULUMI_BACKEND_URL, its credentials and PULUMI_CONFIG_PASSPHRASE.",
  },
  preflight_stack_locked: {
    message: "Another run has locked the stack {stack}.",
    remedy: "Wait for it. If it is dead, run npm run fleet -- recover {stack}.",
  },
});
