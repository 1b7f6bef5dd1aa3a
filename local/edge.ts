/** The local edge: everything a platform deploys to, in one process and its children, on loopback only. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type Access, createAccess } from "@tenantry/edge/access/access";
import { ACCOUNT_ID, DOMAIN, TEAM_DOMAIN, ZONE_ID } from "@tenantry/edge/account/account";
import { Store } from "@tenantry/edge/account/store";
import { createAiGateway } from "@tenantry/edge/ai-gateway/ai-gateway";
import type { ProviderAccounts } from "@tenantry/edge/ai-gateway/providers";
import { GatewayState } from "@tenantry/edge/ai-gateway/state";
import { createApi } from "@tenantry/edge/cloudflare/api/api";
import { collectBlobs } from "@tenantry/edge/cloudflare/kinds/scripts/blobs";
import { EngineHost } from "@tenantry/edge/containers/apart/host";
import type { ContainerEngine, ContainerEngineOptions } from "@tenantry/edge/containers/engine";
import { startRealEngine } from "@tenantry/edge/containers/real/engine";
import type { PreparedEngine } from "@tenantry/edge/containers/real/prepare";
import { createControl } from "@tenantry/edge/front/control";
import { openFront } from "@tenantry/edge/front/front";
import type { RestartService } from "@tenantry/edge/front/service-restart";
import { type Runtime, startRuntime } from "@tenantry/edge/runtime/runtime";
import { lockState } from "@tenantry/edge/state/lock";
import { startMail } from "@tenantry/mail/mail";
import { startDatabase } from "@tenantry/postgres/database";
import { createRest } from "@tenantry/postgrest/rest";
import { fileLog } from "@tenantry/std/log";
import type { Environment } from "#domain/environment.ts";
import { dispatchHostname } from "#domain/hostnames.ts";
import { gatewayProcessImage } from "#workers/tenant/container/process-image.ts";
import type { EngineTarget } from "./engine-target.ts";
import { loadSecrets, saveSecrets, serviceRoleKeys } from "./state/secrets.ts";

/** In the state directory: what containers of images are to have, see `containers/images.ts`. */
export const IMAGES_FILE = "images.json";

export interface EdgeOptions {
  /** Where all state lies; made if missing. */
  directory: string;
  /** Port of everything HTTP; 0 for any free one. */
  port: number;
  /** Command of the gateway application in a sandbox. Default: the reference gateway. */
  gatewayCommand?: string[];
  /** The machine's container engine, which then runs the containers. Default: they are plain processes. */
  containers?: PreparedEngine;
  /** Runs the containers where they are plain processes. Default: a process of the edge's own. */
  engineHost?: EngineHost;
  /** Hears that a part has ended that nothing starts again: the edge is to be stopped. */
  onLost?: (error: Error) => void;
  /** Starts the automation service beside the edge again. Default: there is none. */
  restartService?: RestartService;
  /** Providers that AI gateways ask in earnest. Default: none, a mock answers. */
  providerAccounts?: ProviderAccounts;
}

export interface Edge extends EngineTarget {
  readonly directory: string;
  readonly domain: string;
  readonly port: number;
  readonly accountId: string;
  readonly zoneId: string;
  readonly mail: { smtp: string; api: string };
  readonly access: Access;
  readonly runtime: Runtime;
  readonly containers: ContainerEngine;
  readonly store: Store;
  /** Ends everything that was started; safe to call again. */
  stop(): Promise<void>;
}

/**
 * Starts the edge. What was started is ended again when a later part fails.
 *
 * @throws Error with one sentence: the port is taken, the state is in use, or a part does not start
 */
