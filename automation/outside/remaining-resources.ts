/**
 * Reads Cloudflare for resources of an erased tenant. An absence counts only if Cloudflare's API states it: any other response, such as a
 * page of a proxy or a list that is not whole, is an error.
 */
import { parsedJson } from "@tenantry/std/parsed-json";
import * as z from "zod";
import { hostnameOfToken } from "#domain/access/service-token.ts";
import type { Environment } from "#domain/environment.ts";
import { RESOURCE_KINDS, type ResourceKind, resourceKinds, type TenantResource } from "#domain/erasures/resources.ts";
import { asSentence } from "#domain/errors/catalogue-error.ts";
import { outsideErrors } from "#domain/errors/service/automation.ts";
import { platformNames } from "#domain/names/deployed-names.ts";
import { TaskError } from "../task.ts";
import { callJson, RefusedCall } from "./call.ts";

interface RemainingOptions {
  environment: Environment;
  apiUrl: string;
  accountId: string;
  /** Token for deployments. */
  apiToken: string;
  /** Token for Access groups and service tokens. */
  accessToken: string;
}

interface Reader {
  /** Default: PROVISIONING_API_TOKEN. */
  token?: "CLOUDFLARE_API_TOKEN";
  /** Cloudflare's name of the permission. */
  permission: string;
  /** Returns which of the names Cloudflare has. */
  find(names: readonly string[], signal: AbortSignal): Promise<string[]>;
}

/** Maximum of the list of API tokens; the others accept it too. */
const PER_PAGE = 50;

const succeeded = z.object({ success: z.literal(true) });
const notFound = z.object({ success: z.literal(false), errors: z.array(z.object({ code: z.number() })).min(1) });
// An entry without a name is of another product.
const listed = succeeded.extend({ result: z.array(z.looseObject({ name: z.string().optional().catch(undefined) })) });
const numbered = listed.extend({ result_info: z.object({ total_count: z.number().int().nonnegative() }) });
const tokened = listed.extend({ result_info: z.object({ next_page_token: z.string().nullish() }).nullish() });
type Listed = z.infer<typeof listed>["result"];

export class RemainingResources {
  readonly #options: RemainingOptions;
  readonly #readers: Readonly<Record<ResourceKind, Reader>>;

