/**
 * The dispatch Worker, as it is bundled, against one that only forwards, in one workerd without the local edge around it: no
 * front, no entry module and no hop to another process, so that nothing but the two Workers tells the sides apart.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { WorkerDefinition } from "../../local/runtime/worker-definition.ts";
import { createScratch, type Engine, removeScratch, startEngine } from "../../local/runtime/workerd.ts";
import { startAccessTeam } from "../../workers/access/testing/access-team.ts";
import { bundleWorker } from "../../workers/bundle.ts";
import { startRestServer } from "../../workers/dispatch/testing/rest-server.ts";
import { DOMAIN, PLATFORM_AUDIENCE, tenant } from "../../workers/dispatch/testing/start-dispatch.ts";
import { Client, type Target } from "../client.ts";
import { compare, type Side } from "../measure.ts";
import { printComparison } from "../report.ts";
import { workerdCpu } from "./workerd-cpu.ts";
import { FORWARDER_SOURCE, SMALL } from "./workers.ts";

const TARGET = 1.25;
const WARM_UP_CALLS = 1_000;
const CALLS = 100;
const BOUNDS = { rounds: 31, budgetMs: 5_000 };
const USER = "ada@acme.example";
/** A dispatch namespace whose every Worker is the same one. */
const DISPATCHER = "export default (env) => ({ get: () => ({ fetch: (request) => env.TENANTS.fetch(request) }) });";
const TENANTS = `export const tenant = { fetch: () => new Response("small") }; export default {};`;

export async function dispatchBare(): Promise<void> {
  const scratch = createScratch();
  const client = new Client();
  const [access, rest] = await Promise.all([startAccessTeam(), startRestServer("service-role-key")]);
  rest.tenants.set(SMALL, tenant(SMALL));
  rest.roles.set(`${SMALL} ${USER}`, "ADMIN");
  let engine: Engine | undefined;
  try {
    const workers = await workersWith({
      ENVIRONMENT: "production",
      PLATFORM_DOMAIN: DOMAIN,
      ACCESS_ISSUER: access.issuer,
      PLATFORM_AUDIENCE,
      SUPABASE_URL: rest.url,
      SUPABASE_SERVICE_ROLE_KEY: rest.key,
    });
    engine = await startEngine({ options: { workers }, scratch, label: "bench", log: () => {} });
    const jwt = await access.token({ email: USER, aud: [`audience-of-${SMALL}`] });
    const compared = await compare(
      await warmSide(client, "dispatch Worker", target(await engine.port("dispatch"), jwt)),
      await warmSide(client, "Worker that only forwards", target(await engine.port("forward"), jwt)),
      BOUNDS,
    );
    const title = "dispatch, warm, a tenant that only answers, without the local edge: CPU of workerd a request";
    printComparison(title, "µs", compared, TARGET);
  } finally {
    client.close();
    await engine?.stop();
    await Promise.all([access.stop(), rest.stop()]);
    removeScratch(scratch);
  }
}

async function warmSide(client: Client, name: string, to: Target): Promise<Side> {
  await client.calls(to, WARM_UP_CALLS);
  const round = async () => {
    const before = workerdCpu();
    await client.calls(to, CALLS);
    return [(workerdCpu() - before) / CALLS];
  };
  return { name, round };
}

async function workersWith(bindings: Record<string, string>): Promise<WorkerDefinition[]> {
  const { path, mainModule, compatibilityDate, compatibilityFlags } = await bundleWorker("dispatch");
  const contents = await readFile(join(path, mainModule), "utf8");
  const dispatching = {
    compatibilityDate,
    compatibilityFlags,
    unsafeDirectSockets: [{ host: "127.0.0.1", port: 0, proxy: true }],
    wrappedBindings: { DISPATCHER: { scriptName: "dispatcher", bindings: {} } },
  };
  return [
    {
      name: "dispatch",
      modules: [{ type: "ESModule", path: mainModule, contents }],
      kvNamespaces: { TENANT_INDEX: "tenant-index" },
      queueProducers: { FANOUT: { queueName: "fanout" } },
      bindings,
      ...dispatching,
    },
    { name: "forward", modules: true, script: FORWARDER_SOURCE, ...dispatching },
    {
      name: "dispatcher",
      modules: true,
      script: DISPATCHER,
      serviceBindings: { TENANTS: { name: "tenants", entrypoint: "tenant" } },
    },
    { name: "tenants", modules: true, compatibilityDate, script: TENANTS },
  ];
}

/** A logged-in user's request as the edge hands it to a Worker. */
function target(port: number, jwt: string): Target {
  const host = `${SMALL}.${DOMAIN}`;
  return {
    port,
    path: `http://${host}/page?a=b`,
    headers: {
      host,
      accept: "text/html,application/xhtml+xml",
      "accept-language": "en",
      "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
      cookie: `theme=dark; CF_Authorization=${jwt}`,
      "cf-access-jwt-assertion": jwt,
      "cf-connecting-ip": "192.0.2.1",
      "cf-ray": "0123456789abcdef-LOCAL",
      "x-forwarded-for": "192.0.2.1",
      "x-forwarded-proto": "https",
    },
  };
}
