/** The dashboard Worker's connection to the database. */
import * as z from "zod";
import { type Case, casesOf, NOT_DOCUMENTED, type Product } from "../case.ts";
import { checkThat, idOf, refusalOf } from "../checks.ts";
import { lifecycleCases } from "../lifecycle.ts";
import type { Client } from "../run/client.ts";
import type { Scope } from "../run/scope.ts";

const product: Product = {
  name: "hyperdrive",
  permission: "Hyperdrive (Edit)",
  creates: ["hyperdrive"],
  standIn: "cloudflare/kinds/hyperdrive/api.ts",
};
const path = "/accounts/:account_id/hyperdrive/configs" as const;
const item = `${path}/:id` as const;
function origin({ databaseUrl }: Scope) {
  const { hostname: host, port, pathname, username: user, password } = new URL(databaseUrl);
  return { scheme: "postgres" as const, host, port: Number(port || 5432), database: pathname.slice(1), user, password };
}

function create({ sdk }: Client, scope: Scope, name = scope.own("hyperdrive")) {
  return sdk.hyperdrive.configs.create({ account_id: scope.account_id, name, origin: origin(scope) });
}

export const hyperdriveCases: Case[] = [
  ...lifecycleCases(
    // Cloudflare connects to the database at the create.
    { ...product, variable: "CONFORMANCE_DATABASE_URL" },
    {
      name: "configuration",
      title: "a Hyperdrive configuration",
      source: "https://developers.cloudflare.com/api/resources/hyperdrive/subresources/configs/",
      operations: { create: `POST ${path}`, read: `GET ${item}`, update: `PUT ${item}`, remove: `DELETE ${item}` },
      create: async (client, scope) => idOf((await create(client, scope)).id),
      read: ({ sdk }, { account_id }, id) => sdk.hyperdrive.configs.get(id, { account_id }),
      shape: z.looseObject({
        id: z.string(),
        name: z.string(),
        origin: z.looseObject({ host: z.string(), user: z.string(), password: z.never().optional() }),
      }),
      again: {
        async create(client, scope) {
          const name = scope.own("hyperdrive");
          await create(client, scope, name);
          return { call: create(client, scope, name) };
        },
        outcome: { status: 409, codes: [2017] },
        source: NOT_DOCUMENTED,
      },
      update: {
        send: ({ sdk }, scope, id) =>
          sdk.hyperdrive.configs.update(id, {
            account_id: scope.account_id,
            name: scope.own("hyperdrive"),
            origin: origin(scope),
            caching: { disabled: true },
          }),
        shape: z.looseObject({ caching: z.looseObject({ disabled: z.literal(true) }), name: z.string().regex(/-2$/) }),
        reliesOn: "An update changes name and caching of a Hyperdrive configuration, and keeps its id.",
      },
      remove: ({ sdk }, { account_id }, id) => sdk.hyperdrive.configs.delete(id, { account_id }),
    },
  ),
  ...casesOf(product, {
    "unreachable-database": {
      operations: [`POST ${path}`],
      reliesOn: "A create with a database that cannot be reached is refused with status 400.",
      source: "https://developers.cloudflare.com/hyperdrive/observability/troubleshooting/",
      async run({ sdk }, { account_id, own }) {
        const login = { user: "user", password: "password", database: "postgres" };
        const nowhere = { scheme: "postgres" as const, host: "nowhere.invalid", port: 5432, ...login };
        const create = sdk.hyperdrive.configs.create({ account_id, name: own("hyperdrive"), origin: nowhere });
        const { status } = await refusalOf("a create with an unreachable database", create);
        checkThat("the status is 400 or 422", status === 400 || status === 422);
      },
    },
  }),
];
