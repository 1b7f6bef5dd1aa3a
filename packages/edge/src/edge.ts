import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openFileLog } from "@tenantry/std/log";
import { type StopPart, startPart, stopAll, waitForAll } from "@tenantry/std/parts";
import { type Access, createAccess } from "./access/access.ts";
import { type Account, DEFAULT_ACCOUNT } from "./account/account.ts";
import { Store } from "./account/store.ts";
import { createAiGateway } from "./ai-gateway/ai-gateway.ts";
import type { ProviderAccounts } from "./ai-gateway/providers.ts";
import { GatewayState } from "./ai-gateway/state.ts";
import { createApi } from "./cloudflare/api/api.ts";
import type { Product } from "./cloudflare/api/products.ts";
import { startLifecycle } from "./cloudflare/kinds/r2/lifecycle.ts";
import { collectBlobs } from "./cloudflare/kinds/scripts/upload/blobs.ts";
import type { ContainerEngine } from "./containers/engine.ts";
import { EngineHost } from "./containers/engine-process/host.ts";
import { createImagesFile, ImageRegistry } from "./containers/images.ts";
import { Internet, type StandIns } from "./containers/network/names/internet.ts";
import type { NetworkKind } from "./containers/network/probe.ts";
import { type ProcessImage, plainImage } from "./containers/process-image.ts";
import { startRealEngine } from "./containers/real/engine.ts";
import type { PreparedEngine } from "./containers/real/prepare.ts";
import { createRegistryServer } from "./containers/registry-server.ts";
import { createControl } from "./front/control.ts";
import type { EdgeContext, EdgeExtension } from "./front/extension.ts";
import { openFront } from "./front/front.ts";
import { EdgeLimits, type LimitOverrides } from "./limits/edge-limits.ts";
import { limitsOf } from "./limits/environment.ts";
import { type Runtime, startRuntime } from "./runtime/runtime.ts";
import { lockState } from "./state/lock.ts";
import { startContainerWeather } from "./weather/container-weather.ts";
import { createWeather, type Weather, type WeatherOptions } from "./weather/weather.ts";

/** In the state directory: environment variables of images, see `containers/images.ts`. */
export const IMAGES_FILE = "images.json";
const TOKEN_FILE = "api-token";

export interface EdgeOptions {
  /** Folder of all state; created if missing. */
  directory: string;
  /** Port on 127.0.0.1; 0 takes a free one. */
  port: number;
  /** Ids and names of the account. Default: {@link DEFAULT_ACCOUNT}. */
  account?: Account;
  /** Bearer token of the API. Default: a random one, stored in the state directory. */
  apiToken?: string;
  /** Image of containers that are plain processes. Default: Node.js and the programs of the system. */
  image?: ProcessImage;
  /** Container engine of the machine. Default: containers are plain processes. */
  containers?: PreparedEngine;
  /** Images in the account's registry, besides those of `images.json`. Containers start with no others. Default: none */
  pushed?: readonly string[];
  /** Runs containers that are plain processes. Default: a new child process. */
  engineHost?: EngineHost;
  /** Starts servers beside the edge. Default: none */
  extend?: (context: EdgeContext) => Promise<EdgeExtension>;
  /** Accounts of the providers that AI gateways call. Default: none; a mock responds. */
  providerAccounts?: ProviderAccounts;
  /** Products that the account has not enabled, such as `r2`. Default: none. */
  withoutProducts?: readonly Product[];
  /** Values that differ from Cloudflare's limits. Default: those of the variable `EDGE_LIMITS`. */
  limits?: LimitOverrides;
  /** Injects faults of production by a seed. Default: none. */
  weather?: WeatherOptions;
  /** Hosts outside the account, with the servers of this machine that Workers and containers reach by their names. Default: none. */
  internet?: StandIns;
  /** `own`: each container that is a confined process has its own network, when this machine allows it. Default: `own`. */
  containerNetwork?: NetworkKind;
  /** Called when a part has ended that is not restarted. Stop the edge then. */
  onLost?: (error: Error) => void;
}

export interface Edge extends Account {
  readonly directory: string;
  readonly port: number;
  /** URL of the Cloudflare API (`https://api.cloudflare.com/client/v4`). */
  readonly apiUrl: string;
  readonly apiToken: string;
  /** URL of the AI gateways (`https://gateway.ai.cloudflare.com`). */
  readonly aiGatewayUrl: string;
  /** Issuer of Access tokens and URL of the login (`https://TEAM.cloudflareaccess.com`). */
  readonly accessIssuer: string;
  readonly access: Access;
  readonly runtime: Runtime;
  readonly containers: ContainerEngine;
  readonly store: Store;
  readonly weather: Weather | undefined;
  /** Stops all parts. Further calls have no effect. */
  stop(): Promise<void>;
}

