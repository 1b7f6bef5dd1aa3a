import { expect, test } from "vitest";
import { open, openSecrets, SealedWithOtherKey, seal, sealedHead, sealSecrets } from "./door-secrets.ts";

const DOOR = "0b6f1a52-7c0e-4a0c-9a55-0e3f5a1d2c3b";
const OTHER_DOOR = "9d1c7c52-7c0e-4a0c-9a55-0e3f5a1d2c3b";
const [first, second, third] = ["a".repeat(48), "b".repeat(48), "c".repeat(48)] as const;
const secrets = { signingSecret: "shh", note: "ü" };

test("opens what it sealed, and seals differently each time", async () => {
  const sealed = await sealSecrets({ used: first }, DOOR, secrets);
  expect(await openSecrets({ used: first }, DOOR, sealed)).toEqual(secrets);
  expect(Buffer.from(sealed).includes("shh")).toBe(false);
  const again = await sealSecrets({ used: first }, DOOR, secrets);
  expect(Buffer.from(sealed).equals(again)).toBe(false);
});

test("rejects a change of each byte", async () => {
  const sealed = await sealSecrets({ used: first }, DOOR, secrets);
  for (let at = 0; at < sealed.length; at += 1) {
    const changed = sealed.with(at, (sealed[at] ?? 0) ^ 1);
    await expect(openSecrets({ used: first }, DOOR, changed), `byte ${at}`).rejects.toThrow();
  }
  for (const length of [0, 1, 5, 17, sealed.length - 1]) {
    await expect(openSecrets({ used: first }, DOOR, sealed.slice(0, length))).rejects.toThrow();
  }
});

test("rejects the secrets of another door, and bytes of another key", async () => {
  const sealed = await sealSecrets({ used: first }, DOOR, secrets);
  await expect(openSecrets({ used: first }, OTHER_DOOR, sealed)).rejects.not.toBeInstanceOf(SealedWithOtherKey);
  await expect(openSecrets({ used: second, other: third }, DOOR, sealed)).rejects.toBeInstanceOf(SealedWithOtherKey);
});

test("opens the bytes of both keys during a rotation, and seals with the one in use", async () => {
  const [before, during, after] = [{ used: first }, { used: second, other: first }, { used: second }];
  const old = await sealSecrets(before, DOOR, secrets);
  expect(await openSecrets(during, DOOR, old)).toEqual(secrets);
  const resealed = await sealSecrets(during, DOOR, await openSecrets(during, DOOR, old));
  expect(await openSecrets(after, DOOR, resealed)).toEqual(secrets);
  expect(resealed.slice(0, 5)).toEqual(await sealedHead(after));
  expect(old.slice(0, 5)).not.toEqual(await sealedHead(after));
});

test("rejects a value that is no record of texts", async () => {
  const sealed = await seal({ used: first }, DOOR, { n: 1 });
  expect(await open({ used: first }, DOOR, sealed)).toEqual({ n: 1 });
  await expect(openSecrets({ used: first }, DOOR, sealed)).rejects.toThrow();
});
