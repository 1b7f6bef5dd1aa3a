/** Detects an entry of data loss prevention in a text, by the check that the vendor documents. */
export interface Detector {
  /** Id of the entry. Those of the vendor are not documented. */
  readonly entry: string;
  finds(text: string): boolean;
}

/** Groups of digits, separated by single spaces or dashes. */
const GROUPS = /(?<![\w.-])\d(?:[ -]?\d)*(?![\w-])/g;
const MIN_CARD_DIGITS = 13;
const MAX_CARD_DIGITS = 19;
const MAX_CARD_GROUPS = 5;

/** @param issuer prefix and length of the numbers of a card */
function cardDetector(entry: string, issuer: RegExp): Detector {
  return {
    entry,
    finds: (text) => {
      for (const [run] of text.matchAll(GROUPS)) {
        for (const digits of numbersIn(run.split(/[ -]/))) if (issuer.test(digits) && passesLuhn(digits)) return true;
      }
      return false;
    },
  };
}

export const visa = cardDetector("visa-card-number", /^4(?:\d{12}|\d{15}|\d{18})$/);
export const mastercard = cardDetector(
  "mastercard-card-number",
  /^(?:5[1-5]\d{14}|2(?:2[2-9]|[3-6]\d|7[01])\d{13}|2720\d{12})$/,
);
export const americanExpress = cardDetector("american-express-card-number", /^3[47]\d{13}$/);
export const dinersClub = cardDetector("diners-club-card-number", /^3(?:0[0-5]|[68]\d)\d{11}$/);
export const unionPay = cardDetector("union-pay-card-number", /^62\d{14,17}$/);

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

/** Returns combinations of adjacent groups: a date or code may be beside the number of a card. */
function* numbersIn(groups: readonly string[]): Generator<string> {
  for (const first of groups.keys()) {
    let digits = "";
    for (let next = first; next < first + MAX_CARD_GROUPS; next += 1) {
      digits += groups[next] ?? "";
      if (digits.length > MAX_CARD_DIGITS) break;
      if (digits.length >= MIN_CARD_DIGITS) yield digits;
    }
  }
}

function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let position = 0; position < digits.length; position += 1) {
    const digit = Number(digits[digits.length - 1 - position]) * (1 + (position % 2));
    sum += digit > 9 ? digit - 9 : digit;
  }
  return sum % 10 === 0;
}

/** ISO 13616: rearranged, as digits, modulo 97 it is 1. */
function hasIbanChecksum(account: string): boolean {
  let remainder = 0;
  for (const character of account.slice(4) + account.slice(0, 4)) {
    for (const digit of Number.parseInt(character, 36).toString()) remainder = (remainder * 10 + Number(digit)) % 97;
  }
  return remainder === 1;
}

/** Districts of the Federal Reserve, and the weights 3, 7 and 1. */
function hasAbaChecksum(digits: string): boolean {
  if (!/^(?:0[1-9]|1[0-2]|2[1-9]|3[0-2]|6[1-9]|7[0-2]|80)/.test(digits)) return false;
  const weights = [3, 7, 1];
  return [...digits].reduce((sum, digit, at) => sum + Number(digit) * (weights[at % 3] ?? 0), 0) % 10 === 0;
}
