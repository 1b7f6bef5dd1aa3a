/** What data loss prevention recognises in a text, each by the check that the vendor documents for its entry. */

export interface Detector {
  /** Says which entry matched. The vendor has ids for entries, which are documented nowhere; this is ours. */
  readonly entry: string;
  finds(text: string): boolean;
}

/** Digits that may be grouped by single spaces or dashes, and that are no part of a longer run. */
const GROUPED_DIGITS = /(?<![\w.-])\d(?:[ -]?\d){11,18}(?![\w-])/g;

/** @param issuer what a number of this card begins with, and how many digits it has */
function card(entry: string, issuer: RegExp): Detector {
  return {
    entry,
    finds: (text) =>
      [...text.matchAll(GROUPED_DIGITS)].some(([found]) => {
        const digits = found.replace(/\D/g, "");
        return issuer.test(digits) && passesLuhn(digits);
      }),
  };
}

export const visa = card("visa-card-number", /^4(?:\d{12}|\d{15}|\d{18})$/);
export const mastercard = card(
  "mastercard-card-number",
  /^(?:5[1-5]\d{14}|2(?:2[2-9]|[3-6]\d|7[01])\d{13}|2720\d{12})$/,
);
export const americanExpress = card("american-express-card-number", /^3[47]\d{13}$/);
export const dinersClub = card("diners-club-card-number", /^3(?:0[0-5]|[68]\d)\d{11}$/);
export const unionPay = card("union-pay-card-number", /^62\d{14,17}$/);

export const iban: Detector = {
  entry: "iban",
  finds: (text) =>
    [...text.matchAll(/(?<!\w)[A-Z]{2}\d{2}(?: ?[A-Z0-9]){11,30}(?!\w)/g)].some(([found]) =>
      hasIbanChecksum(found.replaceAll(" ", "")),
    ),
};

export const abaRouting: Detector = {
  entry: "united-states-aba-routing-number",
  finds: (text) => [...text.matchAll(/(?<![\w.-])\d{9}(?![\w-]|\.\d)/g)].some(([digits]) => hasAbaChecksum(digits)),
};

function passesLuhn(digits: string): boolean {
  const sum = [...digits].toReversed().reduce((total, digit, position) => {
    const doubled = position % 2 === 1 ? Number(digit) * 2 : Number(digit);
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return sum % 10 === 0;
}

/** ISO 13616: moved, spelt as digits and divided by 97, one remains. */
function hasIbanChecksum(account: string): boolean {
  let remainder = 0;
  for (const character of account.slice(4) + account.slice(0, 4)) {
    for (const digit of Number.parseInt(character, 36).toString()) remainder = (remainder * 10 + Number(digit)) % 97;
  }
  return remainder === 1;
}

/** The Federal Reserve's districts, and the weights 3, 7 and 1. */
function hasAbaChecksum(digits: string): boolean {
  if (!/^(?:0[1-9]|1[0-2]|2[1-9]|3[0-2]|6[1-9]|7[0-2]|80)/.test(digits)) return false;
  const weights = [3, 7, 1];
  return [...digits].reduce((sum, digit, at) => sum + Number(digit) * (weights[at % 3] ?? 0), 0) % 10 === 0;
}
