/** AI gateways, which tenants call, and their logs, by which usage is counted. */
import * as z from "zod";
import { type Case, casesOf, NOT_DOCUMENTED, type Product } from "../case.ts";
import { all, checkEqual, checkShape, checkThat } from "../checks.ts";
import { countedList } from "../counted-list.ts";
import { lifecycleCases, operationsOf } from "../lifecycle.ts";
import type { Client } from "../run/client.ts";
import type { Scope } from "../run/scope.ts";

const gateways: Product = {
  name: "ai-gateway",
  permission: "AI Gateway (Edit)",
  creates: ["ai_gateway"],
  standIn: "cloudflare/kinds/ai-gateways/api.ts",
};
const reading: Product = { ...gateways, permission: "AI Gateway (Read)", creates: [] };
const logs: Product = { ...gateways, standIn: "cloudflare/kinds/ai-gateways/logs-api.ts" };
const calls: Product = { ...gateways, standIn: "ai-gateway/refusal.ts" };

const path = "/accounts/:account_id/ai-gateway/gateways" as const;
const item = `${path}/:id` as const;
const entries = `${path}/:gateway_id/logs` as const;
const SOURCE = "https://developers.cloudflare.com/api/resources/ai_gateway/";

/** Usage is read every few minutes. */
const LONGEST_MS = 300_000;

/** As `components/ai-gateways/ai-gateway.ts` declares it, without DLP, which needs profiles of the account. */
const settings = {
  authentication: true,
  collect_logs: true,
  cache_invalidate_on_update: true,
  cache_ttl: 0,
  rate_limiting_interval: 0,
  rate_limiting_limit: 0,
};

async function create({ sdk }: Client, { account_id, own }: Scope, more: object = {}): Promise<string> {
  const id = own("ai_gateway");
  return (await sdk.aiGateway.create({ account_id, id, ...settings, ...more })).id;
}

const refusal = (code: number) =>
  z.looseObject({ success: z.literal(false), error: z.array(z.looseObject({ code: z.literal(code) })) });