export async function startEdge(options: EdgeOptions): Promise<Edge> {
  const { directory } = options;
  const under = (name: string) => {
    const path = join(directory, name);
    mkdirSync(path, { recursive: true, mode: 0o700 });
    return path;
  };
  mkdirSync(directory, { recursive: true, mode: 0o700 });

  const endings: (() => unknown)[] = [];
  let stopping: Promise<void> | undefined;
  const stop = () => {
    stopping ??= (async () => {
      const faults: unknown[] = [];
      for (const end of endings.toReversed()) {
        try {
          await end();
        } catch (error) {
          faults.push(error);
        }
      }
      if (faults.length > 0) throw new AggregateError(faults, "parts of the local edge did not stop cleanly");
    })();
    return stopping;
  };

  try {
    endings.push(lockState(directory));
    const { log, close } = fileLog(join(directory, "edge.log"));
    endings.push(close);
    const front = await openFront(options.port, log);
    endings.push(() => front.stop());
    const { port } = front;
    const secrets = loadSecrets(directory);
    const base = `http://127.0.0.1:${port}`;
    const accessIssuer = `http://${TEAM_DOMAIN}:${port}`;
    const dispatchUrl = (environment: Environment) => `http://${dispatchHostname(environment, DOMAIN)}:${port}`;

    const openEngine = (of: ContainerEngineOptions): Promise<ContainerEngine> => {
      if (options.engineHost !== undefined) return options.engineHost.open(of);
      const host = new EngineHost(options.onLost);
      endings.push(() => host.stop());
      return host.open(of);
    };

    const store = new Store(under("account"));
    endings.push(() => store.close());
    collectBlobs(store);
    const [database, containers, mail] = await allStarted([
      started(startDatabase({ directory: under("postgres"), log }), endings),
      started(
        options.containers === undefined
          ? openEngine({
              directory: under("containers"),
              image: gatewayProcessImage({ command: options.gatewayCommand }),
              images: join(directory, IMAGES_FILE),
              log,
            })
          : startRealEngine({ ...options.containers, directory: under("containers"), log }),
        endings,
      ),
      started(startMail({ directory: under("mail"), token: secrets.apiToken, log }), endings),
    ]);
    const rest = createRest({ databaseUrl: database.url, jwtSecret: secrets.jwtSecret, apiKeys: secrets.apiKeys, log });
    endings.push(() => rest.close());
    const access = await createAccess({ store, directory: under("access"), issuer: accessIssuer, log });
    const runtime = await startRuntime({ store, directory: under("runtime"), domain: DOMAIN, port, containers, log });
    endings.push(() => runtime.stop());
    const gateways = new GatewayState(under("ai-gateway"));
    endings.push(() => gateways.close());
    const aiGateway = createAiGateway({
      store,
      accountId: ACCOUNT_ID,
      state: gateways,
      ...(options.providerAccounts && { accounts: options.providerAccounts }),
      log,
    });
    const api = createApi({
      store,
      gatewayLogs: gateways.logs,
      analytics: runtime.analytics,
      runtime,
      accountId: ACCOUNT_ID,
      zoneId: ZONE_ID,
      domain: DOMAIN,
      apiToken: secrets.apiToken,
      log,
    });
    const control = createControl({
      api,
      aiGateway,
      rest: rest.app,
      setRestKeys: (keys) => {
        rest.reload(keys);
        saveSecrets(directory, keys);
      },
      restartService: options.restartService,
      mail: mail.app,
      access,
      runtime,
      token: secrets.apiToken,
    });
    endings.push(() => front.stop());
    front.serve({ control: (request) => control.fetch(request), access, runtime, store, issuer: accessIssuer });

    return {
      directory,
      domain: DOMAIN,
      port,
      accountId: ACCOUNT_ID,
      zoneId: ZONE_ID,
      apiToken: secrets.apiToken,
      apiUrl: `${base}/client/v4`,
      aiGatewayUrl: `${base}/ai-gateway`,
      restUrl: `${base}/rest/v1`,
      serviceRoleKeys: await serviceRoleKeys(secrets.jwtSecret),
      databaseUrl: database.url,
      accessIssuer,
      dispatchUrls: {
        production: dispatchUrl("production"),
        staging: dispatchUrl("staging"),
        development: dispatchUrl("development"),
      },
      mail: { smtp: mail.smtpUrl, api: `${base}/mail` },
      passphrase: secrets.passphrase,
      access,
      runtime,
      containers,
      ...(containers.image !== undefined && { containerImage: containers.image }),
      store,
      stop,
    };
  } catch (error) {
    await stop().catch(() => {});
    throw error;
  }
}

/** Remembers how to end a part as soon as it runs, so that a failure beside it leaves nothing behind. */
async function started<T extends { stop(): unknown }>(starting: Promise<T>, endings: (() => unknown)[]): Promise<T> {
  const part = await starting;
  endings.push(() => part.stop());
  return part;
}

/** Like `Promise.all`, but a failure waits for the others, so that what they started is known and can be ended. */
async function allStarted<const T extends readonly Promise<unknown>[]>(
  starting: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  await Promise.allSettled(starting);
  return Promise.all(starting);
}
