import { LIMITS } from "@tenantry/cloudflare-limits/limits";

const longestRule = 100;

/** Splits the rules of `run_worker_first` by target. Rules with `!`, for files, take precedence. */
export function routingRules(rules: readonly string[]): { user_worker: string[]; asset_worker: string[] } {
  return {
    user_worker: rules.filter((rule) => !rule.startsWith("!")),
    asset_worker: rules.filter((rule) => rule.startsWith("!")).map((rule) => rule.slice(1)),
  };
}

/** Returns a message for each rule that Cloudflare refuses. */
export function faultsOfRules(rules: readonly string[]): string[] {
  if (rules.length === 0) return ["must provide at least 1 rule"];
  if (rules.length > LIMITS.assetRoutingRules.value) {
    return [`${rules.length} rules provided exceeds max of ${LIMITS.assetRoutingRules.value}`];
  }
  const misplaced = rules.filter((rule) => !/^!?\//.test(rule)).map((rule) => `'${rule}' must start with '/' or '!/'`);
  const { user_worker, asset_worker } = routingRules(rules);
  const oneSided = user_worker.length === 0 ? ["must provide at least 1 non-negative rule"] : [];
  return [...misplaced, ...oneSided, ...faultsAmong(user_worker), ...faultsAmong(asset_worker)];
}

function faultsAmong(rules: readonly string[]): string[] {
  return rules.flatMap((rule, index) => {
    const faults: string[] = [];
    if (rule.length > longestRule) faults.push(`'${rule}' must be less than ${longestRule} characters`);
    if (rules.indexOf(rule) < index) faults.push(`'${rule}' is a duplicate`);
    const wider = rules.find((other) => other !== rule && other.endsWith("*") && rule.startsWith(other.slice(0, -1)));
    if (wider !== undefined) faults.push(`'${wider}' makes '${rule}' redundant`);
    return faults;
  });
}
