/** Returns a server-sent event with JSON. @param name of the event, if the provider has one */
export function serverSentEvent(data: unknown, name?: string): string {
  return `${name === undefined ? "" : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`;
}

/** Returns the JSON of all events of a stream. Ignores others, such as OpenAI's `[DONE]`. */
export function parseEvents(text: string): unknown[] {
  return text.split(/\r?\n\r?\n/).flatMap((block) => {
    const data = block
      .split(/\r?\n/)
      .filter((line) => line.startsWith("data:"))
      .map((line) => line.slice(5).trimStart())
      .join("\n");
    const parsed = parseJson(data);
    return parsed === undefined ? [] : [parsed];
  });
}

/** Parses JSON. @returns undefined for invalid JSON */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function isEventStream(contentType: string | null): boolean {
  return contentType?.toLowerCase().startsWith("text/event-stream") ?? false;
}
