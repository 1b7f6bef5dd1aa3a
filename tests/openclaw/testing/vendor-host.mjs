/**
 * Preloaded into a gateway: connects to a vendor's stand-in instead of the vendor, for plug-ins whose vendor has a fixed address. Imported as
 * `vendor-host.mjs?host=HOST&port=PORT&certificate=FILE`: the vendor's name, and the stand-in's port on 127.0.0.1 and certificate.
 */
import { readFileSync } from "node:fs";
import tls from "node:tls";

const { host, port, certificate } = Object.fromEntries(new URL(import.meta.url).searchParams);
const ca = readFileSync(certificate);

// Child processes, and the program that replaces this process.
process.env.NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ""} --import ${import.meta.url}`;

const { connect } = tls;
tls.connect = (options, ...others) =>
  options?.host === host
    ? connect({ ...options, host: "127.0.0.1", port, servername: host, ca }, ...others)
    : connect(options, ...others);
