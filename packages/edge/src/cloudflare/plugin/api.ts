import { undefinedIfNotFound } from "@tenantry/cloudflare-client/not-found";
import { isObject, type Properties } from "@tenantry/plugin-host";
import type Cloudflare from "cloudflare";

type Method = "post" | "put" | "patch";
type Headers = Readonly<Record<string, string>>;

/** The client sets the form's content type with its boundary. */
const FORM = { "Content-Type": null };

const PAGE = 100;

function resultOf(answer: unknown): Properties {
  return isObject(answer) && isObject(answer.result) ? answer.result : {};
}

export class Api {
  readonly #client: () => Cloudflare;

  constructor(client: () => Cloudflare) {
    this.#client = client;
  }

  async send(method: Method, path: string, body: unknown, headers: Headers = {}): Promise<Properties> {
    return resultOf(await this.#client()[method](path, { body, headers: { ...headers } }));
  }

  /** Returns undefined for a missing resource. */
  async get(path: string): Promise<Properties | undefined> {
    const answer = await undefinedIfNotFound(this.#client().get(path));
    return answer === undefined ? undefined : resultOf(answer);
  }

  /** Fails for a missing resource, as in Cloudflare's provider, until a refresh removes it from the state. */
  async delete(path: string): Promise<void> {
    await this.#client().delete(path);
  }

  /** Yields every record of a list. */
  async *list(path: string, query: Properties = {}): AsyncGenerator<Properties> {
    for (let page = 1; ; page++) {
      const answer: unknown = await this.#client().get(path, { query: { ...query, page, per_page: PAGE } });
      const found = isObject(answer) && Array.isArray(answer.result) ? answer.result.filter(isObject) : [];
      yield* found;
      const info = isObject(answer) && isObject(answer.result_info) ? answer.result_info : {};
      const total = Number(
        info.total_pages ?? Math.ceil(Number(info.total_count ?? 0) / Number(info.per_page || PAGE)),
      );
      if (found.length === 0 || !(page < total)) return;
    }
  }

  async upload(path: string, form: FormData): Promise<Properties> {
    return resultOf(await this.#client().put(path, { body: form, headers: FORM }));
  }

  /** Uploads by `post` with a token of its own. */
  async uploadWith(token: string, path: string, form: FormData): Promise<Properties> {
    const headers = { ...FORM, Authorization: `Bearer ${token}` };
    return resultOf(await this.#client().post(path, { body: form, headers }));
  }
}
