/** Accounts, zones, and API tokens: the two of each tenant, and what the command itself reads. */
import * as z from "zod";
import { type Case, casesOf, NOT_DOCUMENTED, type Product } from "../case.ts";
import { all, checkEqual, checkShape, checkThat, idOf } from "../checks.ts";
import { countedList } from "../counted-list.ts";
import { lifecycleCases, operationsOf } from "../lifecycle.ts";
import type { Client } from "../run/client.ts";
import type { Scope } from "../run/scope.ts";

const accounts: Product = {
  name: "accounts",
  permission: "Account Settings (Read)",
  standIn: "cloudflare/kinds/accounts/accounts.ts",
};
const tokens: Product = {
  name: "accounts-tokens",
  permission: "Account API Tokens (Edit)",
  creates: ["account_token"],
  standIn: "cloudflare/kinds/tokens/api.ts",
};
const zones: Product = {
  name: "zones",
  permission: "Zone (Read)",
  inZone: true,
  standIn: "cloudflare/kinds/zones/zones.ts",
};

const certificates: Product = {
  ...zones,
  permission: "SSL and Certificates (Read) on the zone",
  standIn: "cloudflare/kinds/certificate-packs/certificate-packs.ts",
};

const path = "/accounts/:account_id/tokens" as const;
const item = `${path}/:token_id` as const;
const TOKENS = "https://developers.cloudflare.com/api/resources/accounts/subresources/tokens/";

/** Permission group of tenants' tokens (`stack/token-permissions.ts`). */
const GROUP = "AI Gateway Run";

async function policiesOf({ sdk }: Client, { account_id }: Scope) {
  const { result } = await sdk.accounts.tokens.permissionGroups.list({ account_id, name: encodeURIComponent(GROUP) });
  const id = idOf(result.find(({ name }) => name === GROUP)?.id);
  const resources = { [`com.cloudflare.api.account.${account_id}`]: "*" };
  return [{ effect: "allow" as const, permission_groups: [{ id }], resources }];
}

async function createToken(client: Client, scope: Scope, name = scope.own("account_token")) {
  const { account_id } = scope;
  return client.sdk.accounts.tokens.create({ account_id, name, policies: await policiesOf(client, scope) });
}

const token = z.looseObject({
  id: z.string(),
  name: z.string(),
  status: z.enum(["active", "disabled", "expired"]),
  issued_on: z.iso.datetime({ offset: true }),
  policies: z.array(
    z.looseObject({ effect: z.string(), permission_groups: z.array(z.looseObject({ id: z.string() })) }),
  ),
});

