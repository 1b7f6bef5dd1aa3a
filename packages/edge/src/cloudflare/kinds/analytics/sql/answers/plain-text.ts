import { dateText, timeText } from "../values/calendar.ts";
import type { SqlType } from "../values/types.ts";
import { asInteger, type Value } from "../values/values.ts";
import { wallTime } from "../values/zones.ts";

export function plainText(value: Value, type: SqlType): string {
  switch (type.kind) {
    case "DateTime":
      return timeText(wallTime(asInteger(value), type.zone));
    case "Date":
      return dateText(asInteger(value));
    case "Boolean":
      return type.name === "Bool" ? String(value) : value === true ? "1" : "0";
    case "Double":
      return doubleText(Number(value));
    case "Array": {
      const { of } = type;
      return `[${(Array.isArray(value) ? value : []).map((one: Value) => quoteValue(one, of)).join(",")}]`;
    }
    case "Interval":
      return typeof value === "object" && "count" in value ? String(value.count) : "";
    default:
      return String(value);
  }
}

function doubleText(value: number): string {
  if (Number.isNaN(value)) return "nan";
  if (!Number.isFinite(value)) return value > 0 ? "inf" : "-inf";
  return String(value);
}

function quoteValue(value: Value, type: SqlType): string {
  const text = plainText(value, type);
  if (type.kind === "Integer" || type.kind === "Double" || type.kind === "Boolean") return text;
  return `'${text.replace(/[\\']/g, "\\$&")}'`;
}
