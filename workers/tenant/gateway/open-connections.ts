/** Long-lived connections to a tenant's gateway: WebSockets, and responses without a length. */
export class OpenConnections {
  readonly #open = new Set<() => void>();
  #cuts = 0;

  /**
   * Begins a request that may become a connection.
   *
   * @returns adds the connection. Its argument closes it, at once if there was a cut since the request began. The result removes it; call when it has ended
   */
  begin(): (close: () => void) => () => void {
    const cuts = this.#cuts;
    return (close) => {
      if (cuts !== this.#cuts) {
        close();
        return () => {};
      }
      this.#open.add(close);
      return () => this.#open.delete(close);
    };
  }

  /** Closes all connections. */
  cut(): void {
    this.#cuts += 1;
    for (const close of this.#open) close();
    this.#open.clear();
  }
}