export const aiGatewayCases: Case[] = [
  ...lifecycleCases(gateways, {
    name: "gateway",
    title: "an AI gateway",
    source: SOURCE,
    operations: operationsOf(path, item, "PUT"),
    create: (client, scope) => create(client, scope),
    read: ({ sdk }, { account_id }, id) => sdk.aiGateway.get(id, { account_id }),
    shape: z.looseObject({
      id: z.string(),
      created_at: z.iso.datetime({ offset: true }),
      authentication: z.literal(true),
      collect_logs: z.literal(true),
      cache_ttl: z.literal(0).nullable(),
    }),
    again: {
      async create(client, scope) {
        const { account_id } = scope;
        const id = await create(client, scope);
        return { call: client.sdk.aiGateway.create({ account_id, id, ...settings }) };
      },
      outcome: { status: 400 },
      source: NOT_DOCUMENTED,
    },
    list: async ({ sdk }, { account_id }) => (await all(sdk.aiGateway.list({ account_id }))).map(({ id }) => id),
    update: {
      send: ({ sdk }, { account_id }, id) => sdk.aiGateway.update(id, { account_id, ...settings, cache_ttl: 60 }),
      shape: z.looseObject({ cache_ttl: z.literal(60), authentication: z.literal(true) }),
      reliesOn: "An update replaces the settings of a gateway.",
    },
    remove: ({ sdk }, { account_id }, id) => sdk.aiGateway.delete(id, { account_id }),
  }),
  ...casesOf(reading, {
    "gateway-page-size": {
      operations: [`GET ${path}`],
      reliesOn: "The list accepts per_page=100, so one request returns the gateways of an account.",
      source: `${SOURCE}methods/list/`,
      async run(client, { account_id }) {
        const answer = await client.sdk.get(`/accounts/${account_id}/ai-gateway/gateways`, {
          query: { per_page: 100 },
        });
        const shape = z.looseObject({ result: z.array(z.looseObject({ id: z.string() })) });
        checkShape("The list", answer, shape);
      },
    },
  }),
  ...casesOf(gateways, {
    "gateway-list-total": countedList(`GET ${path}`, `${SOURCE}methods/list/`, "AI gateways", create),
    "gateway-created-at": {
      operations: [`PUT ${item}`, `GET ${item}`],
      reliesOn: "An update keeps `created_at`, by which the doctor recognizes a gateway.",
      source: NOT_DOCUMENTED,
      async run({ sdk }, { account_id, own }) {
        const id = own("ai_gateway");
        const { created_at } = await sdk.aiGateway.create({ account_id, id, ...settings });
        await sdk.aiGateway.update(id, { account_id, ...settings, cache_ttl: 60 });
        checkEqual("The creation time", (await sdk.aiGateway.get(id, { account_id })).created_at, created_at);
      },
    },
    "gateway-spend-limits": {
      operations: [`POST ${path}`, `GET ${item}`],
      reliesOn: "A gateway returns the spending rules that it was created with.",
      source: "https://developers.cloudflare.com/ai-gateway/features/spend-limits/",
      async run(client, scope) {
        const rule = { enabled: true, limitType: "cost", limit: 5, window: 86_400, technique: "fixed" };
        const metadata = { tenant: { mode: "partition" } };
        const id = await create(client, scope, { spend_limits: { enabled: true, rules: [{ ...rule, metadata }] } });
        const rules = z.tuple([z.looseObject({ limit: z.literal(5), window: z.literal(86_400) })]);
        const shape = z.looseObject({ spend_limits: z.looseObject({ enabled: z.literal(true), rules }) });
        checkShape("The gateway", await client.sdk.aiGateway.get(id, { account_id: scope.account_id }), shape);
      },
    },
  }),
  ...casesOf(calls, {
    "call-without-token": {
      operations: [`POST ${path}`],
      reliesOn: "A call without a token of a gateway that requires one is refused with status 401 and code 2009.",
      source: "https://developers.cloudflare.com/ai-gateway/configuration/authentication/",
      async run(client, scope) {
        const id = await create(client, scope);
        const answer = await scope.eventually(
          "a new gateway",
          () => scope.askGateway(id),
          ({ status }) => status !== 400,
        );
        checkEqual("The status", answer.status, 401);
        checkShape("The refusal", answer.body, refusal(2009));
      },
    },
    "call-of-missing-gateway": {
      operations: [`GET ${item}`],
      reliesOn: "A call of a missing gateway is refused with status 400 and code 2001.",
      source: NOT_DOCUMENTED,
      async run(client, scope) {
        const { account_id } = scope;
        const name = scope.name();
        await client.sdk.aiGateway.get(name, { account_id }).catch(() => {});
        const { status, body } = await scope.askGateway(name);
        checkEqual("The status", status, 400);
        checkShape("The refusal", body, refusal(2001));
      },
    },
    "call-over-rate": {
      operations: [`POST ${path}`],
      reliesOn: "A call over the rate limit of a gateway is refused with status 429 and code 2003.",
      source: "https://developers.cloudflare.com/ai-gateway/features/rate-limiting/",
      async run(client, scope) {
        const limit = { authentication: false, rate_limiting_interval: 3600, rate_limiting_limit: 1 };
        const id = await create(client, scope, limit);
        // Without a key the provider refuses each call, which counts.
        const answer = await scope.eventually(
          "a rate limit",
          () => scope.askGateway(id),
          ({ status }) => status === 429,
        );
        checkShape("The refusal", answer.body, refusal(2003));
      },
    },
  }),
  ...casesOf(logs, {
    "log-list": {
      operations: [`GET ${entries}`],
      reliesOn: "The log has a call within five minutes, with the fields by which usage is counted.",
      source: `${SOURCE}subresources/logs/methods/list/`,
      async run(client, scope) {
        const id = await create(client, scope, { authentication: false });
        await scope.askGateway(id);
        // As the dispatch Worker reads it (`workers/dispatch/ai-usage/gateway-logs.ts`).
        const query = new URLSearchParams({
          filters: JSON.stringify([{ key: "created_at", operator: "gt", value: [new Date(0).toISOString()] }]),
          order_by: "created_at",
          order_by_direction: "asc",
          per_page: "50",
          page: "1",
        });
        const url = `/accounts/${scope.account_id}/ai-gateway/gateways/${id}/logs?${query}`;
        const entry = z.looseObject({
          id: z.string(),
          created_at: z.iso.datetime({ offset: true }),
          path: z.string(),
          provider: z.string(),
          model: z.string(),
          success: z.boolean(),
        });
        const page = z.looseObject({ result: z.array(entry) });
        const read = async () => checkShape("The log", (await client.request("GET", url)).body, page).result;
        const [found] = await scope.eventually("a call in the log", read, (all) => all.length > 0, LONGEST_MS);
        checkEqual("The provider", found?.provider, "openai");
      },
    },
    "log-page-size": {
      operations: [`GET ${entries}`],
      reliesOn: "The log accepts per_page=50 and returns no more entries than that.",
      source: `${SOURCE}subresources/logs/methods/list/`,
      async run(client, scope) {
        const id = await create(client, scope);
        const { status, body } = await client.request(
          "GET",
          `/accounts/${scope.account_id}/ai-gateway/gateways/${id}/logs?per_page=50`,
        );
        checkEqual("The status", status, 200);
        const shape = z.looseObject({ result: z.array(z.unknown()).max(50) });
        checkThat("a new gateway has no entries", checkShape("The log", body, shape).result.length === 0);
      },
    },
  }),
];
