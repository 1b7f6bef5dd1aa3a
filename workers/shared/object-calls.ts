/**
 * Calls of Durable Objects. Cloudflare restarts an object at any time; a call in flight then fails, and its stub stays broken. The runtime
 * repeats only calls that did not reach the object (developers.cloudflare.com/durable-objects/best-practices/error-handling/,
 * .../automatic-retries/).
 */

const ATTEMPTS = 4;
/** Longest wait before the second attempt. It doubles with each attempt. */
const FIRST_WAIT_MS = 100;

/** Whether a call may run twice, for all or certain arguments. */
type Repeatable = boolean | ((...given: never[]) => boolean);

/** Whether an object ended during a call, so that the call may or may not have had its effect. */
export function isInterrupted(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { retryable, overloaded } = error as { retryable?: unknown; overloaded?: unknown };
  return retryable === true && overloaded !== true;
}

/**
 * Returns the calls of an object. A call that may run twice is repeated when the object ends during it.
 *
 * @param createStub is called for each attempt
 */
export function objectCalls<Stub, Name extends string & keyof Stub>(
  createStub: () => Stub,
  repeatable: Readonly<Record<Name, Repeatable>>,
): Pick<Stub, Name> {
  // A request makes one or two of the calls: only these are built.
  return new Proxy({} as Pick<Stub, Name>, {
    get(_, name: Name) {
      const rule: Repeatable | undefined = repeatable[name];
      if (rule === undefined) return undefined;
      return (...given: never[]) => {
        const send = async () =>
          (createStub() as Record<Name, (...given: never[]) => Promise<unknown>>)[name](...given);
        const repeats = typeof rule === "function" ? rule(...given) : rule;
        return repeats ? repeatedly(send) : send();
      };
    },
  });
}

/** Runs a call that may run twice. Repeats it when the object ends during it. @param call uses a new stub each time */
export async function repeatedly<R>(call: () => Promise<R>): Promise<R> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await call();
    } catch (error) {
      if (attempt === ATTEMPTS || !isInterrupted(error)) throw error;
      const wait = FIRST_WAIT_MS * 2 ** (attempt - 1) * Math.random();
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }
}

/** Whether a request may run twice: it changes nothing and has no body. */
export const isSafe = ({ method }: Request): boolean => method === "GET" || method === "HEAD";
