/** What replacing each resource type of the stack does to a running platform. */

/** `dangerous` types remove data or access that is still needed; each is protected. */
export interface ReplacementRisk {
  danger: "harmless" | "dangerous";
  /** Why inputs that replace the resource never change, or what protects the platform if they do. */
  reason: string;
}

const harmlessRisk = (reason: string): ReplacementRisk => ({ danger: "harmless", reason });
const dangerousRisk = (reason: string): ReplacementRisk => ({ danger: "dangerous", reason });

const PLATFORM_PROTECTS =
  "Account and zone identify the platform. In production `protect` on the dispatch namespace and the wildcard route makes the preview fail.";

export const REPLACEMENT_RISKS: Readonly<Record<string, ReplacementRisk>> = {
  "cloudflare:index/accountToken:AccountToken": harmlessRisk("Name and permissions change in place; the value stays."),
  "cloudflare:index/aiGateway:AiGateway": harmlessRisk(
    "A pool entry with another id is another resource. Its tenants are bound to the new gateway before the old one is deleted.",
  ),
  "cloudflare:index/dnsRecord:DnsRecord": dangerousRisk(`The type is constant. ${PLATFORM_PROTECTS}`),
  "cloudflare:index/hyperdriveConfig:HyperdriveConfig": harmlessRisk("Name and origin change in place; the id stays."),
  "cloudflare:index/queue:Queue": harmlessRisk("The name changes in place."),
  "cloudflare:index/queueConsumer:QueueConsumer": harmlessRisk("The queue is replaced with the account only."),
  "cloudflare:index/r2Bucket:R2Bucket": dangerousRisk(
    "Names are constant. A tenant's bucket in production has `retainOnDelete`; the API refuses to delete any bucket that holds objects. Location, jurisdiction and storage class are in `ignoreChanges`.",
  ),
  "cloudflare:index/r2BucketLifecycle:R2BucketLifecycle": harmlessRisk("It follows its bucket."),
  "cloudflare:index/workersCronTrigger:WorkersCronTrigger": harmlessRisk("It follows its script."),
  "cloudflare:index/workersForPlatformsDispatchNamespace:WorkersForPlatformsDispatchNamespace": dangerousRisk(
    "`protect` in production. Another environment, which would change the name, is refused before anything is declared.",
  ),
  "cloudflare:index/workersKvNamespace:WorkersKvNamespace": harmlessRisk(
    "The title changes in place. The entries are an index that the dispatch Worker fills from the database.",
  ),
  "cloudflare:index/workersRoute:WorkersRoute": dangerousRisk(
    `Pattern and script change in place. ${PLATFORM_PROTECTS}`,
  ),
  "cloudflare:index/workersScript:WorkersScript": dangerousRisk(
    "Names are constant within an environment, and another environment is refused.",
  ),
  "cloudflare:index/zeroTrustAccessApplication:ZeroTrustAccessApplication": harmlessRisk(
    "Name, domain and policies change in place; the audience tag stays.",
  ),
  "cloudflare:index/zeroTrustAccessGroup:ZeroTrustAccessGroup": harmlessRisk("Name and rules change in place."),
  "cloudflare:index/zeroTrustAccessPolicy:ZeroTrustAccessPolicy": harmlessRisk("Name and rules change in place."),
  "postgresql:index/defaultPrivileges:DefaultPrivileges": harmlessRisk(
    "Another owner (the user of `databaseUrl`) gets its own before the old ones are deleted. `withGrantOption` is never declared: a change of it would revoke what was just granted.",
  ),
  "postgresql:index/grant:Grant": dangerousRisk(
    "Rights are lost from the delete to the create, and stay lost when the create fails. Do not declare rights on named objects with it: `objects` changes with every new table.",
  ),
  "postgresql:index/grantRole:GrantRole": dangerousRisk(
    "A change of `withAdminOption` ends the membership; it is never declared. Role names are constant. For a role that the stack declares itself, `roles` of that role lists the membership too.",
  ),
  "postgresql:index/role:Role": dangerousRisk(
    "It is never replaced, but every update, such as of the password, ends the memberships that `roles` does not list. Each membership of a declared role must be in its `roles`. A rename leaves the old id in the state, so names must stay constant.",
  ),
  "postgresql:index/schema:Schema": dangerousRisk(
    "`retainOnDelete`. The engine reads it from the state of the previous run, so it protects from the second run on.",
  ),
  "random:index/randomPassword:RandomPassword": dangerousRisk(
    "A new value is a new secret: roles, Workers and services get it one after another, and requests in between fail or are retried. Change its inputs only to rotate the secret.",
  ),
  "tenantry:index:ContainerApplication": dangerousRisk(
    "Names are constant. In production the last backup is made before the delete, which is after the new containers have started.",
  ),
  "tenantry:index:DatabaseRecord": dangerousRisk(
    "Keys are part of the resource's name, so another key is another resource. `RemovalCheck` refuses to remove a client if other rows refer to its rows.",
  ),
  "tenantry:index:Door": harmlessRisk(
    "Only another kind or instance replaces a door. The vendor needs the new address then; the former one refuses webhooks.",
  ),
  "tenantry:index:EndedSessions": harmlessRisk("The delete removes nothing. Every change is made in place."),
  "tenantry:index:MemberGroup": harmlessRisk("Name and groups change in place; members stay."),
  "tenantry:index:Migrations": harmlessRisk(
    "The delete removes nothing. `protect` in production refuses the replacement.",
  ),
  "tenantry:index:NamespacedScript": dangerousRisk(
    "Names are constant within an environment, and the namespace is protected in production.",
  ),
  "tenantry:index:ObjectClasses": harmlessRisk(
    "The delete removes nothing. Different classes for an existing script are refused.",
  ),
  "tenantry:index:RightsRoles": harmlessRisk("The delete removes nothing. Every change is made in place."),
  "tenantry:index:RemovalCheck": harmlessRisk("The delete removes nothing. Names are constant."),
};