/**
 * Starts Cloudflare's platform on one machine, in this process and its children, on loopback. Stops all parts when one fails to start.
 *
 * @throws Error when the port or the state directory is in use, or a part does not start
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

  const endings: StopPart[] = [];
  let stopping: Promise<void> | undefined;
  const stop = () => (stopping ??= stopAll(endings, "parts of the edge did not stop cleanly"));

  try {
    endings.push(lockState(directory));
    const { log, close } = openFileLog(join(directory, "edge.log"));
    endings.push(close);
    const weather = options.weather && createWeather(options.weather, log);
    endings.push(() => weather?.stop());
    const front = await openFront(options.port, log);
    endings.push(() => front.stop());
    const { port } = front;
    const apiToken = options.apiToken ?? readToken(directory);
    const accessIssuer = `http://${teamDomain}:${port}`;

    const [file, pushed] = [join(directory, IMAGES_FILE), options.pushed ?? []];
    const registry = new ImageRegistry({
      file,
      pushed: options.containers ? [...pushed, options.containers.image] : pushed,
    });
    const openEngine = (folder: string): Promise<ContainerEngine> => {
      if (options.containers !== undefined) return startRealEngine({ ...options.containers, directory: folder, log });
      let host = options.engineHost;
      if (host === undefined) {
        const own = new EngineHost(options.onLost);
        endings.push(() => own.stop());
        host = own;
      }
      const { containerNetwork: network, internet, image = plainImage() } = options;
      return host.open({ ...{ directory: folder, image, images: file, pushed, network, internet }, log });
    };
    const openContainers = async (): Promise<ContainerEngine> => {
      const engine = await openEngine(under("containers"));
      return weather === undefined ? engine : startContainerWeather(engine, weather, { directory, log });
    };

    const limits = new EdgeLimits({ ...limitsOf(process.env.EDGE_LIMITS), ...options.limits });
    const store = new Store(under("account"));
    endings.push(() => store.close());
    collectBlobs(store);
    const deployed = store.list("container_application").map(({ configuration }) => configuration.image ?? []);
    createImagesFile(file, deployed.flat());
    const [extension, containers] = await waitForAll([
      startPart(options.extend?.({ port, log, under }) ?? Promise.resolve(undefined), endings),
      startPart(openContainers(), endings),
    ]);
    const access = await createAccess({ store, directory: under("access"), issuer: accessIssuer, weather, log });
    const own = { store, directory: under("runtime"), domain, port, containers, limits, weather, log };
    const canPull = (image: string) => {
      try {
        return registry.has(image);
      } catch (error) {
        log("containers", "images-not-read", { message: String(error) });
        return false;
      }
    };
    const runtime = await startRuntime({ ...own, canPull });
    endings.push(() => runtime.stop());
    endings.push(startLifecycle(store, runtime, log));
    const gateways = new GatewayState(under("ai-gateway"));
    endings.push(() => gateways.close());
    const accounts = options.providerAccounts ?? {};
    const aiGateway = createAiGateway({ store, accountId, state: gateways, accounts, limits, log });
    const shared = { store, runtime, accountId, zoneId, domain, apiToken, limits, weather, log };
    const registryServer = createRegistryServer({ registry, secret: apiToken, accountId });
    const api = createApi({
      ...shared,
      registryCredentials: registryServer.credentials,
      teamDomain,
      gatewayLogs: gateways.logs,
      analytics: runtime.analytics,
      withoutProducts: options.withoutProducts ?? [],
    });
    const control = createControl({
      api,
      aiGateway,
      access,
      runtime,
      registry: registryServer.app,
      token: apiToken,
      extension,
    });
    endings.push(() => front.stop());
    const fetchControl = (...request: Parameters<typeof control.fetch>) => control.fetch(...request);
    front.serve({
      control: fetchControl,
      access,
      runtime,
      store,
      issuer: accessIssuer,
      limits,
      internet: new Internet(options.internet),
    });

    const base = `http://127.0.0.1:${port}`;
    return {
      ...account,
      ...{ directory, port, apiToken, accessIssuer, access, runtime, containers, store, weather, stop },
      apiUrl: `${base}/client/v4`,
      aiGatewayUrl: `${base}/ai-gateway`,
    };
  } catch (error) {
    await stop().catch(() => {});
    throw error;
  }
}

/** Returns the token of a state directory. Creates it at the first start. */
function readToken(directory: string): string {
  const path = join(directory, TOKEN_FILE);
  if (!existsSync(path)) writeFileSync(path, randomBytes(32).toString("base64url"), { mode: 0o600, flag: "wx" });
  return readFileSync(path, "utf8").trim();
}
