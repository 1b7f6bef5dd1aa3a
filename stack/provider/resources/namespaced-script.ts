import { hashContent } from "@tenantry/cloudflare-client/content";
import { undefinedIfNotFound } from "@tenantry/cloudflare-client/not-found";
import { readModules, uploadForm } from "@tenantry/cloudflare-client/scripts";
import { changes, resource } from "@tenantry/plugin-host";

import * as z from "zod";
import type { Clients } from "../clients.ts";
import { createOnce } from "../create-once.ts";
import { isSameStack } from "../ownership.ts";
import { parseResourceId } from "../resource-id.ts";
import { liveBound, SECRET, toApiBindings, withBound } from "../scripts/bound.ts";
import { NamespacedScripts, type ScriptAddress } from "../scripts/namespaced-scripts.ts";
import { givenTags, ownedTags, refuseForeignScript } from "../scripts/script-owner.ts";

const inputs = z.object({
  accountId: z.string().min(1),
  namespace: z.string().min(1),
  scriptName: z.string().min(1),
  mainModule: z.string().min(1),
  path: z.string(),
  contentHash: z.string(),
  compatibilityDate: z.iso.date(),
  compatibilityFlags: z.array(z.string()).default([]),
  bindings: z
    .record(
      z.string(),
      z.looseObject({
        // The engine encrypts whole properties: a secret here would hide all bindings, or be visible.
        type: z.string().refine((type) => type !== SECRET, { message: "is for secrets: use `secrets`" }),
      }),
    )
    .default({}),
  secrets: z.record(z.string(), z.string()).default({}),
  migrations: z.object({ newTag: z.string(), newSqliteClasses: z.array(z.string()) }).optional(),
  containers: z.array(z.object({ className: z.string() })).default([]),
  // Sorted, because the order of tags has no meaning.
  tags: z
    .array(z.string())
    .default([])
    .transform((tags) => [...new Set(tags)].toSorted()),
  limits: z.object({ cpuMs: z.number().optional(), subrequests: z.number().optional() }).default({}),
  owner: z.string().default(""),
  takeOver: z.boolean().default(false),
});
type Inputs = z.infer<typeof inputs>;

interface Outputs {
  etag: string;
}

/** Inputs whose change requires an upload; others change the settings. */
const UPLOADED: ReadonlySet<string> = new Set(["mainModule", "contentHash", "migrations", "containers"]);

const addressOf = ({ accountId, namespace, scriptName }: Inputs): ScriptAddress => ({
  accountId,
  namespace,
  scriptName,
});

const parseId = (id: string): ScriptAddress =>
  parseResourceId(id, "a script", ["accountId", "namespace", "scriptName"] as const);

const apiLimits = ({ limits }: Inputs) => ({ cpu_ms: limits.cpuMs, subrequests: limits.subrequests });

/** Returns the metadata of an upload, with the migration unless its tag is live. */
function metadataOf(given: Inputs, liveTag: string | undefined) {
  const { migrations } = given;
  const pending = migrations?.newTag === liveTag ? undefined : migrations;
  return {
    main_module: given.mainModule,
    compatibility_date: given.compatibilityDate,
    compatibility_flags: given.compatibilityFlags,
    bindings: toApiBindings(given),
    containers: given.containers.map(({ className }) => ({ class_name: className })),
    tags: ownedTags(given.tags, given.owner),
    limits: apiLimits(given),
    ...(pending && {
      migrations: {
        ...(liveTag !== undefined && { old_tag: liveTag }),
        new_tag: pending.newTag,
        steps: [{ new_sqlite_classes: pending.newSqliteClasses }],
      },
    }),
  };
}

/** Returns the changed settings. The API replaces all bindings at once, secrets included. */
function settingsOf(now: Inputs, changed: ReadonlySet<string>): Record<string, unknown> {
  const any = (...names: (keyof Inputs)[]) => names.some((name) => changed.has(name));
  return {
    ...(any("compatibilityDate") && { compatibility_date: now.compatibilityDate }),
    ...(any("compatibilityFlags") && { compatibility_flags: now.compatibilityFlags }),
    ...(any("bindings", "secrets") && { bindings: toApiBindings(now) }),
    ...(any("tags", "owner") && { tags: ownedTags(now.tags, now.owner) }),
    ...(any("limits") && { limits: apiLimits(now) }),
  };
}

