/** Calls the operations of the API by their IDs. */
import { operationPaths } from "./generated/operations.ts";
import type { Answer, Arguments, Entry, ListId, OperationId } from "./operation.ts";
import { bodyOf, type RequestOptions, request, type Transport } from "./request.ts";

export interface Client {
  /**
   * Calls an operation and returns its answer.
   *
   * @throws ApiError when the API refuses the request
   * @throws NoResponseError when there is no response, or none of the API
   */
  call<I extends OperationId>(id: I, ...[input, options]: Arguments<I, RequestOptions>): Promise<Answer<I>>;
  /** Returns every entry of a list. The pages are read one by one. @throws as {@link call} */
  list<I extends ListId>(
    id: I,
    ...[input, options]: Arguments<I, Pick<RequestOptions, "signal">>
  ): AsyncGenerator<Entry<I>>;
}

export interface ClientOptions extends Omit<Transport, "connect"> {
  /** Address of the dashboard, or of the API of a tenant's console. */
  readonly baseUrl: string;
  /** Sent with each request, such as `cf-access-token`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Returns a client of the API at an address. */
export function createClient({ baseUrl, headers, ...rest }: ClientOptions): Client {
  const connection = { baseUrl, headers };
  return clientOf({ ...rest, connect: () => connection });
}

interface AnyInput {
  readonly path?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

export function clientOf(transport: Transport): Client {
  async function send(id: OperationId, input: AnyInput = {}, options: RequestOptions = {}): Promise<unknown> {
    const [method = "", path = ""] = operationPaths[id].split(" ");
    const idempotencyKey = options.idempotencyKey ?? (method === "POST" ? crypto.randomUUID() : undefined);
    const { path: params, query, body } = input;
    return bodyOf(await request(transport, { ...options, idempotencyKey, method, path, params, query, body }));
  }

  async function* list(id: OperationId, input: AnyInput = {}, options: RequestOptions = {}) {
    let after: string | null | undefined = input.query?.after as string | undefined;
    do {
      const page = (await send(id, { ...input, query: { ...input.query, after } }, options)) as Page;
      yield* page.data;
      after = page.pagination.next;
    } while (after !== null);
  }

  return { call: send, list } as Client;
}

interface Page {
  readonly data: readonly unknown[];
  readonly pagination: { readonly next: string | null };
}
