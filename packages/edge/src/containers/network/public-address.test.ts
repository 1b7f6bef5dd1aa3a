import { expect, test } from "vitest";
import { isLoopback, isPublic, unmapped } from "./public-address.ts";

test.each(["93.184.216.34", "1.1.1.1", "172.32.0.1", "2606:2800:220:1::1", "::ffff:93.184.216.34"])(
  "%s is public",
  (address) => expect(isPublic(address)).toBe(true),
);

test.each([
  "0.0.0.0",
  "10.1.2.3",
  "100.64.0.1",
  "127.0.0.1",
  "169.254.169.254",
  "172.31.255.255",
  "192.168.1.1",
  "198.18.0.1",
  "198.19.255.255",
  "224.0.0.1",
  "255.255.255.255",
  "::",
  "::1",
  "::ffff:127.0.0.1",
  "::ffff:a00:1",
  "64:ff9b::a9fe:a9fe",
  "fd00:ec2::254",
  "fe80::1",
  "ff02::1",
  "2001:db8::1",
  "2002:7f00:1::",
  "example.com",
  "",
])("%s is not public", (address) => expect(isPublic(address)).toBe(false));

test("recognises the loopback of a container", () => {
  expect(["127.0.0.1", "127.1.2.3", "::1", "::ffff:127.0.0.1", "0.0.0.0"].every(isLoopback)).toBe(true);
  expect(["128.0.0.1", "::2", "1.127.0.1"].some(isLoopback)).toBe(false);
  expect(unmapped("::ffff:1.2.3.4")).toBe("1.2.3.4");
});
