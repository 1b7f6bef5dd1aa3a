/** Server-sent events, as providers stream their answers. */

/** One event that holds JSON. @param name of the event, where the provider gives one */
export function event(data: unknown, name?: string): string {
  return `${name === undefined ? "" : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`;
}

/** What the events of a whole stream hold, in order; what is no JSON, such as OpenAI's `[DONE]`, is left out. */
export function eventsOf(text: string): unknown[] {
  return text.split(/\r?\n\r?\n/).flatMap((block) => {
    const data = block
      .split(/\r?\n/)
      .filter((line) => line.startsWith("data:"))
      .map((line) => line.slice(5).trimStart())
      .join("\n");
    const parsed = jsonOf(data);
    return parsed === undefined ? [] : [parsed];
  });
}

/** @returns nothing for what is no JSON */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function isEventStream(contentType: string | null): boolean {
  return contentType?.toLowerCase().startsWith("text/event-stream") ?? false;
}