export const accountCases: Case[] = [
  ...casesOf(accounts, {
    get: {
      operations: ["GET /accounts/:account_id"],
      reliesOn: "A read of the account returns its id and name.",
      source: "https://developers.cloudflare.com/api/resources/accounts/methods/get/",
      async run({ sdk }, { account_id }) {
        const account = await sdk.accounts.get({ account_id });
        checkShape("The account", account, z.looseObject({ id: z.literal(account_id), name: z.string() }));
      },
    },
    list: {
      operations: ["GET /accounts"],
      reliesOn: "The list of accounts has the account that the token is for.",
      source: "https://developers.cloudflare.com/api/resources/accounts/methods/list/",
      async run({ sdk }, { account_id }) {
        const ids = (await all(sdk.accounts.list())).map(({ id }) => id);
        checkThat("the list of accounts has the token's account", ids.includes(account_id));
      },
    },
  }),
  ...casesOf(zones, {
    get: {
      operations: ["GET /zones/:zone_id"],
      reliesOn: "A read of the zone returns its name and status.",
      source: "https://developers.cloudflare.com/api/resources/zones/methods/get/",
      async run({ sdk }, { zone_id, domain }) {
        const zone = await sdk.zones.get({ zone_id });
        checkShape("The zone", zone, z.looseObject({ name: z.literal(domain), status: z.literal("active") }));
      },
    },
    list: {
      operations: ["GET /zones"],
      reliesOn: "The list of zones, limited to a name and the account, has the zone of that name, and counts it.",
      source: "https://developers.cloudflare.com/api/resources/zones/methods/list/",
      async run(client, { account_id, zone_id, domain }) {
        const { body } = await client.request("GET", `/zones?name=${domain}&account.id=${account_id}`);
        const found = z.looseObject({
          result: z.tuple([z.looseObject({ id: z.literal(zone_id), name: z.literal(domain) })]),
          result_info: z.looseObject({ total_count: z.literal(1) }),
        });
        checkShape("The list of zones", body, found);
      },
    },
  }),
  ...casesOf(certificates, {
    "certificate-packs": {
      operations: ["GET /zones/:zone_id/ssl/certificate_packs"],
      reliesOn: "The list has an active certificate for the zone and the names one label below it.",
      source: "https://developers.cloudflare.com/ssl/edge-certificates/universal-ssl/",
      async run({ sdk }, { zone_id, domain }) {
        const packs = await all(sdk.ssl.certificatePacks.list({ zone_id }));
        const pack = z.looseObject({ hosts: z.array(z.string()), status: z.string() });
        const found = checkShape("The list of certificates", packs, z.array(pack));
        checkThat(
          "an active certificate covers the hosts of Workers",
          found.some(({ hosts, status }) => status === "active" && hosts.includes(`*.${domain}`)),
        );
      },
    },
  }),
  ...lifecycleCases(tokens, {
    name: "token",
    title: "an API token",
    source: TOKENS,
    operations: operationsOf(path, item, "PUT"),
    create: async (client, scope) => idOf((await createToken(client, scope)).id),
    read: ({ sdk }, { account_id }, id) => sdk.accounts.tokens.get(id, { account_id }),
    shape: token,
    again: {
      async create(client, scope) {
        const name = scope.own("account_token");
        await createToken(client, scope, name);
        return { call: createToken(client, scope, name) };
      },
      outcome: "accepted",
      source: NOT_DOCUMENTED,
    },
    list: async ({ sdk }, { account_id }) => (await all(sdk.accounts.tokens.list({ account_id }))).map(({ id }) => id),
    update: {
      async send(client, scope, id) {
        const policies = await policiesOf(client, scope);
        const name = scope.own("account_token");
        return client.sdk.accounts.tokens.update(id, {
          account_id: scope.account_id,
          name,
          policies,
          status: "disabled",
        });
      },
      shape: z.looseObject({ status: z.literal("disabled"), name: z.string().regex(/-2$/) }),
      reliesOn: "An update changes an API token's name and status, and keeps its id.",
    },
    remove: ({ sdk }, { account_id }, id) => sdk.accounts.tokens.delete(id, { account_id }),
  }),
  ...casesOf(tokens, {
    "token-value-once": {
      operations: [`POST ${path}`, `GET ${item}`, `PUT ${item}`],
      reliesOn: "Only the create returns a token's value; a lost answer loses the value.",
      source: TOKENS,
      async run(client, scope) {
        const { account_id } = scope;
        const made = await createToken(client, scope);
        checkThat("a create returns the value", typeof made.value === "string" && made.value.length >= 40);
        const id = idOf(made.id);
        const later = [
          await client.sdk.accounts.tokens.get(id, { account_id }),
          await client.sdk.accounts.tokens.update(id, {
            account_id,
            name: scope.own("account_token"),
            policies: await policiesOf(client, scope),
          }),
        ];
        checkThat(
          "later answers have no value",
          later.every((one) => !("value" in one)),
        );
      },
    },
    "token-list-total": countedList(`GET ${path}`, TOKENS, "API tokens", createToken),
    "permission-groups": {
      operations: ["GET /accounts/:account_id/tokens/permission_groups"],
      reliesOn: "The list of permission groups finds a group by its URL-encoded name, with its scopes.",
      source: `${TOKENS}subresources/permission_groups/`,
      async run({ sdk }, { account_id }) {
        for (const name of [GROUP, "Workers R2 Storage Bucket Item Write"]) {
          const { result } = await sdk.accounts.tokens.permissionGroups.list({
            account_id,
            name: encodeURIComponent(name),
          });
          checkEqual(`The number of groups named ${name}`, result.filter((one) => one.name === name).length, 1);
        }
      },
    },
    verify: {
      operations: ["GET /accounts/:account_id/tokens/verify"],
      reliesOn: "An account's token verifies itself without a permission.",
      source: `${TOKENS}methods/verify/`,
      async run(client, scope) {
        const made = await createToken(client, scope);
        const answer = await scope.eventually(
          "a new token",
          () =>
            client.request("GET", `/accounts/${scope.account_id}/tokens/verify`, {
              headers: { authorization: `Bearer ${made.value}` },
            }),
          ({ status }) => status === 200,
        );
        const result = z.looseObject({ id: z.literal(idOf(made.id)), status: z.literal("active") });
        checkShape("The verified token", answer.body, z.looseObject({ result }));
      },
    },
    "verify-invalid": {
      operations: ["GET /user/tokens/verify"],
      reliesOn: "An invalid token is refused with status 401 and code 1000.",
      source: "https://developers.cloudflare.com/api/resources/user/subresources/tokens/methods/verify/",
      async run(client) {
        const authorization = `Bearer ${"x".repeat(40)}`;
        const { status, body } = await client.request("GET", "/user/tokens/verify", { headers: { authorization } });
        checkEqual("The status", status, 401);
        const errors = z.array(z.looseObject({ code: z.literal(1000) }));
        checkShape("The refusal", body, z.looseObject({ success: z.literal(false), errors }));
      },
    },
    "denied-before-missing": {
      operations: ["DELETE /accounts/:account_id/r2/buckets/:bucket_name"],
      reliesOn:
        "The API checks the permission before the item: a delete of a missing bucket is denied with 403, not 404.",
      source: NOT_DOCUMENTED,
      async run(client, scope) {
        const { value } = await createToken(client, scope);
        const headers = { authorization: `Bearer ${value}` };
        const path = `/accounts/${scope.account_id}/r2/buckets/${scope.name()}`;
        const remove = () => client.request("DELETE", path, { headers });
        // A new token may be unknown for some seconds.
        const { status } = await scope.eventually("a new token", remove, (answer) => answer.status !== 401);
        checkEqual("The status", status, 403);
      },
    },
    "deleted-token": {
      operations: [`DELETE ${item}`, "GET /accounts/:account_id/tokens/verify"],
      reliesOn: "A deleted token stops working within a minute.",
      source: NOT_DOCUMENTED,
      async run(client, scope) {
        const { account_id } = scope;
        const made = await createToken(client, scope);
        await client.sdk.accounts.tokens.delete(idOf(made.id), { account_id });
        const headers = { authorization: `Bearer ${made.value}` };
        const verify = () => client.request("GET", `/accounts/${account_id}/tokens/verify`, { headers });
        await scope.eventually("the delete of a token", verify, ({ status }) => status === 401 || status === 403);
      },
    },
  }),
];
