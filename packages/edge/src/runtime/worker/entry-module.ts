/**
 * The module that workerd starts instead of a script's main module. It requires the secret of requests, counts subrequests, and reports
 * exceptions to the runtime. It exports everything that the script exports.
 */
import { LIMITS } from "@tenantry/cloudflare-limits/limits";
import type { ScriptRecord } from "../../cloudflare/kinds/scripts/record.ts";
import {
  EXCEPTION_HEADER,
  INTERNAL_PREFIX,
  OBJECT_SUBREQUESTS_HEADER,
  SECRET_HEADER,
  SUBREQUESTS_HEADER,
} from "../../http/internal-headers.ts";
import { weatherSource } from "./weather-module.ts";

export const ENTRY_MODULE = "edge-entry.js";
export const LIMITS_MODULE = "edge-limits.js";
/** Entrypoint for service bindings of other Workers: the default export of the script. */
export const SERVICE_ENTRYPOINT = "EdgeService";
/** Global symbol of a function that returns whether the current event is a cron or queue event. */
export const BACKGROUND = "edge.background";

/** Limits of an invocation by default. */
export interface InvocationLimits {
  subrequests: number;
  /** Data points of Analytics Engine. */
  points: number;
  /** Id of the script whose queues and objects have weather. Default: no faults. */
  weather?: string | undefined;
}

/**
 * Counts calls of `fetch`, of bindings and of methods of Durable Objects, and data points, per invocation. The class of a stub is Fetcher or ServiceStub, by
 * compatibility date. Loaded before the script, so that the script has no uncounted `fetch`.
 */
export const limitsSource = ({ subrequests, points, weather }: InvocationLimits) => `
import { AsyncLocalStorage } from "node:async_hooks";

const scopes = new AsyncLocalStorage();
const encoder = new TextEncoder();
const counted = {
  Fetcher: ["fetch"],
  ServiceStub: ["fetch"],
  KvNamespace: ["get", "getWithMetadata", "put", "delete", "list"],
  R2Bucket: ["head", "get", "put", "delete", "list", "createMultipartUpload"],
  WorkerQueue: ["send", "sendBatch"],
};
const patched = new WeakSet();
/** Members of a stub. Any other name is a method of its object. */
const stubMembers = new Set(["fetch", "connect", "dup", "then", "catch", "finally"]);
/** The script's limit for each invocation of an object. */
let objectLimit = ${subrequests};

function take() {
  const scope = scopes.getStore();
  if (scope === undefined) return;
  if (scope.left <= 0) {
    // The caller may catch the error, so log it too.
    console.error("Too many subrequests: one was refused.");
    throw new Error("Too many subrequests.");
  }
  scope.left -= 1;
}

/** Texts of the vendor: cloudflare/workerd, src/workerd/api/analytics-engine-impl.h. workerd alone drops the point without an error. */
function checkPoint({ indexes, blobs, doubles } = {}) {
  const bytes = (value) => (typeof value === "string" ? encoder.encode(value) : value ?? "").length ?? value.byteLength;
  const refuse = (text) => { throw new TypeError("writeDataPoint(): " + text); };
  for (const [name, values, most] of [
    ["indexes", indexes, ${LIMITS.analyticsIndexes.value}],
    ["blobs", blobs, ${LIMITS.analyticsBlobs.value}],
    ["doubles", doubles, ${LIMITS.analyticsDoubles.value}],
  ]) {
    if ((values?.length ?? 0) > most) refuse("Maximum of " + most + " " + name + " supported.");
  }
  if (indexes?.length > 0 && bytes(indexes[0]) > ${LIMITS.analyticsIndexBytes.value}) {
    refuse("Size of indexes[0] exceeds ${LIMITS.analyticsIndexBytes.value} bytes).");
  }
  if ((blobs ?? []).reduce((sum, blob) => sum + bytes(blob), 0) > ${LIMITS.analyticsBlobBytes.value}) {
    refuse("Cumulative size of blobs exceeds ${LIMITS.analyticsBlobBytes.value} bytes).");
  }
}

function takePoint() {
  const scope = scopes.getStore();
  if (scope === undefined) return;
  scope.points = (scope.points ?? 0) + 1;
  if (scope.points > ${points}) throw new Error("Too many data points.");
}

function patchPoints(proto) {
  const original = proto.writeDataPoint;
  proto.writeDataPoint = function (...given) {
    takePoint();
    checkPoint(...given);
    return original.apply(this, given);
  };
}

function patch(holder, name) {
  const original = holder[name];
  holder[name] = function (...given) {
    try {
      take();
    } catch (error) {
      return Promise.reject(error);
    }
    return original.apply(this, given);
  };
}

function patchPrototypes(value) {
  for (let proto = Object.getPrototypeOf(value); proto !== null; proto = Object.getPrototypeOf(proto)) {
    if (Object.hasOwn(proto, "writeDataPoint") && !patched.has(proto)) {
      patched.add(proto);
      patchPoints(proto);
    }
    const methods = counted[proto.constructor?.name];
    if (methods === undefined || patched.has(proto)) continue;
    patched.add(proto);
    for (const name of methods) if (Object.hasOwn(proto, name)) patch(proto, name);
  }
}

function countCalls(stub) {
  return new Proxy(stub, {
    get(target, name) {
      const value = target[name];
      if (typeof value !== "function") return value;
      const isMethod = typeof name === "string" && !stubMembers.has(name);
      return (...given) => {
        try {
          if (isMethod) take();
        } catch (error) {
          return Promise.reject(error);
        }
        return ${weather === undefined ? "" : "marked"}(Reflect.apply(value, target, given));
      };
    },
  });
}

function patchNamespace(namespace) {
  patchPrototypes(namespace.get(namespace.newUniqueId()));
  const proto = Object.getPrototypeOf(namespace);
  if (patched.has(proto)) return;
  patched.add(proto);
  for (const name of ["get", "getByName"]) {
    const original = proto[name];
    if (typeof original !== "function") continue;
    proto[name] = function (...given) {
      return countCalls(original.apply(this, given));
    };
  }
}

patch(globalThis, "fetch");
let prepared = false;

function prepare(env) {
  ${weather === undefined ? "" : "takeWeather(env);"}
  if (prepared) return;
  prepared = true;
  for (const value of Object.values(env)) {
    if (typeof value !== "object" || value === null) continue;
    patchPrototypes(value);
    if (value.constructor?.name === "DurableObjectNamespace") patchNamespace(value);
  }
}

Object.defineProperty(globalThis, Symbol.for("${BACKGROUND}"), { value: () => scopes.getStore()?.background === true });

export function inBackground(env, run) {
  prepare(env);
  return scopes.run({ left: objectLimit, background: true }, run);
}

/** @param text null for the default */
export function limitObjects(text) {
  objectLimit = text === null ? ${subrequests} : Number(text);
}

/** Returns a class of Durable Objects that counts each invocation separately. */
export function bounded(Class) {
  if (typeof Class !== "function") return Class;
  const Bounded = class extends Class {
    constructor(ctx, env) {
      prepare(env);
      super(ctx, env);
      ${weather === undefined ? "" : "contexts.set(this, { ctx, running: 0 });"}
    }
  };
  for (let proto = Class.prototype; proto !== Object.prototype; proto = Object.getPrototypeOf(proto)) {
    for (const name of Object.getOwnPropertyNames(proto)) {
      const { value } = Object.getOwnPropertyDescriptor(proto, name);
      if (name === "constructor" || typeof value !== "function" || Object.hasOwn(Bounded.prototype, name)) continue;
      Bounded.prototype[name] = function (...given) {
        const run = () => value.apply(this, given);
        const invoke = () => scopes.run({ left: objectLimit, object: this }, run);
        if (scopes.getStore()?.object === this) return run();
        return ${weather === undefined ? "invoke()" : "runObject(this, Class.name, invoke)"};
      };
    }
  }
  return Object.defineProperty(Bounded, "name", { value: Class.name });
}

export function limited(env, left, run) {
  prepare(env);
  return scopes.run({ left: left === null ? ${subrequests} : Number(left) }, run);
}
${weather === undefined ? "" : weatherSource(weather)}
`;

