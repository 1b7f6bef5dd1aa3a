/** Refusals by rules of `domain/`. A separate file, because Workers load those rules. */
import { defineErrors } from "../catalogue.ts";

export const planRuleErrors = defineErrors({
  account_limit_exceeded: {
    message: "{count} {kind} (tenants: {tenants}), of which it may hold {limit}.",
    remedy:
      "Remove tenants in a run of its own, or move them to another account; if its plan has more, set limits.{setting} under tenantry:platform in the platform's stack.",
  },
  foreign_owner: {
    message: "{what} belongs to the stack {owner}.",
    remedy:
      "Choose another name, or remove it there. To take it over, for example after `pulumi state move`, set {variable}={name} for one run.",
  },
  pool_gateway_still_bound: {
    message: "{gateway} is still bound by {tenants}.",
    remedy: "Give them another gateway before it is removed.",
  },
  pool_gateway_too_small: {
    message: "{gateway} has a capacity of {capacity}, and is bound by {bound} ({tenants}).",
    remedy: "Raise it, or move them.",
  },
  tenants_on_several_platforms: {
    message: "A stack has one platform for all of its tenants, and a slug is one tenant's at all platforms.",
    remedy: "Declare what is at each in a stack of its own, or choose other slugs.",
  },
  platform_without_room: {
    message: "A stack has one platform for all of its tenants, and {platform} has {tenants}.",
    remedy: "Declare a tenant that does not fit there in a stack of its own.",
  },
  no_platform_with_room: {
    message: "No platform has room for this stack's tenants.",
    remedy: "Make room at one, or name more of them in tenantry:platformStack.",
  },
  platform_has_tenants: {
    message: "{platform} has {tenants}.",
    remedy: "Declare them in a stack of their own.",
  },
});
