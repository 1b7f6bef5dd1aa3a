/** Uploads of cases, in the form that the project sends them. */
import { createHash } from "node:crypto";
import { uploadForm } from "@tenantry/cloudflare-client/scripts";
import * as z from "zod";
import { checkShape, idOf } from "./checks.ts";
import type { Client } from "./run/client.ts";
import type { Scope } from "./run/scope.ts";

export const COMPATIBILITY_DATE = "2026-01-01";
const MAIN = "index.js";
/** The client sets the form's content type with its boundary. */
const FORM = { "Content-Type": null };

export const HELLO = 'export default { fetch: () => new Response("hello") };';

const moduleOf = (code: string) => new File([code], MAIN, { type: "application/javascript+module" });

const uploaded = z.looseObject({ result: z.looseObject({ etag: z.string().min(1) }) });

async function put(client: Client, path: string, metadata: object, code: string): Promise<string> {
  const form = uploadForm({ main_module: MAIN, compatibility_date: COMPATIBILITY_DATE, ...metadata }, [moduleOf(code)]);
  return checkShape("An upload's answer", await client.sdk.put(path, { body: form, headers: FORM }), uploaded).result
    .etag;
}

/** Uploads a script of the account. @returns its etag */
export const putScript = (client: Client, { account_id }: Scope, name: string, metadata = {}, code = HELLO) =>
  put(client, `/accounts/${account_id}/workers/scripts/${name}`, metadata, code);

/** Creates a script of the account. @returns its name */
export async function createScript(client: Client, scope: Scope, metadata = {}, code = HELLO): Promise<string> {
  const name = scope.own("script");
  await putScript(client, scope, name, metadata, code);
  return name;
}

export async function createNamespace({ sdk }: Client, { account_id, own }: Scope): Promise<string> {
  const name = own("dispatch_namespace");
  await sdk.workersForPlatforms.dispatch.namespaces.create({ account_id, name });
  return name;
}

export interface TenantScript {
  dispatch_namespace: string;
  name: string;
}

const pathOf = ({ account_id }: Scope, { dispatch_namespace, name }: TenantScript) =>
  `/accounts/${account_id}/workers/dispatch/namespaces/${dispatch_namespace}/scripts/${name}`;

/** Uploads a script of a dispatch namespace. @returns its etag */
export const putTenant = (client: Client, scope: Scope, script: TenantScript, metadata = {}, code = HELLO) =>
  put(client, pathOf(scope, script), metadata, code);

/** Creates a dispatch namespace with one script. */
export async function createTenant(client: Client, scope: Scope, metadata = {}, code = HELLO): Promise<TenantScript> {
  const dispatch_namespace = await createNamespace(client, scope);
  const name = scope.name();
  scope.own("namespaced_script", `${dispatch_namespace}/${name}`);
  await putTenant(client, scope, { dispatch_namespace, name }, metadata, code);
  return { dispatch_namespace, name };
}

export function patchTenant(client: Client, scope: Scope, script: TenantScript, settings: object): Promise<unknown> {
  const form = new FormData();
  form.append("settings", new Blob([JSON.stringify(settings)], { type: "application/json" }));
  return client.sdk.patch(`${pathOf(scope, script)}/settings`, { body: form, headers: FORM });
}

/** Code and metadata of a Worker with a container class, as a tenant's Worker has. */
export const SANDBOX = {
  code: `import { DurableObject } from "cloudflare:workers";
export class Sandbox extends DurableObject {}
${HELLO}`,
  migrations: { new_tag: "v1", steps: [{ new_sqlite_classes: ["Sandbox"] }] },
  containers: [{ class_name: "Sandbox" }],
  binding: { type: "durable_object_namespace", name: "SANDBOX", class_name: "Sandbox" },
};

const entryOf = (text: string) => ({
  hash: createHash("sha256").update(text).digest("hex").slice(0, 32),
  size: Buffer.byteLength(text),
});

/** Uploads files for a script, as the vendor's provider does. @returns the token for the script's metadata, and how many files were sent */
export async function uploadAssets(
  { sdk }: Client,
  { account_id }: Scope,
  script: string,
  files: Readonly<Record<string, string>>,
): Promise<{ jwt: string; sent: number }> {
  const manifest = Object.fromEntries(Object.entries(files).map(([path, text]) => [path, entryOf(text)]));
  const { jwt, buckets = [] } = await sdk.workers.scripts.assets.upload.create(script, { account_id, manifest });
  let completion = buckets.length === 0 ? jwt : undefined;
  for (const hashes of buckets) {
    const form = new FormData();
    for (const text of Object.values(files)) {
      const { hash } = entryOf(text);
      if (!hashes.includes(hash)) continue;
      form.append(hash, new File([Buffer.from(text).toString("base64")], hash, { type: "text/html" }));
    }
    const answer = await sdk.post<{ result?: { jwt?: string } | null }>(
      `/accounts/${account_id}/workers/assets/upload?base64=true`,
      { body: form, headers: { ...FORM, Authorization: `Bearer ${jwt}` } },
    );
    completion = answer.result?.jwt ?? completion;
  }
  return { jwt: idOf(completion), sent: buckets.flat().length };
}
