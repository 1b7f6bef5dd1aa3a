import type Cloudflare from "cloudflare";
import * as z from "zod";
import { NamespacedScripts, type ScriptSettings } from "../scripts/namespaced-scripts.ts";

/** A Durable Object class of a script in a dispatch namespace. */
export interface DurableObjectClass {
  dispatchNamespace: string;
  scriptName: string;
  className: string;
}

const listed = z.looseObject({
  id: z.string(),
  class: z.string().default(""),
  script: z.string().default(""),
  // The SDK does not declare it: an API may leave it out.
  dispatch_namespace: z.string().nullish(),
});
type Listed = z.infer<typeof listed>;

/**
 * The Durable Object namespaces of an account's scripts, which Cloudflare makes when a script is uploaded. Which is a class's is
 * told by the bindings of its script; the list of all need not tell the dispatch namespace.
 */
export class DurableObjectNamespaces {
  readonly #client: Cloudflare;
  readonly #scripts: NamespacedScripts;
  /** The list as it was when a refresh first needed it, by account: it would be the same for each of its resources. */
  readonly #remembered = new Map<string, Promise<Listed[]>>();

  constructor(client: Cloudflare) {
    this.#client = client;
    this.#scripts = new NamespacedScripts(client);
  }

  /** The id of a class's namespace; undefined when there is no such class. @param settings its script's, as they are now */
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
      (one) => one.class === className && one.script === scriptName && one.dispatch_namespace === dispatchNamespace,
    )?.id;
  }

  /** Whether there is such a namespace now. */
  async exists(accountId: string, id: string): Promise<boolean> {
    return (await this.#list(accountId)).some((one) => one.id === id);
  }

  /**
   * The class that a namespace belongs to; undefined when there is no such namespace.
   *
   * @param supposed the class it is likely to be; when it is, nothing is listed
   */
  async ownerOf(accountId: string, id: string, supposed?: DurableObjectClass): Promise<DurableObjectClass | undefined> {
    if (supposed !== undefined && (await this.#boundId(accountId, supposed)) === id) return supposed;
    const found = (await this.#listOnce(accountId)).find((one) => one.id === id);
    if (found === undefined) return undefined;
    const [className, scriptName] = [found.class, found.script];
    const told = found.dispatch_namespace;
    if (typeof told === "string") return { className, scriptName, dispatchNamespace: told };
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
    for await (const one of this.#client.durableObjects.namespaces.list(params)) found.push(listed.parse(one));
    return found;
  }

  #listOnce(accountId: string): Promise<Listed[]> {
    const all = this.#remembered.get(accountId) ?? this.#list(accountId);
    this.#remembered.set(accountId, all);
    // A failure is the asker's; whoever asks next asks anew.
    all.catch(() => this.#remembered.delete(accountId));
    return all;
  }
}

/** The namespace that a script's own binding to its class has. */
function boundId({ className, scriptName }: DurableObjectClass, settings: ScriptSettings | undefined) {
  const binding = settings?.bindings.find(
    ({ type, class_name, script_name = scriptName }) =>
      type === "durable_object_namespace" && class_name === className && script_name === scriptName,
  );
  return typeof binding?.namespace_id === "string" ? binding.namespace_id : undefined;
}
