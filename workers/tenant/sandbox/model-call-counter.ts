/** Counts the model calls that programs in the container wait for. */
import { RpcTarget } from "cloudflare:workers";

class ModelCallInProgress extends RpcTarget implements Disposable {
  #end: (() => void) | undefined;

  constructor(end: () => void) {
    super();
    this.#end = end;
  }

  [Symbol.dispose](): void {
    this.#end?.();
    this.#end = undefined;
  }
}

export class ModelCallCounter {
  #count = 0;

  get hasCalls(): boolean {
    return this.#count > 0;
  }

  /** @returns what to dispose of when the call ends; the runtime does so when no reference is left */
  begin(): ModelCallInProgress {
    this.#count += 1;
    return new ModelCallInProgress(() => {
      this.#count -= 1;
    });
  }
}
