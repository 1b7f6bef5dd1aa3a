import { LATE_LIST_MS, readLate, systemClock } from "@tenantry/cloudflare-client/late-list";
import type Cloudflare from "cloudflare";
import * as z from "zod";
import { NamespacedScripts, type ScriptSettings } from "../scripts/namespaced-scripts.ts";

export interface DurableObjectClass {
  dispatchNamespace: string;
  scriptName: string;
  className: string;
}

const listedNamespace = z.looseObject({
  id: z.string(),
  class: z.string().default(""),
  script: z.string().default(""),
  // Not in the SDK's types: an API may omit it.
  dispatch_namespace: z.string().nullish(),
});
type Listed = z.infer<typeof listedNamespace>;

/**
 * Durable Object namespaces of the account's scripts, which Cloudflare creates on upload. A script's bindings identify the
 * namespace of its class; the list may omit the dispatch namespace.
 */
export class DurableObjectNamespaces {
  readonly #client: Cloudflare;
  readonly #scripts: NamespacedScripts;
  /** First list by account, which all resources of a refresh share. */
  readonly #lists = new Map<string, Promise<Listed[]>>();

  constructor(client: Cloudflare) {
    this.#client = client;
    this.#scripts = new NamespacedScripts(client);
  }

  /** Returns the id of a class's namespace; undefined if it does not exist. @param settings current settings of the script */
  async idOf(
    accountId: string,
    wanted: DurableObjectClass,
    settings: ScriptSettings | undefined,
  ): Promise<string | undefined> {
    const bound = boundId(wanted, settings);
    if (bound !== undefined) return bound;
    const { className, scriptName, dispatchNamespace } = wanted;
    const all = await this.#list(accountId);
    return all.find(
      (entry) =>
        entry.class === className && entry.script === scriptName && entry.dispatch_namespace === dispatchNamespace,
    )?.id;
  }

  /** Whether a namespace exists. Re-reads before it returns false, because a list may omit a new one. */
  async exists(accountId: string, id: string): Promise<boolean> {
    const find = async () => (await this.#list(accountId)).find((entry) => entry.id === id);
    return (await readLate(find, systemClock.now() + LATE_LIST_MS)) !== undefined;
  }

  /**
   * Returns the class of a namespace; undefined if the namespace does not exist.
   * @param supposed the likely class; if it is correct, nothing is listed
   */
  async ownerOf(accountId: string, id: string, supposed?: DurableObjectClass): Promise<DurableObjectClass | undefined> {
    if (supposed !== undefined && (await this.#boundId(accountId, supposed)) === id) return supposed;
    const found = (await this.#listOnce(accountId)).find((entry) => entry.id === id);
    if (found === undefined) return undefined;
    const [className, scriptName] = [found.class, found.script];
    const { dispatch_namespace: listedIn } = found;
    if (typeof listedIn === "string") return { className, scriptName, dispatchNamespace: listedIn };
    const params = { account_id: accountId };
    for await (const { namespace_name } of this.#client.workersForPlatforms.dispatch.namespaces.list(params)) {
      const candidate = { className, scriptName, dispatchNamespace: namespace_name ?? "" };
      if ((await this.#boundId(accountId, candidate)) === id) return candidate;
    }
    return { className, scriptName, dispatchNamespace: "" };
  }

  async #boundId(accountId: string, wanted: DurableObjectClass): Promise<string | undefined> {
    const { scriptName, dispatchNamespace } = wanted;
    return boundId(wanted, await this.#scripts.settings({ accountId, namespace: dispatchNamespace, scriptName }));
  }

  async #list(accountId: string): Promise<Listed[]> {
    const found: Listed[] = [];
    const params = { account_id: accountId, per_page: 100 };
    for await (const entry of this.#client.durableObjects.namespaces.list(params))
      found.push(listedNamespace.parse(entry));
    return found;
  }

  #listOnce(accountId: string): Promise<Listed[]> {
    const all = this.#lists.get(accountId) ?? this.#list(accountId);
    this.#lists.set(accountId, all);
    // Failures are not cached.
    all.catch(() => this.#lists.delete(accountId));
    return all;
  }
}

function boundId({ className, scriptName }: DurableObjectClass, settings: ScriptSettings | undefined) {
  const binding = settings?.bindings.find(
    ({ type, class_name, script_name = scriptName }) =>
      type === "durable_object_namespace" && class_name === className && script_name === scriptName,
  );
  return typeof binding?.namespace_id === "string" ? binding.namespace_id : undefined;
}
