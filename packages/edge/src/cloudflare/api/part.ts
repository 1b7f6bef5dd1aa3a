import type { Handler, Parameters } from "./call.ts";
import type { ApiContext } from "./context.ts";

/** Method of the SDK by `METHOD path`; `-` if the SDK has none. */
type Operations = Readonly<Record<string, string>>;

interface Declared {
  /** Title in the coverage table. */
  title: string;
  operations: Operations;
  /** Permission group that grants read access to account tokens. Default: none. */
  readBy?: string;
  /** Operations other than GET that `readBy` includes. Default: none. */
  alsoReads?: readonly string[];
  /** Operations whose handlers check a token of their own. Default: none. */
  ownToken?: readonly string[];
  /** Known differences from Cloudflare. */
  differs?: string;
}

export interface ApiPart extends Declared {
  handlers: (context: ApiContext) => Readonly<Record<string, Handler<string>>>;
}

/** Declares an API part. The compiler requires one handler for each operation. */
export function apiPart<O extends Operations>(
  part: Declared & {
    operations: O;
    alsoReads?: readonly (keyof O & string)[];
    ownToken?: readonly (keyof O & string)[];
    handlers: (context: ApiContext) => { readonly [Route in keyof O & string]: Handler<Parameters<Route>> };
  },
): ApiPart {
  return part;
}
