/** What stands before a script that has files: it lets in only requests of this runtime, and passes them to the router. */
import type { Store } from "../../account/store.ts";
import { readManifest } from "../../cloudflare/kinds/assets/manifest.ts";
import type { ScriptRecord } from "../../cloudflare/kinds/scripts/record.ts";
import { SECRET_HEADER } from "../../http/internal-headers.ts";
import { compatibilityDate } from "../worker/compatibility.ts";
import type { WorkerDefinition } from "../worker/definition.ts";
import { gateName } from "./gate-name.ts";
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

/** The gate's Worker, where the script has files; else none. @param secret what requests must carry */
export function gateWorkers(
  script: ScriptRecord,
  { store, secret }: { store: Store; secret: string },
): WorkerDefinition[] {
  if (script.assets === undefined) return [];
  const served = {
    script: script.name,
    manifest: readManifest(store, script.assets),
    config: script.assets.config,
    blobs: store.blobDirectory,
    compatibilityDate: compatibilityDate(script),
    compatibilityFlags: script.compatibility_flags,
  };
  return [
    {
      name: gateName(script),
      modules: true,
      script: SOURCE,
      compatibilityDate: "2026-01-01",
      bindings: { SECRET: secret },
      unsafeBindings: [routerBinding("ROUTER", served)],
    },
  ];
}
