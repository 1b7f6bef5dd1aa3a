/** Access applications, their policies and groups. */
import * as z from "zod";
import { type Case, casesOf, NOT_DOCUMENTED, type Product } from "../case.ts";
import { all, checkEqual, checkRefused, checkShape, checkThat, idOf } from "../checks.ts";
import { countedList } from "../counted-list.ts";
import { lifecycleCases, operationsOf } from "../lifecycle.ts";
import type { Client } from "../run/client.ts";
import type { Scope } from "../run/scope.ts";
import { SERVING, serveScript } from "../serving.ts";

const policies: Product = {
  name: "zero-trust",
  permission: "Access: Apps and Policies (Edit)",
  creates: ["access_policy"],
  requires: "Zero Trust",
  standIn: "cloudflare/kinds/access/policies.ts",
};
const groups: Product = {
  ...policies,
  permission: "Access: Organizations, Identity Providers, and Groups (Edit) and Access: Apps and Policies (Edit)",
  creates: ["access_group", "access_policy"],
  standIn: "cloudflare/kinds/access/groups.ts",
};
const organization: Product = { ...groups, creates: [], standIn: "cloudflare/kinds/access/organization.ts" };
const applications: Product = {
  ...policies,
  creates: ["access_application", "access_policy"],
  inZone: true,
  standIn: "cloudflare/kinds/access/applications.ts",
};
const login: Product = {
  ...applications,
  permission:
    "Access: Apps and Policies (Edit), Workers Scripts (Edit), and on the zone Workers Routes (Edit) and DNS (Edit)",
  creates: ["access_application", "access_policy", ...SERVING.creates],
  standIn: "access/applications.ts",
};

const access = "/accounts/:account_id/access" as const;
const SOURCE = "https://developers.cloudflare.com/api/resources/zero_trust/subresources/access/subresources/";
const PATHS = "https://developers.cloudflare.com/cloudflare-one/policies/access/app-paths/";
const stamped = z.looseObject({ id: z.string(), name: z.string() });
const person = (n: number) => ({ email: { email: `member-${n}@example.com` } });

const createGroup = async (
  { sdk }: Client,
  { account_id, own }: Scope,
  include: object[] = [person(0)],
  name = own("access_group"),
) => idOf((await sdk.zeroTrust.access.groups.create({ account_id, name, include: include as never })).id);

async function createPolicy(
  { sdk }: Client,
  { account_id, own }: Scope,
  decision: "allow" | "bypass" = "allow",
  include: object[] = [{ everyone: {} }],
  name = own("access_policy"),
): Promise<string> {
  return idOf(
    (await sdk.zeroTrust.access.policies.create({ account_id, name, decision, include: include as never })).id,
  );
}

async function createApplication({ sdk }: Client, { account_id, own }: Scope, domain: string, policy: string) {
  const name = own("access_application");
  const application = { account_id, name, type: "self_hosted" as const, domain, session_duration: "8h" };
  return sdk.zeroTrust.access.applications.create({ ...application, policies: [{ id: policy, precedence: 1 }] });
}

const host = ({ name, domain }: Scope) => `${name()}.${domain}`;

/** Serves a new host by a Worker, behind an application that lets nobody in. */
export async function serveClosed(client: Client, scope: Scope, domainOf: (host: string) => string = (one) => one) {
  const { host: name } = await serveScript(client, scope, {});
  await createApplication(client, scope, domainOf(name), await createPolicy(client, scope, "allow", [person(0)]));
  const asksLogin = ({ status }: { status: number }) => status === 302;
  await scope.eventually("the login of a new application", () => scope.visit(name), asksLogin);
  return name;
}

const policyItem = `${access}/policies/:id` as const;
const groupItem = `${access}/groups/:id` as const;
const appItem = `${access}/apps/:id` as const;

