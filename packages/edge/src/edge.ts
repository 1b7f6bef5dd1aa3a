/** Cloudflare's platform on one machine, in one process and its children, on loopback only. */
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileLog } from "@tenantry/std/log";
import { allStarted, type Ending, started, stopAll } from "@tenantry/std/parts";
import { type Access, createAccess } from "./access/access.ts";
import { type Account, DEFAULT_ACCOUNT } from "./account/account.ts";
import { Store } from "./account/store.ts";
import { createAiGateway } from "./ai-gateway/ai-gateway.ts";
import type { ProviderAccounts } from "./ai-gateway/providers.ts";
import { GatewayState } from "./ai-gateway/state.ts";
import { createApi } from "./cloudflare/api/api.ts";
import { collectBlobs } from "./cloudflare/kinds/scripts/upload/blobs.ts";
import { EngineHost } from "./containers/apart/host.ts";
import type { ContainerEngine, ContainerEngineOptions } from "./containers/engine.ts";
import { type ProcessImage, plainImage } from "./containers/process-image.ts";
import { startRealEngine } from "./containers/real/engine.ts";
import type { PreparedEngine } from "./containers/real/prepare.ts";
import { createControl } from "./front/control.ts";
import type { EdgeContext, EdgeExtension } from "./front/extension.ts";
import { openFront } from "./front/front.ts";
import { type Runtime, startRuntime } from "./runtime/runtime.ts";
import { lockState } from "./state/lock.ts";

/** In the state directory: the environment of images, see `containers/images.ts`. */
export const IMAGES_FILE = "images.json";
const TOKEN_FILE = "api-token";

export interface EdgeOptions {
  /** Folder of all state; created if missing. */
  directory: string;
  /** Port of everything HTTP on 127.0.0.1. 0 takes any that is free. */
  port: number;
  /** Ids and names of the account. Default: {@link DEFAULT_ACCOUNT}. */
  account?: Account;
  /** Bearer token of the API. Default: a random one, kept in the state directory. */
  apiToken?: string;
  /** What containers are made of where they are plain processes. Default: Node.js and the system's programs. */
  image?: ProcessImage;
  /** The machine's container engine, which then runs the containers. Default: they are plain processes. */
  containers?: PreparedEngine;
  /** Runs the containers where they are plain processes. Default: a process of the edge's own. */
  engineHost?: EngineHost;
  /** Starts servers beside the edge. Default: none. */
  extend?: (context: EdgeContext) => Promise<EdgeExtension>;
  /** Accounts of the providers that AI gateways call. Default: none; a mock answers. */
  providerAccounts?: ProviderAccounts;
  /** Called when a part has ended that nothing starts again: stop the edge. */
  onLost?: (error: Error) => void;
}

export interface Edge extends Account {
  readonly directory: string;
  readonly port: number;
  /** Base of the Cloudflare API: `https://api.cloudflare.com/client/v4` at the vendor. */
  readonly apiUrl: string;
  readonly apiToken: string;
  /** Base of the AI gateways: `https://gateway.ai.cloudflare.com` at the vendor. */
  readonly aiGatewayUrl: string;
  /** Issuer of Access tokens, and where people log in: `https://TEAM.cloudflareaccess.com` at the vendor. */
  readonly accessIssuer: string;
  readonly access: Access;
  readonly runtime: Runtime;
  readonly containers: ContainerEngine;
  readonly store: Store;
  /** Ends everything that was started. It is safe to call it again. */
  stop(): Promise<void>;
}

/**
 * Starts the edge. When a part fails to start, those that run are stopped.
 *
 * @throws Error with one sentence: the port is taken, the state is in use, or a part does not start
 */
export async function startEdge(options: EdgeOptions): Promise<Edge> {
  const { directory, account = DEFAULT_ACCOUNT } = options;
  const { accountId, zoneId, domain, teamDomain } = account;
  const under = (name: string) => {
    const path = join(directory, name);
    mkdirSync(path, { recursive: true, mode: 0o700 });
    return path;
  };
  mkdirSync(directory, { recursive: true, mode: 0o700 });

  const endings: Ending[] = [];
  let stopping: Promise<void> | undefined;
  const stop = () => {
    stopping ??= stopAll(endings, "parts of the local edge did not stop cleanly");
    return stopping;
  };

  try {
    endings.push(lockState(directory));
    const { log, close } = fileLog(join(directory, "edge.log"));
    endings.push(close);
    const front = await openFront(options.port, log);
    endings.push(() => front.stop());
    const { port } = front;
    const apiToken = options.apiToken ?? keptToken(directory);
    const accessIssuer = `http://${teamDomain}:${port}`;

    const openEngine = (of: ContainerEngineOptions): Promise<ContainerEngine> => {
      if (options.engineHost !== undefined) return options.engineHost.open(of);
      const host = new EngineHost(options.onLost);
      endings.push(() => host.stop());
      return host.open(of);
    };

    const store = new Store(under("account"));
    endings.push(() => store.close());
    collectBlobs(store);
    const [extension, containers] = await allStarted([
      started(options.extend?.({ port, log, under }) ?? Promise.resolve(undefined), endings),
      started(
        options.containers === undefined
          ? openEngine({
              directory: under("containers"),
              image: options.image ?? plainImage(),
              images: join(directory, IMAGES_FILE),
              log,
            })
          : startRealEngine({ ...options.containers, directory: under("containers"), log }),
        endings,
      ),
    ]);
    const access = await createAccess({ store, directory: under("access"), issuer: accessIssuer, log });
    const runtime = await startRuntime({ store, directory: under("runtime"), domain, port, containers, log });
    endings.push(() => runtime.stop());
    const gateways = new GatewayState(under("ai-gateway"));
    endings.push(() => gateways.close());
    const aiGateway = createAiGateway({
      store,
      accountId,
      state: gateways,
      ...(options.providerAccounts && { accounts: options.providerAccounts }),
      log,
    });
    const api = createApi({
      ...{ store, runtime, accountId, zoneId, domain, apiToken, log },
      gatewayLogs: gateways.logs,
      analytics: runtime.analytics,
    });
    const control = createControl({ api, aiGateway, access, runtime, token: apiToken, extension });
    endings.push(() => front.stop());
    front.serve({ control: (request) => control.fetch(request), access, runtime, store, issuer: accessIssuer });

    const base = `http://127.0.0.1:${port}`;
    return {
      ...account,
      ...{ directory, port, apiToken, accessIssuer, access, runtime, containers, store, stop },
      apiUrl: `${base}/client/v4`,
      aiGatewayUrl: `${base}/ai-gateway`,
    };
  } catch (error) {
    await stop().catch(() => {});
    throw error;
  }
}

/** The token of a state directory, created at the first start. */
function keptToken(directory: string): string {
  const path = join(directory, TOKEN_FILE);
  if (!existsSync(path)) writeFileSync(path, randomBytes(32).toString("base64url"), { mode: 0o600, flag: "wx" });
  return readFileSync(path, "utf8").trim();
}
