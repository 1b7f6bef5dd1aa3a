/** Service tokens of Access, and policies of one application that admit them. */
import type { AccessRule } from "cloudflare/resources/zero-trust/access/applications/policies.js";
import * as z from "zod";
import { type Case, casesOf, NOT_DOCUMENTED, type Product } from "../../case.ts";
import { all, checkEqual, checkRefused, checkThat, idOf } from "../../checks.ts";
import { lifecycleCases } from "../../lifecycle.ts";
import type { Client } from "../../run/client.ts";
import type { Scope } from "../../run/scope.ts";
import { SERVING } from "../../serving.ts";
import { serveClosed } from "../zero-trust.ts";

const tokens: Product = {
  name: "zero-trust",
  permission: "Access: Service Tokens (Edit)",
  creates: ["access_service_token"],
  requires: "Zero Trust",
  standIn: "cloudflare/kinds/access/service-tokens.ts",
};
const login: Product = {
  ...tokens,
  permission:
    "Access: Service Tokens (Edit), Access: Organizations, Identity Providers, and Groups (Edit), Access: Apps and Policies (Edit), Workers Scripts (Edit), and on the zone Workers Routes (Edit) and DNS (Edit)",
  creates: ["access_application", "access_group", "access_policy", "access_service_token", ...SERVING.creates],
  inZone: true,
  standIn: "access/policies.ts",
};

const access = "/accounts/:account_id/access" as const;
const path = `${access}/service_tokens` as const;
const item = `${path}/:id` as const;
const ownPolicies = "/accounts/:account_id/access/apps/:app_id/policies" as const;
const SOURCE = "https://developers.cloudflare.com/api/resources/zero_trust/subresources/access/subresources/";
const RULES = `${SOURCE}groups/methods/create/`;
const GUIDE =
  "https://developers.cloudflare.com/cloudflare-one/access-controls/service-credentials/service-tokens/#connect-your-service-to-access";

const ofToken = (id: string | undefined): AccessRule => ({ service_token: { token_id: idOf(id) } });

const createToken = ({ sdk }: Client, { account_id, own }: Scope, name = own("access_service_token")) =>
  sdk.zeroTrust.access.serviceTokens.create({ account_id, name, duration: "1h" });

/** A policy of the application alone that admits service tokens by a rule. @returns its id */
async function admit({ sdk }: Client, { account_id }: Scope, app: string, rule: AccessRule): Promise<string> {
  const policy = { account_id, name: "service", decision: "non_identity", include: [rule] };
  return idOf((await sdk.zeroTrust.access.applications.policies.create(app, policy as never)).id);
}

const removePolicy = ({ sdk }: Client, { account_id }: Scope, app_id: string, policy: string) =>
  sdk.zeroTrust.access.applications.policies.delete(policy, { account_id, app_id });

async function applicationOf({ sdk }: Client, { account_id }: Scope, domain: string): Promise<string> {
  const [found] = await all(sdk.zeroTrust.access.applications.list({ account_id, domain }));
  return idOf(found?.id);
}

export const serviceTokenCases: Case[] = [
  ...lifecycleCases(tokens, {
    name: "service-token",
    title: "an Access service token",
    source: `${SOURCE}service_tokens/`,
    operations: { create: `POST ${path}`, read: `GET ${item}`, list: `GET ${path}`, remove: `DELETE ${item}` },
    create: async (client, scope) => idOf((await createToken(client, scope)).id),
    read: ({ sdk }, { account_id }, id) => sdk.zeroTrust.access.serviceTokens.get(id, { account_id }),
    shape: z.looseObject({ id: z.string(), name: z.string(), expires_at: z.iso.datetime({ offset: true }) }),
    again: {
      async create(client, scope) {
        const name = scope.own("access_service_token");
        await createToken(client, scope, name);
        return { call: createToken(client, scope, name) };
      },
      outcome: "accepted",
      source: NOT_DOCUMENTED,
    },
    list: async ({ sdk }, { account_id }) =>
      (await all(sdk.zeroTrust.access.serviceTokens.list({ account_id }))).map(({ id }) => id),
    remove: ({ sdk }, { account_id }, id) => sdk.zeroTrust.access.serviceTokens.delete(id, { account_id }),
  }),
  ...casesOf(login, {
    "service-token-login": {
      operations: [`POST ${path}`, `POST ${ownPolicies}`, `DELETE ${ownPolicies}/:policy_id`],
      reliesOn:
        "A policy of one application with the decision non_identity admits a service token, by two headers of each request, until it is deleted.",
      source: GUIDE,
      async run(client, scope) {
        const host = await serveClosed(client, scope);
        const token = await createToken(client, scope);
        const headers = {
          "cf-access-client-id": token.client_id ?? "",
          "cf-access-client-secret": token.client_secret ?? "",
        };
        const visit = () => scope.visit(host, "/", headers);
        checkEqual("The status without a policy", (await visit()).status, 302);
        const app = await applicationOf(client, scope, host);
        const policy = await admit(client, scope, app, ofToken(token.id));
        await scope.eventually("the policy of a service token", visit, ({ status }) => status === 200);
        const wrong = { ...headers, "cf-access-client-secret": "x" };
        checkThat("a wrong secret is refused", (await scope.visit(host, "/", wrong)).status !== 200);
        await removePolicy(client, scope, app, policy);
        await scope.eventually("the delete of a policy", visit, ({ status }) => status === 302);
      },
    },
    "service-token-group": {
      operations: [`POST ${access}/groups`, `GET ${item}`, `PUT ${access}/groups/:id`, `POST ${ownPolicies}`],
      reliesOn:
        "A Service Auth policy admits a service token that its group names beside addresses, until an update of the group.",
      source: RULES,
      async run(client, scope) {
        const { groups } = client.sdk.zeroTrust.access;
        const { account_id } = scope;
        const host = await serveClosed(client, scope);
        const token = await createToken(client, scope);
        const { id: token_id = "" } = await client.sdk.zeroTrust.access.serviceTokens.get(idOf(token.id), {
          account_id,
        });
        const address = { email: { email: "nobody@example.com" } };
        const name = scope.own("access_group");
        const include = [address, { service_token: { token_id } }];
        const group = idOf((await groups.create({ account_id, name, include })).id);
        const app = await applicationOf(client, scope, host);
        const policy = await admit(client, scope, app, { group: { id: group } });
        const headers = {
          "cf-access-client-id": token.client_id ?? "",
          "cf-access-client-secret": token.client_secret ?? "",
        };
        const visit = () => scope.visit(host, "/", headers);
        await scope.eventually("the group of a service token", visit, ({ status }) => status === 200);
        await groups.update(group, { account_id, name, include: [address] });
        await scope.eventually("the update of a group", visit, ({ status }) => status === 302);
        // It keeps the group from being deleted.
        await removePolicy(client, scope, app, policy);
      },
    },
    "service-token-in-use": {
      operations: [`DELETE ${item}`],
      reliesOn: "A service token that a policy names is not deleted, so policies are deleted first.",
      source: NOT_DOCUMENTED,
      async run(client, scope) {
        const host = await serveClosed(client, scope);
        const token = idOf((await createToken(client, scope)).id);
        const app = await applicationOf(client, scope, host);
        const policy = await admit(client, scope, app, ofToken(token));
        const remove = client.sdk.zeroTrust.access.serviceTokens.delete(token, { account_id: scope.account_id });
        await checkRefused("a delete of a service token in use", remove, 400);
        await removePolicy(client, scope, app, policy);
      },
    },
  }),
];
