import { expect, test } from "vitest";
import { errorMessage } from "#domain/errors/catalogue-error.ts";
import { mailErrors } from "#domain/errors/service/automation.ts";
import type { Preparation } from "../kind.ts";
import { serviceTokenNotice } from "./service-token.ts";

/** As PostgreSQL writes a time into JSON. */
const later = "2099-06-06T20:00:00.123456+00:00";
const prepare = (data: object, mail: object = {}) =>
  serviceTokenNotice.prepare({
    mail: { client_slug: "acme", client_name: "Acme", user_name: "Ada", data, ...mail },
    sender: "Globex",
    tenantUrl: (slug: string) => `https://${slug}.example.test`,
  } as unknown as Preparation);
const data = { what: "created", name: "Laptop\n\nBuy", role: "ADMIN", expires_at: later, by: "bob@acme.test" };

test("names a user of the client who acted, and no operator, with a link to the console", async () => {
  expect(await prepare(data)).toEqual({
    message: {
      subject: "Service token for Acme created",
      paragraphs: [
        "Hello Ada,",
        'bob@acme.test created the service token "Laptop Buy" for you. A program with it reaches Acme as you, with the rights of an administrator, until Saturday, 6 June 2099 at 20:00 (UTC).',
        "If you did not expect this, revoke the token.",
      ],
      action: { label: "Open your service tokens", url: "https://acme.example.test/.tenantry/" },
    },
  });
  expect(JSON.stringify(await prepare({ ...data, by: null }))).toContain("An operator of Globex created");
  expect(JSON.stringify(await prepare({ ...data, what: "revoked" }))).toContain(
    "bob@acme.test revoked your service token",
  );
  expect(JSON.stringify(await prepare({ ...data, what: "expires", by: null, id: "x" }))).toContain(
    "expires on Saturday, 6 June 2099",
  );
});

test("is not sent after the expiry, without the client, or with other data", async () => {
  const past = { ...data, what: "expires", expires_at: "2020-01-01T00:00:00+00:00" };
  expect(await prepare(past)).toEqual({ dropped: errorMessage(mailErrors.mail_token_expired) });
  expect(await prepare(data, { client_slug: null })).toEqual({ dropped: errorMessage(mailErrors.mail_client_deleted) });
  expect(await prepare({})).toEqual({ dropped: errorMessage(mailErrors.mail_token_notice_invalid) });
});
