import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { rootCertificates } from "node:tls";
import { expect } from "vitest";
import { test } from "../testing/test.ts";
import { authorityVariables } from "./authorities.mjs";

test("makes programs trust the authority, if the container has its certificate", async ({ directory }) => {
  const [authority = "", system = "", own = ""] = ["ca.crt", "system.crt", "own.crt"].map((name) =>
    join(directory, name),
  );
  const paths = { authority, system: [join(directory, "missing"), system] };
  expect(await authorityVariables({}, directory, paths)).toEqual({});
  writeFileSync(authority, "AUTHORITY\n");
  writeFileSync(system, "SYSTEM\n");
  writeFileSync(own, "OWN");
  const bundle = join(directory, "authorities.pem");
  const others = { SSL_CERT_FILE: bundle, GIT_SSL_CAINFO: bundle, REQUESTS_CA_BUNDLE: bundle, CURL_CA_BUNDLE: bundle };
  expect(await authorityVariables({}, directory, paths)).toEqual({ NODE_EXTRA_CA_CERTS: authority, ...others });
  expect(readFileSync(bundle, "utf8")).toBe("SYSTEM\nAUTHORITY\n");
  expect(await authorityVariables({ NODE_EXTRA_CA_CERTS: own }, directory, paths)).toEqual({
    NODE_EXTRA_CA_CERTS: bundle,
    ...others,
  });
  expect(readFileSync(bundle, "utf8")).toBe("SYSTEM\nOWN\nAUTHORITY\n");
  await authorityVariables({}, directory, { ...paths, system: [] });
  expect(readFileSync(bundle, "utf8")).toBe(`${[...rootCertificates, "AUTHORITY"].join("\n")}\n`);
});
