import type { ContentFile } from "@tenantry/cloudflare-client/content";
import { undefinedIfNotFound } from "@tenantry/cloudflare-client/not-found";
import type Cloudflare from "cloudflare";
import * as z from "zod";
import { NO_RETRY } from "../create-once.ts";

export interface ScriptAddress {
  accountId: string;
  namespace: string;
  scriptName: string;
}

const settingsAnswer = z.looseObject({
  bindings: z.array(z.looseObject({ type: z.string(), name: z.string() })).nullish(),
  compatibility_date: z.string().nullish(),
  compatibility_flags: z.array(z.string()).nullish(),
  // Not in the SDK's types: an API may omit it.
  containers: z.array(z.looseObject({ class_name: z.string() })).nullish(),
  limits: z.looseObject({ cpu_ms: z.number().nullish(), subrequests: z.number().nullish() }).nullish(),
  tags: z.array(z.string()).nullish(),
});

export type ScriptSettings = NonNullable<Awaited<ReturnType<NamespacedScripts["settings"]>>>;

export class NamespacedScripts {
  readonly #client: Cloudflare;

  constructor(client: Cloudflare) {
    this.#client = client;
  }

  get #scripts() {
    return this.#client.workersForPlatforms.dispatch.namespaces.scripts;
  }

  async settings(address: ScriptAddress) {
    const { scriptName, ...params } = scriptParameters(address);
    const answer = await undefinedIfNotFound(this.#scripts.settings.get(scriptName, params));
    if (answer === undefined) return undefined;
    const settings = settingsAnswer.parse(answer);
    const { cpu_ms, subrequests } = settings.limits ?? {};
    return {
      bindings: settings.bindings ?? [],
      compatibilityDate: settings.compatibility_date ?? "",
      compatibilityFlags: settings.compatibility_flags ?? [],
      /** Undefined if the API omits it. */
      containers: settings.containers?.map((container) => container.class_name),
      limits: {
        ...(typeof cpu_ms === "number" ? { cpuMs: cpu_ms } : {}),
        ...(typeof subrequests === "number" ? { subrequests } : {}),
      },
      tags: settings.tags ?? [],
    };
  }

  /** Returns Cloudflare's hash and the tag of the last migration; undefined if the script does not exist. */
  async record(address: ScriptAddress): Promise<{ etag: string; migrationTag: string | undefined } | undefined> {
    const { scriptName, ...params } = scriptParameters(address);
    const answer = await undefinedIfNotFound(this.#scripts.get(scriptName, params));
    return answer && { etag: answer.script?.etag ?? "", migrationTag: answer.script?.migration_tag };
  }

  async content(address: ScriptAddress): Promise<{ mainModule: string; files: ContentFile[] }> {
    const { scriptName, ...params } = scriptParameters(address);
    const response = await this.#scripts.content.get(scriptName, params);
    const files: ContentFile[] = [];
    for (const [name, value] of (await response.formData()).entries()) {
      const bytes = typeof value === "string" ? Buffer.from(value) : Buffer.from(await value.arrayBuffer());
      files.push({ name, bytes });
    }
    files.sort((a, b) => (a.name < b.name ? -1 : 1));
    return { mainModule: response.headers.get("cf-entrypoint") ?? files[0]?.name ?? "index.js", files };
  }

  /** Without a retry: the caller repeats it (`create-once.ts`). */
  async upload(address: ScriptAddress, form: FormData): Promise<string> {
    // The SDK would flatten the form, and omit the boundary in the header.
    const request = { body: form, headers: { "Content-Type": null }, ...NO_RETRY };
    const answer = await this.#client.put(pathOf(address), request);
    return z.object({ result: z.looseObject({ etag: z.string().default("") }) }).parse(answer).result.etag;
  }

  /** Changes only these settings, without an upload. */
  async change(address: ScriptAddress, settings: Record<string, unknown>): Promise<void> {
    const form = new FormData();
    form.append("settings", new Blob([JSON.stringify(settings)], { type: "application/json" }));
    await this.#client.patch(`${pathOf(address)}/settings`, { body: form, headers: { "Content-Type": null } });
  }

  async delete(address: ScriptAddress): Promise<void> {
    const { scriptName, ...params } = scriptParameters(address);
    await undefinedIfNotFound(this.#scripts.delete(scriptName, { ...params, force: true }));
  }
}

function scriptParameters({ accountId, namespace, scriptName }: ScriptAddress) {
  return { scriptName, account_id: accountId, dispatch_namespace: namespace };
}

function pathOf({ accountId, namespace, scriptName }: ScriptAddress): string {
  const [account, name, script] = [accountId, namespace, scriptName].map(encodeURIComponent);
  return `/accounts/${account}/workers/dispatch/namespaces/${name}/scripts/${script}`;
}
