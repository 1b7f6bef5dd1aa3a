/** The data loss prevention profiles that are known here, by their ids, which are the same in every account. */
import {
  abaRouting,
  americanExpress,
  type Detector,
  dinersClub,
  iban,
  mastercard,
  unionPay,
  visa,
} from "./detectors.ts";

/**
 * "Financial Information" (cloudflare-one/data-loss-prevention, predefined profiles). Of its entries those that a check confirms:
 * `Visa Text` and the like match a word alone, and a security code any three digits.
 */
const FINANCIAL_INFORMATION = "e91a2360-da51-4fdf-9711-bcdecd462614";

const PROFILES: Readonly<Record<string, readonly Detector[]>> = {
  [FINANCIAL_INFORMATION]: [visa, mastercard, americanExpress, dinersClub, unionPay, iban, abaRouting],
};

/** @returns nothing for a profile that is not known here: one of the account's own, or another predefined one */
export function detectorsOf(profile: string): readonly Detector[] {
  return PROFILES[profile] ?? [];
}
