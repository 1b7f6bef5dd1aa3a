/** Parses five fields in UTC. As at Cloudflare, days of the week are 1 (Sunday) to 7. */

const MONTHS = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"];
const WEEKDAYS = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"];

interface Field {
  name: string;
  low: number;
  high: number;
  names: string[];
}

const FIELDS: [Field, Field, Field, Field, Field] = [
  { name: "minute", low: 0, high: 59, names: [] },
  { name: "hour", low: 0, high: 23, names: [] },
  { name: "day of the month", low: 1, high: 31, names: [] },
  { name: "month", low: 1, high: 12, names: MONTHS },
  { name: "day of the week", low: 1, high: 7, names: WEEKDAYS },
];

/** Returns a test whether an expression matches the minute of a time. @throws Error that names the invalid field */
export function parseCron(expression: string): (at: Date) => boolean {
  const texts = expression.trim().toUpperCase().split(/\s+/);
  if (texts.length !== FIELDS.length) throw new Error(`"${expression}" must have five fields.`);
  const [minutes, hours, days, months, weekdays] = FIELDS.map((field, index) => parseField(texts[index] ?? "", field));
  const [, , dayText, , weekdayText] = texts;
  return (at) => {
    const onDay = days?.has(at.getUTCDate()) === true || (dayText === "L" && isLastDay(at));
    const onWeekday = weekdays?.has(at.getUTCDay() + 1) === true;
    // If both are restricted, one match is enough, as in other crons.
    const bothRestricted = dayText !== "*" && weekdayText !== "*";
    return (
      minutes?.has(at.getUTCMinutes()) === true &&
      hours?.has(at.getUTCHours()) === true &&
      months?.has(at.getUTCMonth() + 1) === true &&
      (bothRestricted ? onDay || onWeekday : onDay && onWeekday)
    );
  };
}

function parseField(text: string, field: Field): Set<number> {
  if (text === "L" && field === FIELDS[2]) return new Set();
  const values = new Set<number>();
  for (const part of text.split(",")) {
    const [range = "", step, ...rest] = part.split("/");
    const [first = "", last, ...more] = range.split("-");
    const from = range === "*" ? field.low : parseValue(first, field);
    const to =
      range === "*" || (step !== undefined && last === undefined) ? field.high : parseValue(last ?? first, field);
    const by = step === undefined ? 1 : Number(step);
    if (rest.length > 0 || more.length > 0 || !Number.isInteger(by) || by < 1 || from > to)
      throwInvalidField(text, field);
    for (let value = from; value <= to; value += by) values.add(value);
  }
  return values;
}

function parseValue(text: string, field: Field): number {
  const named = field.names.indexOf(text);
  const value = named === -1 ? Number(text) : named + field.low;
  if (text === "" || !Number.isInteger(value) || value < field.low || value > field.high)
    throwInvalidField(text, field);
  return value;
}

function throwInvalidField(text: string, field: Field): never {
  throw new Error(`"${text}" is not a ${field.name} (${field.low} to ${field.high}).`);
}

function isLastDay(at: Date): boolean {
  return new Date(at.getTime() + 86_400_000).getUTCDate() === 1;
}
