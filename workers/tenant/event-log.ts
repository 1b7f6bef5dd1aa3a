/** Events since this object started, for the Worker's log and for administrators. */

const MAX_EVENTS = 50;

export type RecordEvent = (event: string, details: Record<string, unknown>) => void;

export class EventLog {
  readonly #lines: string[] = [];

  /** The recorded events, oldest first. Each line begins with its time. */
  get lines(): readonly string[] {
    return this.#lines;
  }

  /** Records an event, unless it repeats the previous one. */
  readonly record: RecordEvent = (event, details) => {
    const line = JSON.stringify({ event, ...details });
    console.log(line);
    if (this.#lines.at(-1)?.endsWith(` ${line}`)) return;
    this.#lines.push(`${new Date().toISOString()} ${line}`);
    if (this.#lines.length > MAX_EVENTS) this.#lines.shift();
  };
}
