/** Defers the SDK's compiler and npm packages, which are slow to load, to their first use. Import this before the SDK. */
import Module, { createRequire } from "node:module";

const ofSdk = createRequire(createRequire(import.meta.url).resolve("@pulumi/pulumi"));

/** The SDK's shim of the compiler: it falls back to an older one if TypeScript is not installed. */
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
