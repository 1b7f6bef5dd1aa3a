export const notes: Readonly<Record<string, string>> = {
  "data-plane":
    "Measurements without the local edge run the bundled dispatch Worker and a tenant's Worker in one workerd. The Worker that only " +
    "forwards is the smallest possible dispatch Worker: it takes the tenant from the host and calls it. A snapshot runs a command in the " +
    "container, which the gateway's `/health` does not. A webhook is stored before its acknowledgement: the smallest pair of Workers that " +
    "does so is the floor of a door's cost.",
  "control-plane":
    "Each request to the API has its own connection to a connection pooler, as to Hyperdrive in production; so has the list's baseline. " +
    "The query alone runs on an open connection, with the row policies.",
  provisioning:
    "Each run of the engine derives the key of its passphrase with 1,000,000 iterations of PBKDF2, once or twice: 0.2 to 0.35 s of " +
    "processor time each. Both sides include it.",
};
