/**
 * What a token costs, in US dollars a million. A table of this edge's own, written down once from the providers' public price
 * lists and not kept up: it is there so that costs and spend limits have numbers to work with, not to be billed by.
 */
import type { Usage } from "./usage.ts";

interface Price {
  in: number;
  out: number;
}

/** By the start of the model's name; of several the longest counts. */
const PRICES: Readonly<Record<string, Price>> = {
  "gpt-4o-mini": { in: 0.15, out: 0.6 },
  "gpt-4o": { in: 2.5, out: 10 },
  "gpt-4.1-nano": { in: 0.1, out: 0.4 },
  "gpt-4.1-mini": { in: 0.4, out: 1.6 },
  "gpt-4.1": { in: 2, out: 8 },
  "gpt-5-mini": { in: 0.25, out: 2 },
  "gpt-5": { in: 1.25, out: 10 },
  "claude-3-5-haiku": { in: 0.8, out: 4 },
  "claude-haiku": { in: 1, out: 5 },
  "claude-sonnet": { in: 3, out: 15 },
  "claude-opus": { in: 15, out: 75 },
  mock: { in: 1, out: 2 },
};

/** Dollars that a call cost; 0 for a model that the table does not know, as at the vendor. @param model without its provider */
export function costOf(model: string, { tokensIn, tokensOut }: Usage): number {
  const known = Object.keys(PRICES)
    .filter((name) => model.startsWith(name))
    .toSorted((a, b) => b.length - a.length)[0];
  const price = known === undefined ? undefined : PRICES[known];
  return price === undefined ? 0 : (tokensIn * price.in + tokensOut * price.out) / 1_000_000;
}
