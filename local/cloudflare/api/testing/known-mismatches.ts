/** Where the local API differs from what the `cloudflare` package declares, and why. */
const told = "The vendor tells it, and the package does not declare it: only as a help where the declared ways fail.";
const containers =
  "Containers of a class are declared by the upload alone, which the package does not know yet; wrangler sends it so.";
const version =
  "The id of the new version, which wrangler reads and prints, and the package declares nowhere in an upload's answer.";
const ownPolicy =
  "The package's comment allows policies of the application alone, which its type leaves without their fields.";

/** By `METHOD answers|takes PATH: PROBLEM`, each with its reason. */
export const knownMismatches: Readonly<Record<string, string>> = {
  "durableObjects.namespaces.list answers [].dispatch_namespace: is not declared": told,
  "workersForPlatforms.dispatch.namespaces.scripts.settings.edit answers containers: is not declared": told,
  "workersForPlatforms.dispatch.namespaces.scripts.settings.get answers containers: is not declared": told,
  "workersForPlatforms.dispatch.namespaces.scripts.update takes metadata.containers: is not declared": containers,
  "workers.scripts.update answers deployment_id: is not declared": version,
  "workersForPlatforms.dispatch.namespaces.scripts.update answers deployment_id: is not declared": version,
  "zeroTrust.access.applications.create takes policies[].decision: is not declared": ownPolicy,
  "zeroTrust.access.applications.create takes policies[].include: is not declared": ownPolicy,
  "zeroTrust.access.applications.create takes policies[].name: is not declared": ownPolicy,
  "zeroTrust.access.applications.update takes policies[].decision: is not declared": ownPolicy,
  "zeroTrust.access.applications.update takes policies[].include: is not declared": ownPolicy,
  "zeroTrust.access.applications.update takes policies[].name: is not declared": ownPolicy,
};
