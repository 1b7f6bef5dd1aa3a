/** How a case ended, and what to do about it. */
import Cloudflare from "cloudflare";
import type { Case } from "../case.ts";
import { Contradiction, isPermissionError } from "../checks.ts";

export const statuses = ["passed", "contradicted", "not_permitted", "not_enabled", "failed", "skipped"] as const;
export type Status = (typeof statuses)[number];

export interface Outcome {
  id: string;
  status: Status;
  /** Why it did not pass, and what to do. Default: none. */
  message?: string;
  /** Milliseconds. */
  durationMs: number;
  /** Milliseconds until reads showed writes, by what was read. */
  propagationMs: Readonly<Record<string, number>>;
}

/** Words of Cloudflare's refusals for accounts without the product; R2: workers-sdk issue 2877. */
const NOT_ENABLED =
  /not (been )?enabled|please enable|not entitled|do(es)? not have access to|purchase|upgrade your plan/i;
const NOT_ENABLED_CODES = [10042];

function isNotEnabled({ status, errors }: InstanceType<typeof Cloudflare.APIError>): boolean {
  if (status === undefined || status < 400 || status > 403) return false;
  return errors.some(
    ({ code, message }) => NOT_ENABLED_CODES.includes(Number(code)) || NOT_ENABLED.test(message ?? ""),
  );
}

const refusalText = ({ status, errors }: InstanceType<typeof Cloudflare.APIError>): string =>
  errors.map(({ code, message }) => `${message} (code ${code})`).join("; ") || `HTTP ${status}`;

/** Returns the status and message of a case that threw. */
export function failureOf({ product }: Case, error: unknown): Pick<Outcome, "status" | "message"> {
  if (error instanceof Contradiction) {
    const remedy = `If an account shows this, change packages/edge/src/${product.standIn}.`;
    return { status: "contradicted", message: `${error.message} ${remedy}` };
  }
  if (error instanceof Cloudflare.APIConnectionError)
    return {
      status: "failed",
      message: "Cloudflare's API cannot be reached. Check the network, then run the case again.",
    };
  // Some products refuse with the status of an invalid token.
  if (error instanceof Cloudflare.APIError && isNotEnabled(error)) {
    const remedy = `Enable ${product.requires ?? product.name} in the account.`;
    return {
      status: "not_enabled",
      message: `The account does not have the product: ${refusalText(error)}. ${remedy}`,
    };
  }
  if (isPermissionError(error))
    return { status: "not_permitted", message: `The token lacks a permission. Grant it ${product.permission}.` };
  if (error instanceof Cloudflare.APIError)
    return { status: "contradicted", message: `A call that the case relies on is refused: ${refusalText(error)}.` };
  return { status: "failed", message: error instanceof Error ? error.message : String(error) };
}
