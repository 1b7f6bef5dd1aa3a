import { type ApiServer, account_id, zone_id } from "../../cloudflare/api/testing/api-server.ts";

export interface Answer {
  status: number;
  code?: number;
  result: unknown;
}

interface Envelope {
  errors: { code: number }[];
  result: unknown;
}

/** Requests to the API of an account and its zone. */
export class ApiCalls {
  readonly #server: ApiServer;

  constructor(server: ApiServer) {
    this.#server = server;
  }

  /** @param path below the account @param body JSON, or a form */
  account(method: string, path: string, body?: unknown): Promise<Answer> {
    return this.#send(method, `/accounts/${account_id}/${path}`, body);
  }

  zone(method: string, path: string, body?: unknown): Promise<Answer> {
    return this.#send(method, `/zones/${zone_id}/${path}`, body);
  }

  /** Uploads a Worker. @param path below `workers/` */
  upload(path: string, metadata: object = {}, source = "export default {};"): Promise<Answer> {
    const form = new FormData();
    form.set("metadata", JSON.stringify({ main_module: "index.js", ...metadata }));
    form.set("index.js", new File([source], "index.js", { type: "application/javascript+module" }));
    return this.account("PUT", `workers/${path}`, form);
  }

  /** Returns the id of what `answer` has created. @throws Error after a refusal */
  async created(answer: Promise<Answer>, field = "id"): Promise<string> {
    const { code, result } = await answer;
    const id = (result as Record<string, unknown> | null)?.[field];
    if (typeof id !== "string") throw new Error(`nothing was created: ${code}`);
    return id;
  }

  async #send(method: string, path: string, body: unknown): Promise<Answer> {
    const isRaw = body instanceof FormData || body instanceof Uint8Array || typeof body === "string";
    const response = await fetch(`${this.#server.url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.#server.apiToken}`,
        ...(!isRaw && body !== undefined && { "content-type": "application/json" }),
      },
      ...(body !== undefined && { body: isRaw ? (body as BodyInit) : JSON.stringify(body) }),
    });
    const { errors, result } = (await response.json()) as Envelope;
    return { status: response.status, result, ...(errors[0] && { code: errors[0].code }) };
  }
}
