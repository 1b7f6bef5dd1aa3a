import fc from "fast-check";
import { expect, test } from "vitest";
import { isInternal } from "../paths.ts";
import { sanitizeHeaders } from "./headers.ts";

const name = fc.oneof(
  fc.constantFrom(
    "X-Platform-Role",
    "x-platform-",
    "x-PLATFORM-metadata",
    "Cf-Access-Jwt-Assertion",
    "cf-access-client-id",
    "X_Platform_Role",
    "x-platform_metadata",
    "CF_Access_Jwt_Assertion",
    "cf_connecting_ip",
    "X_Forwarded_For",
    "X_Real_IP",
    "Transfer_Encoding",
    "Content_Length",
    "x_custom",
  ),
  fc.constantFrom(
    "Connection",
    "TE",
    "Upgrade",
    "Keep-Alive",
    "Transfer-Encoding",
    "Expect",
    "Proxy-Authorization",
    "Accept",
    "X-Platforms",
    "Origin",
  ),
  fc.stringMatching(/^[A-Za-z][A-Za-z_-]{0,15}$/),
);
const value = fc.oneof(
  fc.constantFrom("close, X-Custom", "websocket", "h2c"),
  fc.stringMatching(/^[!-~]([ -~]{0,18}[!-~])?$/),
);

test("removes headers of the platform, of Access and of the hop, and no others", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(name, value), { maxLength: 12 }), (pairs) => {
      const sent = new Headers();
      for (const [key, text] of pairs) sent.append(key, text);
      const named = (sent.get("connection") ?? "")
        .toLowerCase()
        .split(",")
        .map((entry) => entry.trim());
      const hop =
        /^(connection|keep-alive|proxy-(authenticate|authorization|connection)|te|trailer|transfer-encoding|upgrade|expect|cookie)$/;
      const inFront = /^(cf-|x-forwarded-|x-real-ip$|content-(length|type)$)/;
      const isReserved = (key: string) => {
        const usual = key.replaceAll("_", "-");
        return /^(x-platform-|cf-access-)/.test(usual) || (usual !== key && (inFront.test(usual) || hop.test(usual)));
      };
      const expected = [...sent].filter(([key]) => !isReserved(key) && !hop.test(key) && !named.includes(key));
      const forwarded = new Headers(sent);
      sanitizeHeaders(forwarded);
      const isKept = (key: string) => !["cookie", "upgrade", "transfer-encoding"].includes(key);
      expect([...forwarded].filter(([key]) => isKept(key))).toEqual(expected);
      expect(forwarded.get("transfer-encoding")).toBe(sent.has("transfer-encoding") ? "chunked" : null);
      const upgrade = sent.get("upgrade")?.toLowerCase() === "websocket" ? "websocket" : null;
      expect(forwarded.get("upgrade")).toBe(upgrade);
    }),
  );
});

test("detects an internal path in any encoding", () => {
  const spell = (text: string, mask: boolean[]) =>
    [...text].map((c, i) => (mask[i % mask.length] ? `%${c.charCodeAt(0).toString(16).padStart(2, "0")}` : c)).join("");
  fc.assert(
    fc.property(fc.array(fc.boolean(), { minLength: 1, maxLength: 20 }), fc.boolean(), (mask, twice) => {
      const once = `/api/${spell("internal/tick", mask)}`;
      expect(isInternal(twice ? once.replaceAll("%", "%25") : once)).toBe(true);
    }),
  );
  for (const path of ["/api/%69nternal/tick%ff", "/%ff/../api/intern%61l", "/%E0/%2e%2e/api/internal"]) {
    expect(isInternal(path)).toBe(true);
  }
  for (const path of ["/", "/api", "/api/health", "/api/internals", "/x/api/internal", "/%", "/api/intern%E0"]) {
    expect(isInternal(path)).toBe(false);
  }
});
