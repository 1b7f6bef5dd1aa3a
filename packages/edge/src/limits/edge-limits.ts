import { LIMITS, type Limit, type Refusal } from "@tenantry/cloudflare-limits/limits";
import { ApiError } from "../cloudflare/api/api-error.ts";
import type { EdgeLimit } from "./enforcement.ts";

/** Other values of limits, such as small ones for tests. */
export type LimitOverrides = { readonly [Name in EdgeLimit]?: number | undefined };

/** A limit above which Cloudflare's API refuses a request. */
export type RefusedLimit = {
  [Name in EdgeLimit]: (typeof LIMITS)[Name]["beyond"] extends Refusal ? Name : never;
}[EdgeLimit];

/** The limits of an edge: Cloudflare's, unless changed. */
export class EdgeLimits {
  readonly #changed: LimitOverrides;

  constructor(changed: LimitOverrides = {}) {
    this.#changed = changed;
  }

  valueOf(name: EdgeLimit): number {
    return this.#changed[name] ?? LIMITS[name].value;
  }

  /** @throws ApiError, as Cloudflare's API refuses it, when `count` is above a maximum or below a minimum */
  check(name: RefusedLimit, count: number): void {
    const isMinimum = (LIMITS[name] as Limit).isMinimum === true;
    if (isMinimum ? count < this.valueOf(name) : count > this.valueOf(name)) throw this.refusal(name, count);
  }

  /** Returns the error of a request beyond the limit. */
  refusal(name: RefusedLimit, count = 0): ApiError {
    const { status, code, text }: Refusal = LIMITS[name].beyond;
    const message = text.replace("{limit}", format(this.valueOf(name))).replace("{count}", format(count));
    return new ApiError(status, code ?? status, message);
  }
}

const format = (value: number) => value.toLocaleString("en");
