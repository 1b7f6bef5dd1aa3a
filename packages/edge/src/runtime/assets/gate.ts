import type { Store } from "../../account/store.ts";
import { readManifest } from "../../cloudflare/kinds/assets/manifest.ts";
import type { ScriptRecord } from "../../cloudflare/kinds/scripts/record.ts";
import { SECRET_HEADER } from "../../http/internal-headers.ts";
import { compatibilityDate } from "../worker/compatibility.ts";
import type { WorkerDefinition } from "../worker/definition.ts";
import { routerBinding } from "./services.ts";

const SOURCE = `
const encoder = new TextEncoder();

export default {
  fetch(request, env) {
    const sent = encoder.encode(request.headers.get("${SECRET_HEADER}") ?? "");
    const secret = encoder.encode(env.SECRET);
    if (sent.byteLength !== secret.byteLength || !crypto.subtle.timingSafeEqual(sent, secret)) {
      return new Response("Forbidden", { status: 403 });
    }
    return env.ROUTER.fetch(request);
  },
};
`;

export const gateName = (script: { name: string }): string => `edge-gate-${script.name}`;

/** Returns the Worker in front of a script with files, which passes requests with the secret to the router. */
export function gateWorkers(
  script: ScriptRecord,
  { store, secret }: { store: Store; secret: string },
): WorkerDefinition[] {
  if (script.assets === undefined) return [];
  const router = routerBinding("ROUTER", {
    script: script.name,
    manifest: readManifest(store, script.assets),
    config: script.assets.config,
    blobs: store.blobDirectory,
    compatibilityDate: compatibilityDate(script),
    compatibilityFlags: script.compatibility_flags,
  });
  const worker = { name: gateName(script), modules: true as const, script: SOURCE, compatibilityDate: "2026-01-01" };
  return [{ ...worker, bindings: { SECRET: secret }, unsafeBindings: [router] }];
}
