import type Cloudflare from "cloudflare";
import { isObject, type Properties } from "../../../plugin-host/properties.ts";
import { unlessGone } from "../../../provider/cloudflare.ts";

type Method = "post" | "put" | "patch";
type Headers = Readonly<Record<string, string>>;

/** Most records a list is asked for at once. */
const PAGE = 100;

function resultOf(answer: unknown): Properties {
  return isObject(answer) && isObject(answer.result) ? answer.result : {};
}

/** The few calls the kinds make, through the official SDK. */
export class Api {
  readonly #client: () => Cloudflare;
  /** Where the stack program runs, from where relative paths count. */
  readonly directory: string;

  constructor(client: () => Cloudflare, directory: string) {
    this.#client = client;
    this.directory = directory;
  }

  async send(method: Method, path: string, body: unknown, headers: Headers = {}): Promise<Properties> {
    return resultOf(await this.#client()[method](path, { body, headers: { ...headers } }));
  }

  /** Undefined when there is no such thing. */
  async get(path: string): Promise<Properties | undefined> {
    const answer = await unlessGone(this.#client().get(path));
    return answer === undefined ? undefined : resultOf(answer);
  }

  /** One that is gone already is no error. */
  async delete(path: string): Promise<void> {
    await unlessGone(this.#client().delete(path));
  }

  /** Every record of a list, page by page. */
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
    // Without a content type of its own, the form sets one with its boundary.
    return resultOf(await this.#client().put(path, { body: form, headers: { "Content-Type": null } }));
  }
}