  constructor(options: RemainingOptions) {
    this.#options = options;
    const scripts = `workers/dispatch/namespaces/${platformNames(options.environment).dispatchNamespace}/scripts`;
    const applications = "Access: Apps and Policies (Read)";
    this.#readers = {
      worker: { permission: "Workers Scripts (Read)", find: this.#byName(scripts) },
      container_application: {
        permission: "Workers Containers (Read)",
        find: async (names, signal) => presentIn(await this.#tokenedList("containers/applications", signal), names),
      },
      dns_record: { permission: "DNS (Read) of the zone", find: (hosts, signal) => this.#dnsRecords(hosts, signal) },
      access_application: { permission: applications, find: this.#inList("access/apps") },
      access_policy: { permission: applications, find: this.#inList("access/policies") },
      access_group: {
        permission: "Access: Organizations, Identity Providers, and Groups (Read)",
        find: this.#inList("access/groups"),
      },
      service_tokens: {
        token: "CLOUDFLARE_API_TOKEN",
        permission: "Access: Service Tokens (Edit)",
        find: async (hosts, signal) => {
          const tokens = await this.#list(this.#ofAccount("access/service_tokens"), signal, options.accessToken);
          return hosts.filter((host) => tokens.some(({ name = "" }) => hostnameOfToken(name) === host));
        },
      },
      api_token: { permission: "Account API Tokens (Read)", find: this.#inList("tokens") },
      ai_gateway: { permission: "AI Gateway (Read)", find: this.#byName("ai-gateway/gateways") },
      bucket: { permission: "Workers R2 Storage (Read)", find: this.#byName("r2/buckets") },
    };
  }

  /** Returns which resources Cloudflare still has. @throws TaskError unless it states that for each */
  async find(resources: readonly TenantResource[], signal: AbortSignal): Promise<TenantResource[]> {
    const present: TenantResource[] = [];
    for (const kind of resourceKinds) {
      const names = resources.filter((one) => one.kind === kind).map(({ name }) => name);
      if (names.length > 0) present.push(...(await this.#find(kind, names, signal)).map((name) => ({ kind, name })));
    }
    return present;
  }

  async #find(kind: ResourceKind, names: readonly string[], signal: AbortSignal): Promise<string[]> {
    const { token = "PROVISIONING_API_TOKEN", permission, find } = this.#readers[kind];
    try {
      return await find(names, signal);
    } catch (error) {
      const fault = asSentence(error instanceof Error ? error.message : String(error));
      const values = { kind: RESOURCE_KINDS[kind], names: names.join(", "), fault, token, permission };
      throw new TaskError(outsideErrors.erasure_not_checked, values);
    }
  }

  #byName(path: string): Reader["find"] {
    const isPresent = async (name: string, signal: AbortSignal) => {
      try {
        await this.#get(succeeded, this.#ofAccount(`${path}/${encodeURIComponent(name)}`), signal);
        return true;
      } catch (error) {
        const isAbsent = error instanceof RefusedCall && error.status === 404;
        if (!isAbsent || !notFound.safeParse(parsedJson(error.body)).success) throw error;
        return false;
      }
    };
    return async (names, signal) => {
      const present: string[] = [];
      for (const name of names) if (await isPresent(name, signal)) present.push(name);
      return present;
    };
  }

  #inList(path: string): Reader["find"] {
    return async (names, signal) => presentIn(await this.#list(this.#ofAccount(path), signal), names);
  }

  async #dnsRecords(hosts: readonly string[], signal: AbortSignal): Promise<string[]> {
    const present: string[] = [];
    for (const host of hosts) {
      const path = `/zones/${await this.#zoneOf(host, signal)}/dns_records?name.exact=${encodeURIComponent(host)}`;
      present.push(...presentIn(await this.#list(path, signal), [host]));
    }
    return present;
  }

  async #zoneOf(host: string, signal: AbortSignal): Promise<string> {
    const labels = host.split(".");
    for (let first = 1; first < labels.length - 1; first += 1) {
      const name = labels.slice(first).join(".");
      const query = `name=${encodeURIComponent(name)}&account.id=${this.#options.accountId}`;
      const zones = await this.#list(`/zones?${query}`, signal);
      const found = zones.find((one) => one.name === name);
      if (found !== undefined) return z.string().parse(found.id);
    }
    throw new TaskError(outsideErrors.zone_not_listed, { host });
  }

  /** Returns a list with numbered pages. If its total changes meanwhile, a page may lack an entry. */
  async #list(path: string, signal: AbortSignal, token?: string): Promise<Listed> {
    const all: Listed = [];
    let expected: number | undefined;
    for (let page = 1; ; page += 1) {
      const query = `${path.includes("?") ? "&" : "?"}page=${page}&per_page=${PER_PAGE}`;
      const { result, result_info } = await this.#get(numbered, `${path}${query}`, signal, token);
      all.push(...result);
      const total = result_info.total_count;
      expected ??= total;
      if (all.length === total && total === expected) return all;
      if (total !== expected || result.length === 0 || all.length > total) {
        throw new TaskError(outsideErrors.list_not_whole, { path });
      }
    }
  }

  async #tokenedList(path: string, signal: AbortSignal): Promise<Listed> {
    const all: Listed = [];
    let query = "";
    for (;;) {
      const { result, result_info } = await this.#get(tokened, this.#ofAccount(`${path}${query}`), signal);
      all.push(...result);
      if (!result_info?.next_page_token) return all;
      query = `?page_token=${encodeURIComponent(result_info.next_page_token)}`;
    }
  }

  #ofAccount(path: string): string {
    return `/accounts/${this.#options.accountId}/${path}`;
  }

  #get<T>(schema: z.ZodType<T>, path: string, signal: AbortSignal, token = this.#options.apiToken): Promise<T> {
    return callJson(schema, { url: `${this.#options.apiUrl}${path}`, token, name: "Cloudflare's API" }, signal);
  }
}

const presentIn = (list: Listed, names: readonly string[]): string[] =>
  names.filter((name) => list.some((one) => one.name === name));
