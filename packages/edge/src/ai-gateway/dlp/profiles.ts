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
 * "Financial Information" (cloudflare-one/data-loss-prevention, predefined profiles). Has its entries with a checksum. Others match a word,
 * such as `Visa Text`, or any three digits.
 */
const FINANCIAL_INFORMATION = "e91a2360-da51-4fdf-9711-bcdecd462614";

const PROFILES: Readonly<Record<string, readonly Detector[]>> = {
  [FINANCIAL_INFORMATION]: [visa, mastercard, americanExpress, dinersClub, unionPay, iban, abaRouting],
};

/** Returns the detectors of a predefined profile; none for an unknown profile. Ids are the same in every account. */
export function detectorsOf(profile: string): readonly Detector[] {
  return PROFILES[profile] ?? [];
}
