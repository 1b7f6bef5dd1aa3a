/**
 * Part of the limits module under weather. It asks the hub for faults of queues and Durable Objects, and injects them where they happen: in
 * the Worker's own process.
 */
import { WEATHER_HEADER } from "../../http/internal-headers.ts";
import { EVICTED, RESET } from "../../weather/worker-weather.ts";

/** Removed from `env` before the script sees it. */
export const WEATHER_BINDING = "EDGE_WEATHER";
/** How long a shutdown of an idle object waits for its last response, in milliseconds. */
const LAST_RESPONSE_MS = 50;

/** @param script id of the script */
export const weatherSource = (script: string) => `
let weather;

function takeWeather(env) {
  weather ??= env.${WEATHER_BINDING};
  delete env.${WEATHER_BINDING};
}

/** Returns the next fault, or undefined. */
async function askWeather(where, subject, signal) {
  const question = { script: ${JSON.stringify(script)}, where, subject };
  const headers = { "${WEATHER_HEADER}": encodeURIComponent(JSON.stringify(question)) };
  // A request of the runtime is no subrequest of the script.
  const response = await scopes.run(undefined, () => weather.fetch("http://weather/", { headers, signal }));
  return response.status === 200 ? response.json() : undefined;
}

const contexts = new WeakMap();

/** Runs an invocation of an object, which a reset rejects and an eviction follows. */
async function runObject(object, name, run) {
  const context = contexts.get(object);
  context.running += 1;
  const ended = new AbortController();
  askWeather("uploads", name, ended.signal).then(
    () => context.ctx.abort("${RESET}"),
    () => {},
  );
  try {
    return await run();
  } finally {
    context.running -= 1;
    ended.abort();
    if (context.running === 0) endIdle(context, name).catch(() => {});
  }
}

async function endIdle(context, name) {
  if ((await askWeather("objects", name)) === undefined) return;
  await context.ctx.storage.sync();
  await new Promise((resolve) => setTimeout(resolve, ${LAST_RESPONSE_MS}));
  if (context.running === 0) context.ctx.abort("${EVICTED}");
}

/** Sets the vendor's properties on the error of a call that was cut. Returns the result. */
function marked(result) {
  result?.then?.(() => {}, (error) => {
    if (!shutdowns.has(error?.message)) return;
    Object.assign(error, { retryable: true, durableObjectReset: true });
  });
  return result;
}
const shutdowns = new Set(${JSON.stringify([RESET, EVICTED])});

/** Acknowledged messages whose acknowledgement is lost, by queue. */
const unacknowledged = new Map();

/** Delivers a batch, then some acknowledged messages again: at once or after the queue's next batch, newest first. */
export async function runBatch(batch, run) {
  const settled = new Map();
  let retriesAll = false;
  const watched = batch.messages.map((message) =>
    delivery(message, message.attempts, (how, options) => {
      if (!settled.has(message.id)) settled.set(message.id, how);
      message[how](options);
    }),
  );
  await run({
    queue: batch.queue,
    metadata: batch.metadata,
    messages: watched,
    ackAll: () => batch.ackAll(),
    retryAll(options) {
      retriesAll = true;
      batch.retryAll(options);
    },
  });
  const again = unacknowledged.get(batch.queue) ?? [];
  const later = [];
  for (const message of batch.messages) {
    const acknowledged = settled.has(message.id) ? settled.get(message.id) === "ack" : !retriesAll;
    if (!acknowledged) continue;
    const fault = await askWeather("queues", batch.queue);
    if (fault !== undefined) (fault.amount < 0.5 ? again : later).unshift([message, message.attempts + 1]);
  }
  unacknowledged.set(batch.queue, later);
  if (again.length > 0) await redeliver(batch.queue, again, run);
}

async function redeliver(queue, again, run) {
  const failed = new Set();
  const fail = () => again.forEach(([message]) => failed.add(message.id));
  const messages = again.map(([message, attempts]) =>
    delivery(message, attempts, (how) => how === "retry" && failed.add(message.id)),
  );
  try {
    await run({ queue, metadata: undefined, messages, ackAll() {}, retryAll: fail });
  } catch (error) {
    console.error(error?.stack ?? String(error));
    fail();
  }
  const retried = again.filter(([message]) => failed.has(message.id)).map(([message, n]) => [message, n + 1]);
  unacknowledged.get(queue).push(...retried);
}

function delivery({ id, timestamp, body }, attempts, settle) {
  return { id, timestamp, body, attempts, ack: () => settle("ack"), retry: (options) => settle("retry", options) };
}
`;
