import pg from "pg";
import { describe, expect, test } from "vitest";
import { connectionString } from "./connection-string.ts";

describe("connectionString", () => {
  test.each([
    ["postgres://a:b@db.example.com/tenantry", { rejectUnauthorized: false }],
    ["postgres://a:b@db.example.com/tenantry?sslmode=require", { rejectUnauthorized: false }],
    ["postgres://a:b@db.example.com/tenantry?sslmode=verify-full", {}],
    ["postgres://a:b@db.example.com/tenantry?sslmode=disable", false],
    ["postgres://a:b@127.0.0.1:5433/tenantry", false],
  ])("reads the TLS of %s as libpq does", (url, ssl) => {
    const client = new pg.Client({ connectionString: connectionString(url) });
    expect(client.ssl).toEqual(ssl);
    expect(client).toMatchObject({ user: "a", password: "b", database: "tenantry" });
  });

  test("rejects a malformed URL without showing its password", () => {
    expect(() => connectionString("db.example.com secret")).toThrow(/is not of the form postgres:/);
  });
});
