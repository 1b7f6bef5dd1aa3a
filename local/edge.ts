/** The platform that `npm start` and tests deploy to: the edge, with a database, its REST layer and a mail server beside it. */
import { mkdirSync } from "node:fs";
import {
  type Edge as CloudflareEdge,
  type EdgeContext,
  type EdgeExtension,
  type Product,
  type ProviderAccounts,
  type StandIns,
  startEdge as startCloudflareEdge,
  type WeatherOptions,
} from "@tenantry/edge";
import type { EngineHost, PreparedEngine } from "@tenantry/edge/containers";
import { startMail } from "@tenantry/mail";
import { startDatabase } from "@tenantry/postgres";
import { createRest } from "@tenantry/postgrest";
import { type StopPart, startPart, stopAll, waitForAll } from "@tenantry/std/parts";
import { Hono } from "hono";
import * as z from "zod";
import type { Environment } from "#domain/environment.ts";
import { dispatchHostname } from "#domain/names/hostnames.ts";
import { gatewayProcessImage } from "#workers/tenant/container/process-image.ts";
import { DOMAIN, LOCAL_ACCOUNT } from "./account.ts";
import type { EngineTarget } from "./engine-target.ts";
import { type RestartService, SERVICE_RESTART_PATH, serviceRestart } from "./service-restart.ts";
import { loadSecrets, type Secrets, saveSecrets, serviceRoleKeys } from "./state/secrets.ts";

export interface EdgeOptions {
  directory: string;
  /** 0 for any free port. */
  port: number;
  /** Command of the gateway. Default: the reference gateway. */
  gatewayCommand?: string[];
  /** The machine's container engine. Default: containers are processes. */
  containers?: PreparedEngine;
  /** Runs containers as processes. Default: a process of this edge. */
  engineHost?: EngineHost;
  /** Called when a part has ended for good: stop the edge. */
  onLost?: (error: Error) => void;
  /** Restarts the automation service. Default: there is none. */
  restartService?: RestartService;
  /** Products that the account has not enabled, such as `r2`. Default: none. */
  withoutProducts?: readonly Product[];
  /** Accounts of AI providers. Default: none; a mock responds. */
  providerAccounts?: ProviderAccounts;
  /** Images in the account's registry, besides those of `images.json`. Default: none. */
  pushed?: readonly string[];
  /** Injects faults of Cloudflare in production. Default: none. */
  weather?: WeatherOptions;
  /** As of the edge below: hosts outside the account, by name. Default: none. */
  internet?: StandIns;
}

export type Edge = CloudflareEdge & EngineTarget & { readonly mail: { smtp: string; api: string } };

interface Services {
  databaseUrl: string;
  smtpUrl: string;
}

/** Starts the edge with its database, REST layer and mail server. @throws Error when the port or the state is in use, or a part fails */
export async function startEdge(options: EdgeOptions): Promise<Edge> {
  const { gatewayCommand, restartService, ...others } = options;
  const { directory } = others;
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const secrets = loadSecrets(directory);
  const roleKeys = await serviceRoleKeys(secrets.jwtSecret);
  let services: Services | undefined;
  const edge = await startCloudflareEdge({
    ...others,
    containerNetwork: process.env.EDGE_CONTAINER_NETWORK === "shared" ? "shared" : "own",
    account: LOCAL_ACCOUNT,
    apiToken: secrets.apiToken,
    image: gatewayProcessImage({ command: gatewayCommand }),
    async extend(context) {
      const { extension, ...started } = await startServices(context, directory, secrets, restartService);
      services = started;
      return extension;
    },
  });
  if (services === undefined) throw new Error("The edge started without its database.");
  const { port, containers } = edge;
  const base = `http://127.0.0.1:${port}`;
  const dispatchUrl = (environment: Environment) => `http://${dispatchHostname(environment, DOMAIN)}:${port}`;
  return {
    ...edge,
    restUrl: `${base}/rest/v1`,
    serviceRoleKeys: roleKeys,
    databaseUrl: services.databaseUrl,
    dispatchUrls: {
      production: dispatchUrl("production"),
      staging: dispatchUrl("staging"),
      development: dispatchUrl("development"),
    },
    mail: { smtp: services.smtpUrl, api: `${base}/mail` },
    passphrase: secrets.passphrase,
    ...(containers.image !== undefined && { containerImage: containers.image }),
  };
}

async function startServices(
  { log, under }: EdgeContext,
  directory: string,
  { apiToken, jwtSecret, apiKeys }: Secrets,
  restartService: RestartService | undefined,
): Promise<Services & { extension: EdgeExtension }> {
  const endings: StopPart[] = [];
  const stop = () => stopAll(endings, "the database, its REST layer or the mail server did not stop cleanly");
  try {
    const [database, mail] = await waitForAll([
      startPart(startDatabase({ directory: under("postgres"), name: "tenantry", log }), endings),
      startPart(startMail({ directory: under("mail"), token: apiToken, log }), endings),
    ]);
    const rest = createRest({ databaseUrl: database.url, jwtSecret, apiKeys, log });
    endings.push(() => rest.close());
    const setRestKeys = (keys: RestKeys) => {
      rest.reload(keys);
      saveSecrets(directory, keys);
    };
    const extension: EdgeExtension = {
      routes: { "/rest/v1": rest.app, "/mail": mail.app },
      guarded: controlRoutes(setRestKeys, restartService),
      stop,
    };
    return { databaseUrl: database.url, smtpUrl: mail.smtpUrl, extension };
  } catch (error) {
    await stop().catch(() => {});
    throw error;
  }
}

/** Either the secret or JWK Set that verifies tokens, or the accepted API keys. */
const restKeys = z.union([
  z.strictObject({ jwtSecret: z.string() }),
  z.strictObject({ apiKeys: z.array(z.string().min(1)) }),
]);
type RestKeys = z.infer<typeof restKeys>;

function controlRoutes(setRestKeys: (keys: RestKeys) => void, restartService: RestartService | undefined): Hono {
  const routes = new Hono();
  const invalid = (message: string) => Response.json({ error: { code: "invalid_request", message } }, { status: 400 });
  routes.put("/local/rest/keys", async (context) => {
    const request = restKeys.safeParse(await context.req.json().catch(() => undefined));
    if (!request.success) return invalid("send { jwtSecret } or { apiKeys }");
    try {
      setRestKeys(request.data);
      return context.json({ ok: true });
    } catch (error) {
      return invalid((error as Error).message);
    }
  });
  routes.post(SERVICE_RESTART_PATH, async (context) => {
    const request = serviceRestart.safeParse(await context.req.json().catch(() => undefined));
    if (!request.success) return invalid("send { stack, variables }");
    if ((await restartService?.(request.data)) === true) return context.json({ ok: true });
    const message = `No automation service runs for the stack ${request.data.stack}.`;
    return context.json({ error: { code: "not_found", message } }, 404);
  });
  return routes;
}
