/** The account's things that are tenants' by name, kind by kind: what a token may not list leaves the others known. */
import Cloudflare from "cloudflare";
import { type Looked, look } from "../looked.ts";
import { ACCOUNT_KINDS } from "./kinds.ts";
import { type AccountArgs, type AccountKind, type Thing, type ThingKind, thingKinds } from "./thing.ts";

export type AccountLook = Readonly<Record<ThingKind, Looked<Thing[]>>>;

/** How long an answer may take, in milliseconds. */
const ANSWER_MS = 30_000;

/** @param variables of the engine @throws Error with one sentence where there is no token */
export function accountClient(variables: Readonly<Record<string, string | undefined>>): Cloudflare {
  const { CLOUDFLARE_API_TOKEN: apiToken, CLOUDFLARE_BASE_URL: baseURL } = variables;
  if (!apiToken) throw new Error("Set CLOUDFLARE_API_TOKEN to a token that may read the account.");
  return new Cloudflare({ apiToken, apiKey: null, apiEmail: null, timeout: ANSWER_MS, ...(baseURL && { baseURL }) });
}

export async function lookAtAccount(args: AccountArgs): Promise<AccountLook> {
  const looks = await Promise.all(
    thingKinds.map(async (name) => {
      const kind = ACCOUNT_KINDS[name];
      return [
        name,
        await look(
          () => kind.list(args),
          (error) => listFault(kind, error),
        ),
      ] as const;
    }),
  );
  return Object.fromEntries(looks) as AccountLook;
}

/** Why a kind could not be listed, with the right that is missing where that is why. */
export function listFault({ title, right }: AccountKind, error: unknown): string {
  const refused = error instanceof Cloudflare.PermissionDeniedError || error instanceof Cloudflare.AuthenticationError;
  return refused
    ? `CLOUDFLARE_API_TOKEN may not list ${title}s: it needs the right ${right} (${apiWording(error)})`
    : `${title}s could not be listed to the end: ${apiWording(error)}`;
}

/** What the API said, without the request. */
export function apiWording(error: unknown): string {
  if (error instanceof Cloudflare.APIConnectionError) return "the API cannot be reached";
  if (!(error instanceof Cloudflare.APIError)) return error instanceof Error ? error.message : String(error);
  const said = error.errors.map(({ code, message }) => `${message} (code ${code})`).join("; ");
  return said || `HTTP ${error.status}`;
}
