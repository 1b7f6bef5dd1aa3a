import { isEventStream, parseEvents, parseJson } from "./events.ts";

/** Returns the strings in the JSON of a body, with the chunks of a stream joined; the whole body when it is not JSON. */
export function textsOf(body: string, contentType: string | null): string[] {
  if (isEventStream(contentType)) return joinTexts(parseEvents(body));
  const json = parseJson(body);
  return json === undefined ? [body] : joinTexts([json]);
}

/** Joins strings at the same path of their events. An `index` property is part of the path. */
function joinTexts(events: readonly unknown[]): string[] {
  const texts = new Map<string, string>();
  const walk = (value: unknown, place: string): void => {
    if (typeof value === "string") texts.set(place, (texts.get(place) ?? "") + value);
    else if (Array.isArray(value)) {
      for (const [position, item] of value.entries()) walk(item, `${place}[${isIndexed(item) ? "" : position}]`);
    } else if (typeof value === "object" && value !== null) {
      const here = isIndexed(value) ? `${place}#${value.index}` : place;
      for (const [name, item] of Object.entries(value)) walk(item, `${here}.${name}`);
    }
  };
  for (const event of events) walk(event, "");
  return [...texts.values()];
}

function isIndexed(value: unknown): value is { index: number } {
  return typeof value === "object" && value !== null && "index" in value && typeof value.index === "number";
}
