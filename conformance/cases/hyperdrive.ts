/** The dashboard Worker's connection to the database. */
import * as z from "zod";
import { type Case, casesOf, NOT_DOCUMENTED, type Product } from "../case.ts";
import { checkThat, idOf, refusalOf } from "../checks.ts";
import { lifecycleCases } from "../lifecycle.ts";

const product: Product = {
  name: "hyperdrive",
  permission: "Hyperdrive (Edit)",
  creates: ["hyperdrive"],
  standIn: "cloudflare/kinds/hyperdrive/api.ts",
};
const path = "/accounts/:account_id/hyperdrive/configs" as const;
const item = `${path}/:id` as const;
/** Origin of the variable; on an edge, which does not connect, any. */
function origin() {
  const { CONFORMANCE_DATABASE_URL: given = "postgres://user:password@database.example.com:5432/postgres" } =
    process.env;
  const { hostname: host, port, pathname, username: user, password } = new URL(given);
  return { scheme: "postgres" as const, host, port: Number(port || 5432), database: pathname.slice(1), user, password };
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
      create: async ({ sdk }, { account_id, own }) =>
        idOf((await sdk.hyperdrive.configs.create({ account_id, name: own("hyperdrive"), origin: origin() })).id),
      read: ({ sdk }, { account_id }, id) => sdk.hyperdrive.configs.get(id, { account_id }),
      shape: z.looseObject({
        id: z.string(),
        name: z.string(),
        origin: z.looseObject({ host: z.string(), user: z.string(), password: z.never().optional() }),
      }),
      again: {
        async create({ sdk }, { account_id, own }) {
          const name = own("hyperdrive");
          await sdk.hyperdrive.configs.create({ account_id, name, origin: origin() });
          return { call: sdk.hyperdrive.configs.create({ account_id, name, origin: origin() }) };
        },
        outcome: { status: 409, codes: [2017] },
        source: NOT_DOCUMENTED,
      },
      update: {
        send: ({ sdk }, { account_id, own }, id) =>
          sdk.hyperdrive.configs.update(id, {
            account_id,
            name: own("hyperdrive"),
            origin: origin(),
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
      notEmulated: "the create does not connect to the database.",
      async run({ sdk }, { account_id, own }) {
        const nowhere = { ...origin(), host: "nowhere.invalid" };
        const create = sdk.hyperdrive.configs.create({ account_id, name: own("hyperdrive"), origin: nowhere });
        const { status } = await refusalOf("a create with an unreachable database", create);
        checkThat("the status is 400 or 422", status === 400 || status === 422);
      },
    },
  }),
];