const WITH_WEATHER = `
const { queue } = handler;
if (queue !== undefined) handler.queue = (batch, env, ctx) => runBatch(batch, (delivered) => queue(delivered, env, ctx));
`;

/** @param secret required of requests on the socket of the script @param hasWeather whether the limits module has weather */
export function entrySource(
  { main_module: main, durable_objects, limits }: Pick<ScriptRecord, "main_module" | "durable_objects" | "limits">,
  secret: string,
  hasWeather = false,
): string {
  const classes = durable_objects.map(
    ({ class_name: name }) => `export const ${name} = bounded(script[${JSON.stringify(name)}]);`,
  );
  return `
import { bounded, inBackground, limited, limitObjects${hasWeather ? ", runBatch" : ""} } from "./${LIMITS_MODULE}";
import * as script from ${JSON.stringify(`./${main}`)};
export * from ${JSON.stringify(`./${main}`)};
${classes.join("\n")}

limitObjects(${JSON.stringify(limits.subrequests ?? null)});

const target = script.default;
const encoder = new TextEncoder();
const secret = encoder.encode(${JSON.stringify(secret)});
const has = (name) =>
  typeof (typeof target === "function" ? target.prototype?.[name] : target?.[name]) === "function";
const call = (name, event, env, ctx) =>
  typeof target === "function" ? new target(ctx, env)[name](event) : target[name](event, env, ctx);

// Only this module may report an exception.
function withoutException(response) {
  const own = new Response(response.body, response);
  own.headers.delete("${EXCEPTION_HEADER}");
  return own;
}

const handler = {
  async fetch(request, env, ctx) {
    const sent = encoder.encode(request.headers.get("${SECRET_HEADER}") ?? "");
    if (sent.byteLength !== secret.byteLength || !crypto.subtle.timingSafeEqual(sent, secret)) {
      return new Response("Forbidden", { status: 403 });
    }
    const left = request.headers.get("${SUBREQUESTS_HEADER}");
    limitObjects(request.headers.get("${OBJECT_SUBREQUESTS_HEADER}"));
    const own = new Request(request);
    const { headers } = own;
    for (const name of [...headers.keys()]) if (name.startsWith("${INTERNAL_PREFIX}")) headers.delete(name);
    try {
      if (!has("fetch")) throw new Error("Handler does not export a fetch() function.");
      const response = await limited(env, left, () => call("fetch", own, env, ctx));
      if (!(response instanceof Response)) throw new TypeError("The fetch() handler did not return a Response.");
      return response.headers.has("${EXCEPTION_HEADER}") ? withoutException(response) : response;
    } catch (error) {
      console.error(error?.stack ?? String(error));
      const message = encodeURIComponent(String(error?.message ?? error).slice(0, 500).toWellFormed());
      return new Response(null, { status: 500, headers: { "${EXCEPTION_HEADER}": message } });
    }
  },
};
for (const name of ["scheduled", "queue", "tail", "email"]) {
  if (has(name)) handler[name] = (event, env, ctx) => inBackground(env, () => call(name, event, env, ctx));
}
${hasWeather ? WITH_WEATHER : ""}
export default handler;
export { target as ${SERVICE_ENTRYPOINT} };
`;
}
