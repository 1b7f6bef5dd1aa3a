/** A page of 50 clients among 10,000 through the API, against its query alone. */
import pg from "pg";
import { addClients } from "../../database/testing/many-clients.ts";
import type { ApiUnderTest } from "../../workers/dashboard/testing/start-api.ts";
import { Client } from "../client.ts";
import { compare } from "../measure.ts";
import { printComparison } from "../report.ts";

const CLIENTS = 10_000;
const CALLS = 10;
/** Of each side: until then both run code that is still to be compiled. */
const WARM_UP_CALLS = 200;
const BOUNDS = { rounds: 31, budgetMs: 30_000 };
const TARGET = 1.5;

/** What the API asks, written by hand and asked by the database's owner, whom no policy binds. */
const QUERY = `
  select c.*, p.slug as partner_slug, p.name as partner_name, i.id as instance_id, i.status as instance_status
  from tenantry.clients c left join tenantry.partners p on p.id = c.partner_id
  left join tenantry.instances i on i.client_id = c.id
  where c.environment = 'production' and (c.slug, c.id) > ($1, '00000000-0000-0000-0000-000000000000'::uuid)
  order by c.slug, c.id limit 50`;

export async function clientList(api: ApiUnderTest): Promise<void> {
  await addClients(api.database, "listed", CLIENTS);
  const token = await api.access.token({ email: api.emails.root, aud: ["audience-of-the-dashboard"] });
  const after = Buffer.from(JSON.stringify(["listed-5", "00000000-0000-0000-0000-000000000000"])).toString("base64url");
  const target = {
    port: Number(api.direct.port),
    path: `/client?limit=50&after=${after}&billing_plan=pro`,
    headers: { host: "dash.example.test", "cf-access-jwt-assertion": token },
  };
  const client = new Client();
  try {
    await client.calls(target, WARM_UP_CALLS);
    await bareQueries(api.database.url, WARM_UP_CALLS);
    const compared = await compare(
      { name: "GET /client, whole", round: () => client.calls(target, CALLS) },
      { name: "its query, on a connection of its own", round: () => bareQueries(api.database.url, CALLS) },
      BOUNDS,
    );
    printComparison(`a list of 50 among ${CLIENTS} clients: latency`, "ms", compared, TARGET);
  } finally {
    client.close();
  }
}

/** A Worker has a connection a request, which Hyperdrive shortens in production and nothing does here: so has the baseline. */
async function bareQueries(url: string, calls: number): Promise<number[]> {
  const latencies: number[] = [];
  for (let call = 0; call < calls; call++) {
    const begun = performance.now();
    const connection = new pg.Client({ connectionString: url });
    await connection.connect();
    await connection.query(QUERY, ["listed-5"]);
    latencies.push(performance.now() - begun);
    await connection.end();
  }
  return latencies;
}
