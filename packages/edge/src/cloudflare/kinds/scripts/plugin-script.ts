import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { liveBindings, moduleFile, toApiBinding, uploadForm } from "@tenantry/cloudflare-client/scripts";
import { type Properties, resource, UserError } from "@tenantry/plugin-host";
import * as z from "zod";
import { splitWords } from "../../api/operations.ts";
import type { Api } from "../../plugin/api.ts";
import { fromRecord, toBody } from "../../plugin/casing.ts";
import { liveAsDeclared } from "../../plugin/live-inputs.ts";
import { assetsInput, uploadAssets, withManifestHash } from "../assets/plugin-assets.ts";
import { scriptRecords } from "./plugin-list-scripts.ts";

const TYPE = "cloudflare:index/workersScript:WorkersScript";

const inputs = z.strictObject(
  {
    accountId: z.string(),
    scriptName: z.string(),
    mainModule: z.string(),
    assets: assetsInput.optional(),
    keepAssets: z.boolean().optional(),
    content: z.string().optional(),
    contentFile: z.string().optional(),
    contentSha256: z.string().optional(),
    bindings: z.array(z.looseObject({ type: z.string(), name: z.string() })).optional(),
    compatibilityDate: z.string().optional(),
    compatibilityFlags: z.array(z.string()).optional(),
    keepBindings: z.array(z.string()).optional(),
    limits: z.record(z.string(), z.unknown()).optional(),
    logpush: z.boolean().optional(),
    migrations: z.record(z.string(), z.unknown()).optional(),
    observability: z.record(z.string(), z.unknown()).optional(),
    placement: z.record(z.string(), z.unknown()).optional(),
    tailConsumers: z.array(z.unknown()).optional(),
  },
  {
    error: (issue) =>
      issue.code === "unrecognized_keys"
        ? `the local edge does not support ${issue.keys.join(", ")} of ${TYPE}`
        : undefined,
  },
);
type Inputs = z.infer<typeof inputs>;

/** Adds the hash of named files to the inputs. */
const checkedInputs = (directory: string) =>
  inputs.transform((given, context) => {
    if (given.assets === undefined) return given;
    try {
      return { ...given, assets: withManifestHash(given.assets, directory) };
    } catch (error) {
      context.addIssue({ code: "custom", path: ["assets", "directory"], message: `cannot be read: ${String(error)}` });
      return z.NEVER;
    }
  });

/** Inputs that are not metadata. */
const CONTENT = ["accountId", "scriptName", "assets", "content", "contentFile", "contentSha256", "bindings"];

const pathOf = ({ accountId, scriptName }: Pick<Inputs, "accountId" | "scriptName">) =>
  `/accounts/${encodeURIComponent(accountId)}/workers/scripts/${encodeURIComponent(scriptName)}`;

/** Returns the main module. @param directory base of a relative `contentFile` */
function contentOf({ content, contentFile, contentSha256 }: Inputs, directory: string): Buffer {
  if (contentFile === undefined) return Buffer.from(content ?? "");
  const file = resolve(directory, contentFile);
  const bytes = readFileSync(file);
  if (createHash("sha256").update(bytes).digest("hex") !== contentSha256) {
    throw new UserError(
      `contentSha256 is not the SHA-256 of ${file}. If the file changed during the deployment, run it again.`,
    );
  }
  return bytes;
}

async function recordOf(api: Api, given: Pick<Inputs, "accountId" | "scriptName">): Promise<Properties | undefined> {
  for await (const script of scriptRecords(api, given.accountId)) {
    if (script.id === given.scriptName) return script;
  }
  return undefined;
}

