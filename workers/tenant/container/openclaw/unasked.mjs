/**
 * Preloaded into OpenClaw: keeps within the container what OpenClaw would ask the internet by itself and has no setting for. What it has
 * settings for is in `platform-config.mjs` and `run.mjs`.
 *
 *   Catalogue of plug-ins   asked for once it has started; it goes on with the one it brings. Searching ClawHub stays possible.
 *   Pictures of people      asked for at Gravatar by a hash of each address; there is none, so the page draws initials.
 */
import promises from "node:dns/promises";
import { syncBuiltinESMExports } from "node:module";

const CLAWHUB = "clawhub.ai";
/** In the name of the function that asks for the catalogue. */
const CATALOGUE = "HostedOfficialExternalPluginCatalog";
const GRAVATAR = "https://www.gravatar.com/avatar/";
/** Frames from a look-up to who wants it, and some. */
const FRAMES = 50;

/** Whether the function under way was called by one whose name has `part` in it. */
function isCalledBy(part) {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = FRAMES;
  const { stack } = new Error();
  Error.stackTraceLimit = stackTraceLimit;
  return stack.includes(part);
}

const { lookup } = promises;

promises.lookup = function lookupWanted(name, ...parameters) {
  if (name === CLAWHUB && isCalledBy(CATALOGUE))
    return Promise.reject(Object.assign(new Error(`${name} is not asked for its catalogue`), { code: "ENOTFOUND" }));
  return lookup.call(this, name, ...parameters);
};
// For who imports it by its name.
syncBuiltinESMExports();

const { fetch } = globalThis;

globalThis.fetch = function fetchWanted(input, ...parameters) {
  const address = typeof input === "string" ? input : (input?.url ?? String(input));
  if (address.startsWith(GRAVATAR)) return Promise.resolve(new Response(null, { status: 404 }));
  return fetch.call(this, input, ...parameters);
};
