/** A session expires after an hour. Other sessions of the script see its files, so that an interrupted upload can continue. */
import { uuid } from "#account/identifiers.ts";
import type { AssetManifest, StoredAsset } from "./record.ts";
import { type AssetClaims, AssetTokens } from "./tokens.ts";

/** Hash and size in bytes, by path. */
export type WantedAssets = Readonly<Record<string, { hash: string; size: number }>>;

export interface AssetSession {
  /** The store's id of the script. */
  script: string;
  wanted: WantedAssets;
  /** Uploaded files by hash. */
  files: Map<string, StoredAsset>;
  /** Milliseconds since the epoch. */
  expires: number;
}

const HOUR = 3_600_000;
/** Limits of one upload request. A bucket is full when it reaches the bytes. */
const FULL_BUCKET = 10 * 1024 * 1024;
const MOST_IN_BUCKET = 100;

export class AssetUploads {
  readonly #tokens = new AssetTokens();
  readonly #sessions = new Map<string, AssetSession>();

  /** @param known files of the script's versions @returns an upload token with the hashes to upload together, or a completion token */
  begin(script: string, wanted: WantedAssets, known: readonly StoredAsset[]): { jwt: string; buckets: string[][] } {
    const now = Date.now();
    for (const [id, { expires }] of this.#sessions) if (expires <= now) this.#sessions.delete(id);
    const beside = [...this.#sessions.values()].filter((one) => one.script === script);
    const there = new Map(
      [...known, ...beside.flatMap(({ files }) => [...files.values()])].map((one) => [one.hash, one]),
    );
    const files = new Map<string, StoredAsset>();
    for (const { hash } of Object.values(wanted)) {
      const file = there.get(hash);
      if (file !== undefined) files.set(hash, file);
    }
    const session: AssetSession = { script, wanted, files, expires: now + HOUR };
    const id = uuid();
    this.#sessions.set(id, session);
    const buckets = bucketsOf(session);
    return { jwt: this.#token(id, buckets.length === 0 ? "completion" : "upload"), buckets };
  }

  /** Returns the session of an upload token. */
  opened(token: string): AssetSession | undefined {
    return this.#session(token, "upload");
  }

  /** Stores files of a session. @returns the completion token after the last file */
  keep(token: string, files: readonly StoredAsset[]): string | undefined {
    const session = this.opened(token);
    const id = this.#tokens.read(token, Date.now())?.sub;
    if (session === undefined || id === undefined) return undefined;
    for (const file of files) session.files.set(file.hash, file);
    if (missingAssets(session).size > 0) return undefined;
    session.expires = Date.now() + HOUR;
    return this.#token(id, "completion");
  }

  /** Returns the files of a completed session of the script. */
  completed(token: string, script: string): AssetManifest | undefined {
    const session = this.#session(token, "completion");
    if (session?.script !== script) return undefined;
    return Object.fromEntries(
      Object.entries(session.wanted).flatMap(([path, { hash }]) => {
        const file = session.files.get(hash);
        return file === undefined ? [] : [[path, file]];
      }),
    );
  }

  #session(token: string, use: AssetClaims["use"]): AssetSession | undefined {
    const claims = this.#tokens.read(token, Date.now());
    return claims?.use === use ? this.#sessions.get(claims.sub) : undefined;
  }

  #token(sub: string, use: AssetClaims["use"]): string {
    return this.#tokens.sign({ sub, use, exp: Math.floor((Date.now() + HOUR) / 1000) });
  }
}

/** Returns sizes of missing files, by hash. */
function missingAssets({ wanted, files }: AssetSession): Map<string, number> {
  const lacking = Object.values(wanted).filter(({ hash }) => !files.has(hash));
  return new Map(lacking.map(({ hash, size }) => [hash, size]));
}

function bucketsOf(session: AssetSession): string[][] {
  const buckets: string[][] = [];
  let room = 0;
  for (const [hash, size] of missingAssets(session)) {
    const last = buckets.at(-1);
    if (last === undefined || room <= 0 || last.length === MOST_IN_BUCKET) {
      buckets.push([hash]);
      room = FULL_BUCKET - size;
    } else {
      last.push(hash);
      room -= size;
    }
  }
  return buckets;
}
