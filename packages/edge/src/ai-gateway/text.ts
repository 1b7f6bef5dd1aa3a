/** What a message says, whatever its shape: the strings of its JSON, with the pieces of a stream put together again. */
import { eventsOf, isEventStream, jsonOf } from "./events.ts";

/** The texts of a body. @param contentType its `Content-Type` */
export function textsOf(body: string, contentType: string | null): string[] {
  if (isEventStream(contentType)) return textsOfEvents(eventsOf(body));
  const json = jsonOf(body);
  return json === undefined ? [body] : textsOfEvents([json]);
}

/** Pieces belong together that stand in the same place of their events; an `index` beside them tells places apart. */
function textsOfEvents(events: readonly unknown[]): string[] {
  const texts = new Map<string, string>();
  const walk = (value: unknown, place: string): void => {
    if (typeof value === "string") texts.set(place, (texts.get(place) ?? "") + value);
    else if (Array.isArray(value)) {
      for (const [position, one] of value.entries()) walk(one, `${place}[${isIndexed(one) ? "" : position}]`);
    } else if (typeof value === "object" && value !== null) {
      const here = isIndexed(value) ? `${place}#${value.index}` : place;
      for (const [name, one] of Object.entries(value)) walk(one, `${here}.${name}`);
    }
  };
  for (const one of events) walk(one, "");
  return [...texts.values()];
}

function isIndexed(value: unknown): value is { index: number } {
  return typeof value === "object" && value !== null && "index" in value && typeof value.index === "number";
}
