/** In the order of the coverage table. */
import type { RecordKind } from "../account/records.ts";
import type { BindingTypes } from "./binding.ts";
import type { Kind } from "./kind.ts";
import { access } from "./kinds/access/access.ts";
import { accounts } from "./kinds/accounts/accounts.ts";
import { aiGateways } from "./kinds/ai-gateways/ai-gateways.ts";
import { analytics } from "./kinds/analytics/analytics.ts";
import { assets } from "./kinds/assets/assets.ts";
import { browser } from "./kinds/browser/browser.ts";
import { certificatePacks } from "./kinds/certificate-packs/certificate-packs.ts";
import { containers } from "./kinds/containers/containers.ts";
import { cronTriggers } from "./kinds/cron-triggers/cron-triggers.ts";
import { dispatchNamespaces } from "./kinds/dispatch-namespaces/dispatch-namespaces.ts";
import { dns } from "./kinds/dns/dns.ts";
import { durableObjects } from "./kinds/durable-objects/durable-objects.ts";
import { healthchecks } from "./kinds/healthchecks/healthchecks.ts";
import { hyperdrive } from "./kinds/hyperdrive/hyperdrive.ts";
import { kv } from "./kinds/kv/kv.ts";
import { lists } from "./kinds/lists/lists.ts";
import { namespacedScripts } from "./kinds/namespaced-scripts/namespaced-scripts.ts";
import { queues } from "./kinds/queues/queues.ts";
import { r2 } from "./kinds/r2/r2.ts";
import { r2EventNotifications } from "./kinds/r2-event-notifications/r2-event-notifications.ts";
import { routes } from "./kinds/routes/routes.ts";
import { scripts } from "./kinds/scripts/scripts.ts";
import { tokens } from "./kinds/tokens/tokens.ts";
import { user } from "./kinds/user/user.ts";
import { zones } from "./kinds/zones/zones.ts";

export const kinds: readonly Kind[] = [
  accounts,
  user,
  tokens,
  zones,
  certificatePacks,
  dns,
  healthchecks,
  routes,
  scripts,
  assets,
  cronTriggers,
  dispatchNamespaces,
  namespacedScripts,
  durableObjects,
  containers,
  kv,
  r2,
  r2EventNotifications,
  queues,
  hyperdrive,
  access,
  lists,
  aiGateways,
  analytics,
  browser,
];

export const apiParts = kinds.flatMap(({ api }) => api ?? []);

export const bindingTypes: BindingTypes = Object.assign({}, ...kinds.map(({ bindings }) => bindings));

/** Kinds of records from which processes of Workers are built. */
export const ingredients = { account: ingredientsOf("account"), namespaced: ingredientsOf("namespaced") };

function ingredientsOf(whose: "account" | "namespaced"): ReadonlySet<RecordKind> {
  return new Set(kinds.flatMap((kind) => kind.ingredients?.[whose] ?? []));
}
