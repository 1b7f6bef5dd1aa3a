/** What the reader of a suite's figures has to know, by the suite's name. */
export const notes: Readonly<Record<string, string>> = {
  "data-plane":
    "What is measured without the local edge runs the dispatch Worker and a tenant's Worker in one workerd, as they are bundled. " +
    "The Worker that only forwards is the least that a dispatch Worker can be: it reads the tenant off the host and calls it. A snapshot " +
    "runs one command in the container, which the gateway's own `/health` does not.",
  "control-plane":
    "Each request to the API has a connection of its own to a pooler of database connections, as in production to Hyperdrive; the list's " +
    "baseline has one too. The query alone is asked on an open connection, bound by the row policies.",
  provisioning:
    "Each run of the engine derives the key of its passphrase secrets provider with 1,000,000 iterations of PBKDF2, once or twice: " +
    "0.2 to 0.35 s of processor time a derivation. It is included on both sides.",
};
