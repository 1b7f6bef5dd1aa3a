import type Cloudflare from "cloudflare";
import { z } from "zod";

/** A Durable Object class of a script in a dispatch namespace. */
export interface DurableObjectClass {
  dispatchNamespace: string;
  scriptName: string;
  className: string;
}

// The SDK's type does not name the dispatch namespace, which the API answers.
const namespace = z.looseObject({
  id: z.string(),
  class: z.string().optional(),
  script: z.string().optional(),
  dispatch_namespace: z.string().nullish(),
});

async function* namespaces(client: Cloudflare, accountId: string) {
  for await (const found of client.durableObjects.namespaces.list({ account_id: accountId, per_page: 100 })) {
    yield namespace.parse(found);
  }
}

/** The id of the Durable Object namespace of a class, which Cloudflare makes when the script is uploaded. */
export async function findNamespace(
  client: Cloudflare,
  accountId: string,
  wanted: DurableObjectClass,
): Promise<string | undefined> {
  for await (const found of namespaces(client, accountId)) {
    const { className, scriptName, dispatchNamespace } = wanted;
    if (found.class !== className || found.script !== scriptName) continue;
    if (found.dispatch_namespace === dispatchNamespace) return found.id;
  }
  return undefined;
}

/** The class that a Durable Object namespace belongs to; undefined when there is no such namespace. */
export async function ownerOfNamespace(
  client: Cloudflare,
  accountId: string,
  id: string,
): Promise<DurableObjectClass | undefined> {
  for await (const found of namespaces(client, accountId)) {
    if (found.id !== id) continue;
    const { class: className = "", script: scriptName = "", dispatch_namespace } = found;
    return { className, scriptName, dispatchNamespace: dispatch_namespace ?? "" };
  }
  return undefined;
}
