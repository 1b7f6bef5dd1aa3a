import type { AccessApplicationRecord } from "../cloudflare/kinds/access/records.ts";
import type { SigningKeys } from "./signing-keys.ts";

export interface Gate {
  issuer: string;
  keys: SigningKeys;
  find(host: string, path: string): AccessApplicationRecord | undefined | "ambiguous";
  /** Whether everyone passes without identity. */
  isOpen(application: AccessApplicationRecord): boolean;
  admits(application: AccessApplicationRecord, email: string): boolean;
  /** Returns a token for an email address that policy admits. */
  token(application: AccessApplicationRecord, email: string): Promise<{ jwt: string; seconds: number } | undefined>;
}
