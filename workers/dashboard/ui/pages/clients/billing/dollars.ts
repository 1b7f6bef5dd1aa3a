const MICROS = 1_000_000;
const AMOUNT = /^\d{1,9}(?:\.\d{1,6})?$/;

/** Returns micro-units without rounding; undefined for invalid input. */
export function parseDollars(text: string): number | undefined {
  const trimmed = text.trim();
  if (!AMOUNT.test(trimmed)) return undefined;
  const [whole = "0", part = ""] = trimmed.split(".");
  return Number(whole) * MICROS + Number(part.padEnd(6, "0"));
}

export function formatDollars(micros: number): string {
  const part = String(micros % MICROS)
    .padStart(6, "0")
    .replace(/0{1,4}$/, "");
  return `${Math.floor(micros / MICROS)}.${part}`;
}
