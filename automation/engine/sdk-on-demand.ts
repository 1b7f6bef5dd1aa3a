/**
 * Keeps the engine's SDK from loading what it needs for functions that are resources alone: the TypeScript compiler and npm's own tree of
 * packages, more than half of the time that it takes to load. Either is loaded when it is first used. Imported for this effect alone,
 * before the SDK.
 */
import Module, { createRequire } from "node:module";

const ofSdk = createRequire(createRequire(import.meta.url).resolve("@pulumi/pulumi"));

/** The compiler by what the SDK has in front of it: where TypeScript is not installed, that takes an older one of its own. */
const UNUSED = ["./typescript-shim.js", "@npmcli/arborist"];

for (const name of UNUSED) {
  const path = ofSdk.resolve(name);
  if (path in ofSdk.cache) continue;
  const onDemand = new Module(path);
  const load = (): object => {
    if (ofSdk.cache[path] === onDemand) delete ofSdk.cache[path];
    return ofSdk(path);
  };
  onDemand.exports = new Proxy({}, { get: (_, key) => key === "__esModule" || Reflect.get(load(), key) });
  onDemand.loaded = true;
  ofSdk.cache[path] = onDemand;
}
