/** Moments in UTC, because the page does not know the time zone. */
const text = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" });
const ago = new Intl.RelativeTimeFormat("en", { numeric: "always" });
const UNITS = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
] as const;

const inUtc = (at: string) => `${text.format(new Date(at))} UTC`;

export function Moment({ at }: { at: string }) {
  return <time datetime={at}>{inUtc(at)}</time>;
}

/** How long ago it was, or how long it takes. */
export function Ago({ at }: { at: string }) {
  const passed = Date.parse(at) - Date.now();
  const [unit, length] = UNITS.find(([, length]) => Math.abs(passed) >= length) ?? ["second", 1000];
  return (
    <time datetime={at} title={inUtc(at)}>
      {ago.format(Math.trunc(passed / length), unit)}
    </time>
  );
}
