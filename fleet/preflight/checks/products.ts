/** Products that the account has to enable or buy. */
import { preflightAccountErrors as errors, preflightErrors } from "#domain/errors/commands/fleet-preflight.ts";
import { type Check, failed, passed, skipped } from "../check.ts";
import { type Answer, faultOf, isDenied, isSuccess } from "../cloudflare.ts";

interface Product {
  id: string;
  name: string;
  /** Below the account; lists something. */
  probe: string;
  permission: string;
  /** Whether the answer says that the account does not have it. */
  isMissing: (answer: Answer) => boolean;
  action: string;
}

const hasCode =
  (code: number) =>
  ({ envelope }: Answer) =>
    envelope?.errors.some((error) => error.code === code) ?? false;
const says =
  (pattern: RegExp) =>
  ({ envelope }: Answer) =>
    envelope?.errors.some(({ message }) => pattern.test(message)) ?? false;
/** A refusal that is not for the lack of a permission. */
const isRefused = (answer: Answer) => answer.status === 403 && answer.envelope !== undefined && !isDenied(answer);

/** The refusals' sources are in `packages/edge/src/cloudflare/api/products.ts`. Others are not documented. */
const PRODUCTS: readonly Product[] = [
  {
    id: "workers_for_platforms",
    name: "Workers for Platforms",
    probe: "workers/dispatch/namespaces",
    permission: "Workers Scripts (Read)",
    isMissing: hasCode(10121),
    action: "Buy Workers for Platforms in Cloudflare's dashboard, and wait some minutes",
  },
  {
    id: "containers",
    name: "Containers",
    probe: "containers/applications",
    permission: "Workers Containers (Read)",
    isMissing: says(/Workers Paid plan|access to Cloudflare Containers/),
    action: "Choose the plan Workers Paid in Cloudflare's dashboard",
  },
  {
    id: "r2",
    name: "R2",
    probe: "r2/buckets",
    permission: "Workers R2 Storage (Read)",
    isMissing: hasCode(10042),
    action: "Enable R2 in Cloudflare's dashboard",
  },
  {
    id: "analytics_engine",
    name: "Analytics Engine",
    probe: "analytics_engine/sql?query=SHOW%20TABLES",
    permission: "Account Analytics (Read)",
    isMissing: ({ status, envelope }) => status === 403 && envelope === undefined,
    action: "Open Workers, Analytics Engine in Cloudflare's dashboard once",
  },
  {
    id: "ai_gateway",
    name: "AI Gateway",
    probe: "ai-gateway/gateways",
    permission: "AI Gateway (Read)",
    isMissing: isRefused,
    action: "Open AI, AI Gateway in Cloudflare's dashboard",
  },
  {
    id: "queues",
    name: "Queues",
    probe: "queues",
    permission: "Queues (Read)",
    isMissing: isRefused,
    action: "Choose the plan Workers Paid in Cloudflare's dashboard",
  },
  {
    id: "hyperdrive",
    name: "Hyperdrive",
    probe: "hyperdrive/configs",
    permission: "Hyperdrive (Read)",
    isMissing: isRefused,
    action: "Open Workers, Hyperdrive in Cloudflare's dashboard",
  },
  {
    id: "zero_trust",
    name: "Zero Trust",
    probe: "access/organizations",
    permission: "Access: Organizations, Identity Providers, and Groups (Read)",
    isMissing: (answer) => says(/access\.api\.error\.not_enabled/)(answer) || answer.status === 404,
    action: "Open Zero Trust in Cloudflare's dashboard, and choose a team name and a plan",
  },
];

/** Returns the product whose absence the answer states, except by a mere status. */
export const productRefusal = (answer: Answer): string | undefined =>
  answer.status === 404 ? undefined : PRODUCTS.find(({ isMissing }) => isMissing(answer))?.name;

export const productChecks: readonly Check[] = PRODUCTS.map(
  ({ id, name: product, probe, permission, isMissing, action }) => ({
    id: `product_${id}`,
    title: `Product ${product}`,
    async run({ api, settings }) {
      const answer = await api.get(`/accounts/${settings.platform.accountId}/${probe}`);
      if (isMissing(answer))
        return failed(errors.preflight_product_missing, { product, fault: faultOf(answer), action });
      if (isDenied(answer)) return skipped(preflightErrors.preflight_check_without_permission, { permission });
      // The SQL service has no envelope.
      if (isSuccess(answer) || answer.status === 200) return passed();
      return failed(preflightErrors.preflight_check_failed, { fault: `${faultOf(answer)}.` });
    },
  }),
);
