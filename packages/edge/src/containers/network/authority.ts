/** The certificate authority of a sidecar, which ends the TLS of intercepted connections. */
import { generateKeyPairSync } from "node:crypto";
import { createSecureContext, type SecureContext } from "node:tls";
import { authorityExtensions, issueCertificate, serverExtensions } from "../../x509/certificate.ts";

const DAY_MS = 86_400_000;
const NAME = "Container egress authority";
const LIFETIME_MS = 3_650 * DAY_MS;
/** Within the limit of clients for servers' certificates (398 days). */
const SERVER_LIFETIME_MS = 365 * DAY_MS;
const MAX_CONTEXTS = 200;

const newKey = () => generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;

export class Authority {
  /** PEM. */
  readonly certificate: string;
  readonly #key = newKey();
  /** Of all servers. */
  readonly #serverKey = newKey();
  readonly #serverKeyPem = this.#serverKey.export({ type: "pkcs8", format: "pem" });
  /** By host, least recently used first. */
  readonly #contexts = new Map<string, { context: SecureContext; until: number }>();
  readonly #now: () => number;

  /** Creates keys, which stay in memory. */
  constructor(now: () => number = Date.now) {
    this.#now = now;
    const terms = { ...this.#terms(NAME, LIFETIME_MS), extensions: authorityExtensions(this.#key) };
    this.certificate = issueCertificate(this.#key, terms, { name: NAME, key: this.#key });
  }

  /** Returns the certificate of a host, a name or an IP address, with its key. */
  contextOf(host: string): SecureContext {
    const found = this.#contexts.get(host);
    this.#contexts.delete(host);
    const entry = found !== undefined && found.until > this.#now() ? found : this.#issue(host);
    this.#contexts.set(host, entry);
    const [oldest] = this.#contexts.keys();
    if (this.#contexts.size > MAX_CONTEXTS && oldest !== undefined) this.#contexts.delete(oldest);
    return entry.context;
  }

  #issue(host: string) {
    const extensions = serverExtensions(host, this.#serverKey, this.#key);
    // A common name has at most 64 characters; clients ignore it.
    const terms = { ...this.#terms(host.slice(0, 64), SERVER_LIFETIME_MS), extensions };
    const cert = issueCertificate(this.#serverKey, terms, { name: NAME, key: this.#key });
    // Without `ca` it would load all public authorities, which a server does not need.
    const context = createSecureContext({ key: this.#serverKeyPem, cert, ca: [] });
    return { context, until: terms.until.getTime() - DAY_MS };
  }

  /** A day early, because the container's clock is the machine's but a client may round. */
  #terms(name: string, lifetimeMs: number) {
    const now = this.#now();
    return { name, from: new Date(now - DAY_MS), until: new Date(now + lifetimeMs) };
  }
}