async function uploadScript(clients: Clients, given: Inputs, before?: string): Promise<Outputs> {
  const modules = readModules(given.path, given.contentHash, given.mainModule);
  const scripts = new NamespacedScripts(clients.cloudflare());
  const address = addressOf(given);
  const [settings, live] = await Promise.all([scripts.settings(address), scripts.record(address)]);
  refuseForeignScript(given, settings?.tags, before);
  const upload = async (liveTag: string | undefined) => ({
    etag: await scripts.upload(address, uploadForm(metadataOf(given, liveTag), modules)),
  });
  return createOnce(
    () => upload(live?.migrationTag),
    // Cloudflare refuses the migration of an upload that took effect without an answer.
    async () => {
      const [now, tags] = await Promise.all([scripts.record(address), scripts.settings(address)]);
      if (now === undefined || now.migrationTag === live?.migrationTag) return undefined;
      refuseForeignScript(given, tags?.tags, before);
      return now.migrationTag === given.migrations?.newTag ? upload(now.migrationTag) : undefined;
    },
    { isCurrent: true },
  );
}

async function liveInputs(scripts: NamespacedScripts, declared: Inputs, etag: string | undefined) {
  const address = addressOf(declared);
  const [settings, record] = await Promise.all([scripts.settings(address), scripts.record(address)]);
  if (settings === undefined || record === undefined) return undefined;
  const { migrations } = declared;
  const live: Inputs = {
    ...declared,
    compatibilityDate: settings.compatibilityDate,
    compatibilityFlags: settings.compatibilityFlags,
    ...liveBound(declared, settings.bindings),
    containers: settings.containers?.map((className) => ({ className })) ?? declared.containers,
    tags: givenTags(settings.tags).toSorted(),
    limits: settings.limits,
    // Someone else uploaded other content, so the next run uploads its own again.
    contentHash: etag === undefined || etag === record.etag ? declared.contentHash : "",
    migrations: migrations && record.migrationTag === undefined ? undefined : migrations,
  };
  return { inputs: live, outputs: { etag: record.etag } };
}

export const namespacedScript = resource<Clients, Inputs, Outputs>({
  type: "tenantry:index:NamespacedScript",
  inputs,
  replaceOn: ["accountId", "namespace", "scriptName"],
  removes: "The script with its Durable Objects and secrets.",
  ignore: ["path", "takeOver"],
  owned: isSameStack,
  relevant: (old) => withBound(old),
  // The API decides whether a change of settings changes the hash.
  volatile: () => ["etag"],
  secretOutputs: ["secrets"],
  identity: ({ accountId, namespace, scriptName }) => `${accountId}/${namespace}/${scriptName}`,

  create: async (clients, given) => ({
    id: `${given.accountId}/${given.namespace}/${given.scriptName}`,
    outputs: await uploadScript(clients, given),
  }),

  async read(clients, id, known) {
    const scripts = new NamespacedScripts(clients.cloudflare());
    if (known !== undefined) return liveInputs(scripts, withBound(known.inputs), known.outputs.etag);
    const address = parseId(id);
    const content = await undefinedIfNotFound(scripts.content(address));
    if (content === undefined) return undefined;
    const declared = inputs.parse({
      ...address,
      mainModule: content.mainModule,
      path: "",
      contentHash: hashContent(content.files),
      compatibilityDate: "2000-01-01",
    });
    return liveInputs(scripts, declared, undefined);
  },

  async update(clients, _id, now, { inputs: old, outputs }) {
    const changed = new Set(changes({ ...withBound(old) }, { ...now }).map(({ property }) => property));
    if ([...changed].some((name) => UPLOADED.has(name))) return uploadScript(clients, now, old.owner);
    const scripts = new NamespacedScripts(clients.cloudflare());
    const address = addressOf(now);
    const [settings, record] = await Promise.all([scripts.settings(address), scripts.record(address)]);
    // The script was deleted, or someone uploaded other content, which a change of settings would not correct.
    if (record?.etag !== outputs.etag) return uploadScript(clients, now, old.owner);
    refuseForeignScript(now, settings?.tags, old.owner);
    const wanted = settingsOf(now, changed);
    if (Object.keys(wanted).length === 0) return outputs;
    await scripts.change(address, wanted);
    return { etag: (await scripts.record(address))?.etag ?? outputs.etag };
  },

  async delete(clients, _id, { inputs: given }) {
    const scripts = new NamespacedScripts(clients.cloudflare());
    const live = await scripts.settings(addressOf(given));
    if (live === undefined) return;
    refuseForeignScript({ scriptName: given.scriptName, owner: given.owner }, live.tags);
    await scripts.delete(addressOf(given));
  },
});