export const zeroTrustCases: Case[] = [
  ...casesOf(organization, {
    organization: {
      operations: [`GET ${access}/organizations`],
      reliesOn: "The organization has the host that issues tokens of Access.",
      source: "https://developers.cloudflare.com/api/resources/zero_trust/subresources/organizations/",
      async run({ sdk }, { account_id }) {
        const found = await sdk.zeroTrust.organizations.list({ account_id });
        checkShape("The organization", found, z.looseObject({ auth_domain: z.string().min(1) }));
      },
    },
    "identity-providers": {
      operations: [`GET ${access}/identity_providers`],
      reliesOn: "The list has name and type of each identity provider.",
      source: "https://developers.cloudflare.com/api/resources/zero_trust/subresources/identity_providers/",
      async run({ sdk }, { account_id }) {
        const found = await all(sdk.zeroTrust.identityProviders.list({ account_id }));
        checkShape("The identity providers", found, z.array(z.looseObject({ name: z.string(), type: z.string() })));
      },
    },
  }),
  ...lifecycleCases(policies, {
    name: "policy",
    title: "an Access policy",
    source: `${SOURCE}policies/`,
    operations: operationsOf(`${access}/policies`, policyItem, "PUT"),
    create: (client, scope) => createPolicy(client, scope),
    read: ({ sdk }, { account_id }, id) => sdk.zeroTrust.access.policies.get(id, { account_id }),
    shape: stamped.extend({
      decision: z.literal("allow"),
      include: z.array(z.looseObject({})).length(1),
      created_at: z.iso.datetime({ offset: true }),
    }),
    again: {
      async create(client, scope) {
        const name = scope.own("access_policy");
        await createPolicy(client, scope, "allow", [person(0)], name);
        return { call: createPolicy(client, scope, "allow", [person(0)], name) };
      },
      outcome: "accepted",
      source: NOT_DOCUMENTED,
    },
    list: async ({ sdk }, { account_id }) =>
      (await all(sdk.zeroTrust.access.policies.list({ account_id }))).map(({ id }) => id),
    update: {
      send: ({ sdk }, { account_id, own }, id) =>
        sdk.zeroTrust.access.policies.update(id, {
          account_id,
          name: own("access_policy"),
          decision: "deny",
          include: [person(1)],
        }),
      shape: z.looseObject({
        decision: z.literal("deny"),
        include: z.tuple([z.looseObject({ email: z.looseObject({}) })]),
      }),
      reliesOn: "An update replaces decision and rules of a policy, and keeps its id.",
    },
    remove: ({ sdk }, { account_id }, id) => sdk.zeroTrust.access.policies.delete(id, { account_id }),
  }),
  ...lifecycleCases(groups, {
    name: "group",
    title: "an Access group",
    source: `${SOURCE}groups/`,
    operations: operationsOf(`${access}/groups`, groupItem, "PUT"),
    create: (client, scope) => createGroup(client, scope),
    read: ({ sdk }, { account_id }, id) => sdk.zeroTrust.access.groups.get(id, { account_id }),
    shape: stamped.extend({ include: z.tuple([z.looseObject({ email: z.looseObject({ email: z.string() }) })]) }),
    again: {
      async create(client, scope) {
        const name = scope.own("access_group");
        await createGroup(client, scope, [person(0)], name);
        return { call: createGroup(client, scope, [person(0)], name) };
      },
      outcome: { status: 409 },
      source: NOT_DOCUMENTED,
    },
    list: async ({ sdk }, { account_id }) =>
      (await all(sdk.zeroTrust.access.groups.list({ account_id }))).map(({ id }) => id),
    update: {
      send: ({ sdk }, { account_id, own }, id) =>
        sdk.zeroTrust.access.groups.update(id, {
          account_id,
          name: own("access_group"),
          include: [person(1), person(2)],
        }),
      shape: z.looseObject({ include: z.array(z.unknown()).length(2) }),
      reliesOn: "An update replaces the rules of a group, and keeps its id.",
    },
    remove: ({ sdk }, { account_id }, id) => sdk.zeroTrust.access.groups.delete(id, { account_id }),
  }),
  ...casesOf(groups, {
    "group-by-name": {
      operations: [`GET ${access}/groups`],
      reliesOn: "The list finds a group by its exact name.",
      source: `${SOURCE}groups/methods/list/`,
      async run(client, scope) {
        const { account_id } = scope;
        const name = scope.own("access_group");
        await createGroup(client, scope, [person(0)], name);
        await createGroup(client, scope);
        const read = async () =>
          (await all(client.sdk.zeroTrust.access.groups.list({ account_id, name }))).map((one) => one.name);
        const names = await scope.eventually("a group by its name", read, (found) => found.includes(name));
        checkEqual("The names", names, [name]);
      },
    },
    "group-of-groups": {
      operations: [`POST ${access}/groups`, `GET ${groupItem}`],
      reliesOn: "A group can include another group right after that one's create.",
      source: "https://developers.cloudflare.com/cloudflare-one/identity/users/groups/",
      async run(client, scope) {
        const inner = await createGroup(client, scope);
        const outer = await createGroup(client, scope, [{ group: { id: inner } }, person(1)]);
        const { include } = await client.sdk.zeroTrust.access.groups.get(outer, { account_id: scope.account_id });
        checkEqual("The first rule", include?.[0], { group: { id: inner } });
      },
    },
    "group-members": {
      operations: [`PUT ${groupItem}`, `GET ${groupItem}`],
      reliesOn: "A group holds 500 members, each as a rule with an address.",
      source: "https://developers.cloudflare.com/cloudflare-one/account-limits/",
      async run(client, scope) {
        const { account_id } = scope;
        const name = scope.own("access_group");
        const id = await createGroup(client, scope, [person(0)], name);
        const include = Array.from({ length: 500 }, (_, n) => person(n));
        await client.sdk.zeroTrust.access.groups.update(id, { account_id, name, include });
        const found = await client.sdk.zeroTrust.access.groups.get(id, { account_id });
        checkEqual("The number of members", found.include?.length, 500);
      },
    },
    "group-in-use": {
      operations: [`DELETE ${groupItem}`],
      reliesOn: "A group that a policy includes is not deleted, so policies are deleted first.",
      source: NOT_DOCUMENTED,
      async run(client, scope) {
        const id = await createGroup(client, scope);
        await createPolicy(client, scope, "allow", [{ group: { id } }]);
        const remove = client.sdk.zeroTrust.access.groups.delete(id, { account_id: scope.account_id });
        await checkRefused("a delete of a group in use", remove, 400);
      },
    },
    "group-list-total": countedList(
      `GET ${access}/groups`,
      `${SOURCE}groups/methods/list/`,
      "Access groups",
      createGroup,
    ),
  }),
  ...casesOf(policies, {
    "policy-list-total": countedList(
      `GET ${access}/policies`,
      `${SOURCE}policies/methods/list/`,
      "Access policies",
      createPolicy,
    ),
  }),
  ...lifecycleCases(applications, {
    name: "application",
    title: "an Access application",
    source: `${SOURCE}applications/`,
    operations: operationsOf(`${access}/apps`, appItem, "PUT"),
    create: async (client, scope) =>
      idOf((await createApplication(client, scope, host(scope), await createPolicy(client, scope))).id),
    read: ({ sdk }, { account_id }, id) => sdk.zeroTrust.access.applications.get(id, { account_id }),
    shape: stamped.extend({
      aud: z.string().regex(/^[0-9a-f]{64}$/),
      domain: z.string(),
      policies: z.tuple([z.looseObject({ id: z.string() })]),
      session_duration: z.literal("8h"),
    }),
    again: {
      async create(client, scope) {
        const domain = host(scope);
        const policy = await createPolicy(client, scope);
        await createApplication(client, scope, domain, policy);
        return { call: createApplication(client, scope, domain, policy) };
      },
      outcome: { status: 409 },
      reliesOn: "A second application on the same host is refused with status 409.",
      source: NOT_DOCUMENTED,
    },
    list: async ({ sdk }, { account_id }) =>
      (await all(sdk.zeroTrust.access.applications.list({ account_id }))).map(({ id }) => id),
    update: {
      async send(client, scope, id) {
        const { account_id, own } = scope;
        const name = own("access_application");
        const body = { account_id, name, type: "self_hosted" as const, domain: host(scope), session_duration: "1h" };
        return client.sdk.zeroTrust.access.applications.update(id, { ...body, policies: [] });
      },
      shape: z.looseObject({ session_duration: z.literal("1h"), policies: z.array(z.unknown()).length(0) }),
      reliesOn: "An update replaces host and policies of an application, and keeps its id and audience.",
    },
    remove: ({ sdk }, { account_id }, id) => sdk.zeroTrust.access.applications.delete(id, { account_id }),
  }),
  ...casesOf(applications, {
    "policy-in-use": {
      operations: [`DELETE ${policyItem}`],
      reliesOn: "A policy that an application has is not deleted, so applications are deleted first.",
      source: NOT_DOCUMENTED,
      async run(client, scope) {
        const policy = await createPolicy(client, scope);
        await createApplication(client, scope, host(scope), policy);
        const remove = client.sdk.zeroTrust.access.policies.delete(policy, { account_id: scope.account_id });
        await checkRefused("a delete of a policy in use", remove, 400);
      },
    },
    "application-list-total": countedList(
      `GET ${access}/apps`,
      `${SOURCE}applications/methods/list/`,
      "Access applications",
      async (client, scope) => createApplication(client, scope, host(scope), await createPolicy(client, scope)),
    ),
  }),
  ...casesOf(login, {
    "application-path": {
      operations: [`POST ${access}/apps`],
      reliesOn: "An application on a path takes precedence over the one on its host, with all sub-paths.",
      source: PATHS,
      async run(client, scope) {
        const name = await serveClosed(client, scope);
        await createApplication(client, scope, `${name}/api/health`, await createPolicy(client, scope, "bypass"));
        const isOpen = ({ status }: { status: number }) => status === 200;
        await scope.eventually("an open path", () => scope.visit(name, "/api/health"), isOpen);
        checkEqual("The status of a sub-path", (await scope.visit(name, "/api/health/deep")).status, 200);
        checkEqual("The status of another path", (await scope.visit(name, "/api")).status, 302);
      },
    },
    "application-partial-label": {
      operations: [`POST ${access}/apps`],
      reliesOn: "An application on part of a label, such as `*-dev.{domain}`, covers the hosts that match.",
      source: PATHS,
      async run(client, scope) {
        const name = await serveClosed(client, scope, (one) =>
          one.replace(/^[^.]*-(\w+)[.]/, `${one.split("-")[0]}-*-$1.`),
        );
        checkThat("the host asks for a login", (await scope.visit(name)).status === 302);
      },
    },
  }),
];
