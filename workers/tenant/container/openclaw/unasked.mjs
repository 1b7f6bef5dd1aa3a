/**
 * Preloaded into OpenClaw: blocks automatic requests to the internet for which OpenClaw has no setting. `platform-config.mjs` and `run.mjs` turn
 * off the others.
 *
 *   Plug-in catalogue   requested after the start. OpenClaw uses its built-in one instead. Searches on ClawHub still work.
 *   Avatars             requested from Gravatar by a hash of each e-mail address. The page shows initials instead.
 */
import promises from "node:dns/promises";
import { syncBuiltinESMExports } from "node:module";

const CLAWHUB = "clawhub.ai";
/** Part of the name of the function that requests the catalogue. */
const CATALOGUE = "HostedOfficialExternalPluginCatalog";
const GRAVATAR = "https://www.gravatar.com/avatar/";
/** More than the stack frames between the function and the DNS lookup. */
const FRAMES = 50;

/** Whether a function with `part` in its name is on the call stack. */
function isCalledBy(part) {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = FRAMES;
  const { stack } = new Error();
  Error.stackTraceLimit = stackTraceLimit;
  return stack.includes(part);
}

const { lookup } = promises;

promises.lookup = function lookupUnlessBlocked(name, ...parameters) {
  if (name === CLAWHUB && isCalledBy(CATALOGUE))
    return Promise.reject(Object.assign(new Error(`the catalogue of ${name} is blocked`), { code: "ENOTFOUND" }));
  return lookup.call(this, name, ...parameters);
};
// Updates named imports.
syncBuiltinESMExports();

const { fetch } = globalThis;

globalThis.fetch = function fetchUnlessBlocked(input, ...parameters) {
  const address = typeof input === "string" ? input : (input?.url ?? String(input));
  if (address.startsWith(GRAVATAR)) return Promise.resolve(new Response(null, { status: 404 }));
  return fetch.call(this, input, ...parameters);
};
