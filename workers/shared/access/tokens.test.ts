import fc from "fast-check";
import { expect, test } from "vitest";
import { accessTokens, removeAccess, withoutAccessCookies } from "./tokens.ts";

const cookieName = fc.oneof(fc.constant("CF_Authorization"), fc.stringMatching(/^[A-Za-z_]{1,12}$/));
const cookieValue = fc.stringMatching(/^[A-Za-z0-9._-]{1,20}$/);
const cookies = fc.array(fc.tuple(cookieName, cookieValue), { maxLength: 6 });
const header = (pairs: [string, string][]) => pairs.map(([name, value]) => `${name}=${value}`).join("; ");

test("finds every token once, the header's first", () => {
  fc.assert(
    fc.property(cookies, fc.option(cookieValue, { nil: undefined }), (pairs, assertion) => {
      const headers = new Headers({ cookie: header(pairs) });
      if (assertion) headers.set("cf-access-jwt-assertion", assertion);
      const inCookies = pairs.filter(([name]) => name === "CF_Authorization").map(([, value]) => value);
      expect(accessTokens(headers)).toEqual([...new Set(assertion ? [assertion, ...inCookies] : inCookies)]);
    }),
  );
});

test("removes tokens from cookies, and keeps the others in order", () => {
  fc.assert(
    fc.property(cookies, (pairs) => {
      const rest = withoutAccessCookies(header(pairs));
      const kept = pairs.filter(([name]) => !/^CF_(Authorization|AppSession|Session|Binding)$/i.test(name));
      expect(rest).toBe(kept.length === 0 ? undefined : header(kept));
    }),
  );
});

test("finds and removes a token in unusual spellings", () => {
  for (const cookie of ["a=1;CF_Authorization=tok", ' CF_Authorization = "tok" ; b=2', "a=1, CF_Authorization=tok"]) {
    expect(accessTokens(new Headers({ cookie }))).toEqual(["tok"]);
    expect(withoutAccessCookies(cookie)).not.toContain("tok");
  }
});

test("removes everything of Access from a request, and nothing else", () => {
  const headers = new Headers({
    "cf-access-jwt-assertion": "tok",
    "cf-access-client-secret": "tok",
    cookie: "a=1; CF_AppSession=tok",
    accept: "text/html",
  });
  removeAccess(headers);
  expect([...headers]).toEqual([
    ["accept", "text/html"],
    ["cookie", "a=1"],
  ]);
});
