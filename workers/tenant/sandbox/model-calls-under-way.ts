/** Counts the calls of models that programs in the container wait for. */
import { RpcTarget } from "cloudflare:workers";

class UnderWay extends RpcTarget implements Disposable {
  #over: (() => void) | undefined;

  constructor(over: () => void) {
    super();
    this.#over = over;
  }

  [Symbol.dispose](): void {
    this.#over?.();
    this.#over = undefined;
  }
}

export class ModelCallsUnderWay {
  #count = 0;

  get some(): boolean {
    return this.#count > 0;
  }

  /** @returns what is to be disposed of when the call is over; the runtime does so too when nobody holds it any more */
  begin(): UnderWay {
    this.#count += 1;
    return new UnderWay(() => {
      this.#count -= 1;
    });
  }
}
