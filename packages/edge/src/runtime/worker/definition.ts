/** The options of Miniflare that the runtime uses. Its own types need another version of zod and resolve to `any`. */
import type { AssetsNativeBinding } from "../assets/services.ts";
import type { nativeBindings } from "./native-bindings.ts";

export interface ModuleDefinition {
  type: "ESModule" | "CommonJS" | "CompiledWasm" | "Text" | "Data";
  path: string;
  contents: string | Uint8Array<ArrayBuffer>;
}

export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };

export interface ExternalService {
  external: { address: string; http: { style?: number } };
}

/** Hosts that the runtime resolves and reaches itself. `public` excludes private addresses. */
export interface NetworkService {
  network: { allow: readonly ("public" | "private")[]; tlsOptions: { trustBrowserCas: boolean } };
}

export interface WrappedBinding {
  scriptName: string;
  bindings: Record<string, JsonValue>;
}

export interface ObjectBinding {
  className: string;
  scriptName?: string;
  useSQLite?: boolean;
  /** Seed of the ids of objects and of the names of containers. */
  unsafeUniqueKey?: string;
  container?: { imageName: string };
}

export interface QueueConsumer {
  maxBatchSize: number;
  /** Seconds. */
  maxBatchTimeout: number;
  maxRetries: number;
  deadLetterQueue?: string;
  /** Seconds. */
  retryDelay?: number;
}

export interface WorkerBindings {
  bindings?: Record<string, JsonValue>;
  durableObjects?: Record<string, ObjectBinding>;
  additionalUnboundDurableObjects?: ObjectBinding[];
  queueProducers?: Record<string, { queueName: string; deliveryDelay?: number }>;
  queueConsumers?: Record<string, QueueConsumer>;
  hyperdrives?: Record<string, string>;
  serviceBindings?: Record<string, ExternalService | { name: string; entrypoint?: string }>;
  wrappedBindings?: Record<string, WrappedBinding>;
  kvNamespaces?: Record<string, string>;
  r2Buckets?: Record<string, string>;
  unsafeBindings?: (ReturnType<typeof nativeBindings>[number] | AssetsNativeBinding)[];
}

export interface WorkerDefinition extends WorkerBindings {
  name: string;
  modules: true | ModuleDefinition[];
  modulesRoot?: string;
  /** The only module when `modules` is `true`. */
  script?: string;
  compatibilityDate?: string;
  compatibilityFlags?: string[];
  zone?: string;
  outboundService?: ExternalService | NetworkService;
  containerEngine?: { localDocker: { socketPath: string; containerEgressInterceptorImage: string } };
  /** `serviceName`: the Worker behind the socket. Default: this one. */
  unsafeDirectSockets?: { host: string; port: number; proxy?: boolean; serviceName?: string; entrypoint?: string }[];
}

export interface WorkerdDefinition {
  durableObjectsPersist?: string;
  kvPersist?: string;
  r2Persist?: string;
  workers: WorkerDefinition[];
}
