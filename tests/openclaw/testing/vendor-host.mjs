/**
 * Preloaded into a gateway: trusts a vendor's stand-in, for plug-ins whose vendor has a fixed address. Imported as
 * `vendor-host.mjs?host=HOST&certificate=FILE`: the vendor's name, and the stand-in's certificate.
 */
import { readFileSync } from "node:fs";
import tls from "node:tls";

const { host, certificate } = Object.fromEntries(new URL(import.meta.url).searchParams);
const ca = readFileSync(certificate);

// Child processes, and the program that replaces this process.
process.env.NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ""} --import ${import.meta.url}`;

const { connect } = tls;
tls.connect = (options, ...others) => connect(options?.host === host ? { ...options, ca } : options, ...others);
