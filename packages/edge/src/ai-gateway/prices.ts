import type { Usage } from "./usage.ts";

/**
 * US dollars per million tokens, by prefix of the model; the longest prefix applies. Copied once from public price lists, so that costs and spend
 * limits have numbers. Not for billing.
 */
const PRICES: Readonly<Record<string, { in: number; out: number }>> = {
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

/** Returns the cost of a call in US dollars; 0 for an unknown model, as at the vendor. @param model without provider */
export function costOf(model: string, { tokensIn, tokensOut }: Usage): number {
  const prefixes = Object.keys(PRICES).filter((prefix) => model.startsWith(prefix));
  const price = PRICES[prefixes.toSorted((a, b) => b.length - a.length)[0] ?? ""];
  return price === undefined ? 0 : (tokensIn * price.in + tokensOut * price.out) / 1_000_000;
}
