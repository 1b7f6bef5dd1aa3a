/** An Access team for tests: signs tokens and serves its keys on loopback. */
import { createServer } from "node:http";
import { listen } from "@tenantry/std/listening";
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from "jose";

export interface AccessTeam {
  issuer: string;
  /** A token with the claims of a login. Each may be replaced; `undefined` omits one. */
  token(
    claims: { email?: string; aud?: string[]; [claim: string]: unknown },
    header?: Record<string, unknown>,
  ): Promise<string>;
  /** Signs with a new key; the former one is no longer served. */
  rotate(algorithm?: "RS256" | "ES256"): Promise<void>;
  /** The current public key. */
  publicKey(): JWK;
  /** Number of requests for the keys. */
  fetches(): number;
  /** Responds with 503 instead of the keys. */
  setDown(down: boolean): void;
  /** Responds with this text instead of the keys, and never for "never"; `undefined` ends that. */
  setAnswer(answer: string | undefined): void;
  stop(): Promise<void>;
}

export async function startAccessTeam(): Promise<AccessTeam> {
  let generation = 0;
  let fetches = 0;
  let down = false;
  let fixed: string | undefined;
  let key: { private: CryptoKey; public: JWK; alg: string };
  const rotate = async (alg: "RS256" | "ES256" = "RS256") => {
    generation += 1;
    const pair = await generateKeyPair(alg, { extractable: true });
    key = {
      private: pair.privateKey,
      public: { ...(await exportJWK(pair.publicKey)), kid: `key-${generation}`, alg },
      alg,
    };
  };
  await rotate();
  const server = createServer((request, response) => {
    if (request.url !== "/cdn-cgi/access/certs") return response.writeHead(404).end();
    fetches += 1;
    if (down) return response.writeHead(503).end();
    if (fixed === "never") return undefined;
    if (fixed !== undefined) return response.writeHead(200).end(fixed);
    return response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ keys: [key.public] }));
  });
  const port = await listen(server, { port: 0 });
  const issuer = `http://127.0.0.1:${port}`;
  return {
    issuer,
    token: (claims, header = {}) => {
      const now = Math.floor(Date.now() / 1000);
      const payload = { iss: issuer, sub: "user", type: "app", iat: now, nbf: now, exp: now + 3600, ...claims };
      return new SignJWT(payload)
        .setProtectedHeader({ alg: key.alg, kid: `key-${generation}`, ...header })
        .sign(key.private);
    },
    rotate,
    publicKey: () => key.public,
    fetches: () => fetches,
    setDown: (value) => {
      down = value;
    },
    setAnswer: (answer) => {
      fixed = answer;
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
