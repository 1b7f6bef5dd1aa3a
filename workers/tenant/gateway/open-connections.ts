/** What is open to a tenant's gateway and may stay so for long: WebSockets, and answers whose length nobody knows. */

export class OpenConnections {
  readonly #open = new Set<() => void>();

  /** @param end breaks it off @returns to be called when it has ended by itself */
  add(end: () => void): () => void {
    this.#open.add(end);
    return () => this.#open.delete(end);
  }

  /** Ends all of them. */
  cut(): void {
    for (const end of this.#open) end();
    this.#open.clear();
  }
}
