/** One log line per request, without path, token or e-mail address. */
import type { Role } from "#workers/contracts/roles.ts";
import { log } from "#workers/shared/log.ts";
import type { CacheState } from "./caching/entry-cache.ts";

export class RequestLog {
  readonly #start = Date.now();
  readonly #request: Request;
  slug: string | undefined;
  cache: CacheState | undefined;
  role: Role | undefined;
  /** ID of the door, on the doors' host. */
  door: string | undefined;
  /** Code of the refusal, outcome of an order, or `dispatched`. */
  outcome = "dispatched";
  /** Milliseconds from the start until the tenant's Worker was called. */
  #dispatchedAt: number | undefined;

  constructor(request: Request) {
    this.#request = request;
  }

  dispatching(): void {
    this.#dispatchedAt = Date.now() - this.#start;
  }

  write(status: number, reason?: string): void {
    log(status >= 500 ? "error" : "log", "request.answered", {
      method: this.#request.method,
      tenant: this.slug,
      door: this.door,
      outcome: this.outcome,
      status,
      cache: this.cache,
      role: this.role,
      ms: { before: this.#dispatchedAt, total: Date.now() - this.#start },
      ray: this.#request.headers.get("cf-ray") ?? undefined,
      reason,
    });
  }
}