async function uploadPluginScript(api: Api, given: Inputs, directory: string): Promise<Properties> {
  const metadata = Object.fromEntries(Object.entries(given).filter(([name]) => !CONTENT.includes(name)));
  const assets = given.assets && (await uploadAssets(api, given, given.assets, directory));
  const body = {
    ...toBody(metadata, {}),
    ...(assets && { assets }),
    bindings: (given.bindings ?? []).map(toApiBinding),
  };
  const form = uploadForm(body, [moduleFile({ name: given.mainModule, bytes: contentOf(given, directory) })]);
  const record = await api.upload(pathOf(given), form);
  return { ...outputsOf(record, given), startupTimeMs: record.startup_time_ms ?? null };
}

const OUTPUTS = splitWords(`
  annotations bodyPart createdOn etag handlers hasAssets hasModules lastDeployedFrom logpush
  migrationTag modifiedOn namedHandlers placement placementMode placementStatus tailConsumers
  usageModel
`);

/** Returns the API's fields; null for unknown ones, such as the handlers, which the edge does not parse. */
function outputsOf(record: Properties, given: Inputs): Properties {
  const answered = fromRecord(record, {});
  const declared = new Map(Object.entries(given));
  return Object.fromEntries(OUTPUTS.map((name) => [name, declared.get(name) ?? answered[name] ?? null]));
}

function liveInputs(declared: Inputs, settings: Properties, record: Properties, changed: boolean): Inputs {
  const camel = fromRecord(settings, {});
  const entries = Object.entries(declared).map(([name, value]) => {
    if (name === "bindings") return [name, liveBindings(declared.bindings ?? [], settings.bindings)];
    // The API does not return files.
    if (name === "assets") return [name, record.has_assets === true ? value : undefined];
    if (CONTENT.includes(name) || ["mainModule", "migrations", "keepAssets", "keepBindings"].includes(name))
      return [name, value];
    return [name, liveAsDeclared(value, camel[name])];
  });
  const found = inputs.parse(Object.fromEntries(entries));
  if (!changed) return found;
  // Foreign content differs from the declared one, so that the next run uploads again.
  return found.contentFile === undefined ? { ...found, content: "" } : { ...found, contentSha256: "" };
}

/** A script of the account. @param directory of the stack program */
export const workersScript = (directory: string) =>
  resource<Api, Inputs, Properties>({
    type: TYPE,
    inputs: checkedInputs(directory),
    replaceOn: ["accountId", "scriptName"],
    replaceOrder: "create-first",
    keepsCreated: false,
    removes: "The script with its Durable Objects, schedules and routes' targets.",
    volatile: () => ["etag", "modifiedOn"],
    identity: ({ accountId, scriptName }) => `${accountId}/${scriptName}`,

    create: async (api, given) => ({ id: given.scriptName, outputs: await uploadPluginScript(api, given, directory) }),

    async read(api, id, known) {
      const [accountId = "", scriptName = ""] = id.split("/");
      const declared = known?.inputs ?? { accountId, scriptName, mainModule: "index.js" };
      const settings = await api.get(`${pathOf(declared)}/settings`);
      const record = await recordOf(api, declared);
      if (settings === undefined || record === undefined) return undefined;
      const changed = known?.outputs.etag !== undefined && known.outputs.etag !== record.etag;
      const found = liveInputs(
        known ? declared : { ...declared, ...importableInputs(settings) },
        settings,
        record,
        changed,
      );
      return {
        id: declared.scriptName,
        inputs: found,
        outputs: { startupTimeMs: null, ...known?.outputs, ...outputsOf(record, found) },
      };
    },

    update: async (api, _id, now, old) => ({ ...old.outputs, ...(await uploadPluginScript(api, now, directory)) }),

    delete: (api, _id, old) => api.delete(pathOf(old.inputs)),
  });

function importableInputs(settings: Properties): Partial<Inputs> {
  const { compatibilityDate, compatibilityFlags } = fromRecord(settings, {});
  return {
    bindings: [],
    ...(typeof compatibilityDate === "string" ? { compatibilityDate } : {}),
    ...(Array.isArray(compatibilityFlags) ? { compatibilityFlags: compatibilityFlags.map(String) } : {}),
  };
}
