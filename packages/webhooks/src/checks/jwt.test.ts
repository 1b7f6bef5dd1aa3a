import { OAuth2Client } from "google-auth-library";
import { exportJWK, exportSPKI, generateKeyPair, importJWK, type JWTPayload, SignJWT } from "jose";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { NOW, requestOf } from "../testing/samples.ts";
import type { WebhookSecrets } from "../verdict.ts";
import { verifyWebhook } from "../verify.ts";

const refused = (reason: string) => ({ outcome: "refused", reason });

let pair: Awaited<ReturnType<typeof generateKeyPair>>;
let stranger: typeof pair;
beforeAll(async () => {
  [pair, stranger] = await Promise.all([generateKeyPair("RS256", { extractable: true }), generateKeyPair("RS256")]);
});

const keysWith = (more: object) => async (url: string) => {
  const jwk = await exportJWK(pair.publicKey);
  return { keys: [{ ...jwk, kid: "k1", url, ...more }] };
};

interface Made {
  claims: JWTPayload;
  kid?: string;
  key?: CryptoKey;
  at?: number;
  lifetime?: number;
}

const tokenOf = ({ claims, kid = "k1", key = pair.privateKey, at = NOW, lifetime = 3_600 }: Made) =>
  new SignJWT(claims)
    .setProtectedHeader({ alg: "RS256", kid })
    .setIssuedAt(at / 1_000)
    .setExpirationTime(at / 1_000 + lifetime)
    .sign(key);

type JwtKind = "googlechat" | "msteams";
const verifyToken = async (kind: JwtKind, secrets: WebhookSecrets, token: string, body: unknown, keys = keysWith({})) =>
  verifyWebhook(kind, secrets, requestOf(body, { headers: new Headers({ authorization: `Bearer ${token}` }) }), {
    now: NOW,
    keys,
  });

// developers.google.com/workspace/chat/api/reference/rest/v1/Event
const CHAT_BODY = {
  type: "MESSAGE",
  eventTime: "2026-11-26T12:00:00.000001Z",
  space: { name: "spaces/AAA", type: "DM" },
  message: { name: "spaces/AAA/messages/B.B", text: "Hello" },
};
const CHAT = "chat@system.gserviceaccount.com";

describe("googlechat", () => {
  const PROJECT = { audience: "1234567890" };
  const project: JWTPayload = { iss: CHAT, aud: "1234567890" };
  const URL_SECRETS = { audience: "https://hooks.example.com/abc" };
  const app: JWTPayload = {
    iss: "https://accounts.google.com",
    aud: URL_SECRETS.audience,
    email: CHAT,
    email_verified: true,
  };

  test("accepts tokens for a project number, signed by Chat", async () => {
    const urls: string[] = [];
    const keys = (url: string) => {
      urls.push(url);
      return keysWith({})(url);
    };
    const token = await tokenOf({ claims: project });
    expect(await verifyToken("googlechat", PROJECT, token, CHAT_BODY, keys)).toEqual({
      outcome: "verified",
      eventId: "MESSAGE:spaces/AAA/messages/B.B:2026-11-26T12:00:00.000001Z",
      conversation: "spaces/AAA",
      acknowledgement: { status: 200, headers: { "content-type": "application/json" }, body: "{}" },
    });
    expect(urls).toEqual([`https://www.googleapis.com/service_accounts/v1/jwk/${CHAT}`]);
  });

  test("google-auth-library accepts the same tokens", async () => {
    vi.useFakeTimers({ now: NOW, toFake: ["Date"] });
    try {
      const certificates = { k1: await exportSPKI(pair.publicKey) };
      const verifyAsGoogle = async (made: Made, issuers: string[], audience: string) =>
        new OAuth2Client().verifySignedJwtWithCertsAsync(await tokenOf(made), certificates, audience, issuers);
      await verifyAsGoogle({ claims: project }, [CHAT], PROJECT.audience);
      await verifyAsGoogle({ claims: app }, ["https://accounts.google.com"], URL_SECRETS.audience);
      // Both allow five minutes after the end.
      for (const [late, isValid] of [
        [-299_000, true],
        [-301_000, false],
      ] as const) {
        const made = { claims: project, at: NOW - 3_600_000 + late };
        const google = verifyAsGoogle(made, [CHAT], PROJECT.audience);
        await (isValid ? google : expect(google).rejects.toThrow("Token used too late"));
        const own = await verifyToken("googlechat", PROJECT, await tokenOf(made), CHAT_BODY);
        expect(own.outcome).toBe(isValid ? "verified" : "refused");
      }
    } finally {
      vi.useRealTimers();
    }
  });

  test("accepts tokens for the app's address from Chat's account only", async () => {
    const outcome = async (claims: JWTPayload, secrets: WebhookSecrets = URL_SECRETS) =>
      (await verifyToken("googlechat", secrets, await tokenOf({ claims }), CHAT_BODY)).outcome;
    expect(await outcome(app)).toBe("verified");
    expect(await outcome({ ...app, email: "mallory@example.iam.gserviceaccount.com" })).toBe("refused");
    expect(await outcome({ ...app, email_verified: false })).toBe("refused");
    expect(await outcome({ ...app, email_verified: "true" })).toBe("refused");
    expect(await outcome({ ...app, aud: `${URL_SECRETS.audience}/` })).toBe("refused");
    expect(await outcome({ ...app, iss: CHAT })).toBe("refused");
    const own = "service-1234567890@gcp-sa-gsuiteaddons.iam.gserviceaccount.com";
    expect(await outcome({ ...app, email: own })).toBe("refused");
    expect(await outcome({ ...app, email: own }, { ...URL_SECRETS, serviceAccount: own })).toBe("verified");
    expect(await outcome(app, { ...URL_SECRETS, serviceAccount: own })).toBe("refused");
  });

  test("reads events of add-ons", async () => {
    const chat = { eventTime: "2026-11-26T12:00:00Z", user: { name: "users/1" } };
    const message = { name: "spaces/AAA/messages/C" };
    const body = { chat: { ...chat, messagePayload: { space: { name: "spaces/AAA" }, message } } };
    expect(await verifyToken("googlechat", PROJECT, await tokenOf({ claims: project }), body)).toMatchObject({
      eventId: "messagePayload:spaces/AAA/messages/C:2026-11-26T12:00:00Z",
      conversation: "spaces/AAA",
    });
  });
});

// learn.microsoft.com/en-us/azure/bot-service/rest-api/bot-framework-rest-connector-api-reference#activity-object
const ACTIVITY = {
  type: "message",
  id: "1485983408511",
  timestamp: "2026-11-26T12:00:00.000Z",
  channelId: "msteams",
  serviceUrl: "https://smba.trafficmanager.net/emea/",
  conversation: { id: "19:253b1f341670408fb6fe51050b6e5ceb@thread.skype;messageid=1485983194839" },
};

describe("msteams", () => {
  const SECRETS = { appId: "8A9E2C1B-0000-4000-8000-0123456789AB" };
  const claims: JWTPayload = {
    iss: "https://api.botframework.com",
    aud: SECRETS.appId.toLowerCase(),
    serviceurl: ACTIVITY.serviceUrl,
  };
  const endorsed = keysWith({ endorsements: ["msteams", "webchat"] });
  const outcome = async (made: Partial<Made>, body: unknown = ACTIVITY, keys = endorsed) =>
    verifyToken("msteams", SECRETS, await tokenOf({ claims, ...made }), body, keys);

  test("accepts a token of the Bot Connector", async () => {
    expect(await outcome({})).toMatchObject({
      outcome: "verified",
      eventId: "message:1485983408511",
      conversation: ACTIVITY.conversation.id,
    });
    const { serviceurl, ...others } = claims;
    expect(await outcome({ claims: { ...others, serviceUrl: serviceurl } })).toMatchObject({ outcome: "verified" });
  });

  test("gives an update of a message an id of its own", async () => {
    expect(await outcome({}, { ...ACTIVITY, type: "messageUpdate" })).toMatchObject({
      eventId: "messageUpdate:1485983408511:2026-11-26T12:00:00.000Z",
    });
  });

  test("requires the service address of the activity", async () => {
    const { serviceurl: _, ...others } = claims;
    const wrong = refused("signature_wrong");
    expect(await outcome({}, { ...ACTIVITY, serviceUrl: "https://mallory.example/" })).toEqual(wrong);
    expect(await outcome({ claims: others })).toEqual(wrong);
    expect(await outcome({}, { ...ACTIVITY, serviceUrl: undefined })).toEqual(refused("malformed"));
    expect(await outcome({}, "not JSON")).toEqual(refused("malformed"));
  });

  test("requires a key that is endorsed for the channel", async () => {
    const wrong = refused("signature_wrong");
    expect(await outcome({}, { ...ACTIVITY, channelId: "webchat" })).toMatchObject({ outcome: "verified" });
    expect(await outcome({}, { ...ACTIVITY, channelId: "directline" })).toEqual(wrong);
    expect(await outcome({}, { ...ACTIVITY, channelId: "" })).toEqual(refused("malformed"));
    expect(await outcome({}, ACTIVITY, keysWith({}))).toEqual(wrong);
    expect(await outcome({}, ACTIVITY, keysWith({ endorsements: "msteams" }))).toEqual(wrong);
  });
});

describe.each(["googlechat", "msteams"] as const)("tokens of %s", (kind) => {
  const secrets = kind === "msteams" ? { appId: "8a9e2c1b-0000-4000-8000-0123456789ab" } : { audience: "12" };
  const body = kind === "msteams" ? ACTIVITY : CHAT_BODY;
  const claims: JWTPayload =
    kind === "msteams"
      ? { iss: "https://api.botframework.com", aud: secrets.appId ?? "", serviceurl: ACTIVITY.serviceUrl }
      : { iss: CHAT, aud: secrets.audience ?? "" };
  const keys = keysWith({ endorsements: ["msteams"] });
  const verdict = (token: string) => verifyToken(kind, secrets, token, body, keys);

  test("expire five minutes after their end", async () => {
    const at = (lifetime: number) => tokenOf({ claims, at: NOW - 10_000_000, lifetime: 10_000 + lifetime });
    expect(await verdict(await at(-299))).toMatchObject({ outcome: "verified" });
    expect(await verdict(await at(-301))).toEqual(refused("timestamp"));
    const early = await tokenOf({ claims: { ...claims, nbf: NOW / 1_000 + 301 } });
    expect(await verdict(early)).toEqual(refused("timestamp"));
  });

  test("of others are refused", async () => {
    const wrong = refused("signature_wrong");
    expect(await verdict(await tokenOf({ claims, key: stranger.privateKey }))).toEqual(wrong);
    expect(await verdict(await tokenOf({ claims, kid: "k2" }))).toEqual(wrong);
    expect(await verdict(await tokenOf({ claims: { ...claims, iss: "https://accounts.google.com.example" } }))).toEqual(
      wrong,
    );
    expect(await verdict(await tokenOf({ claims: { ...claims, aud: "another" } }))).toEqual(wrong);
    const { aud: _, ...unaddressed } = claims;
    expect(await verdict(await tokenOf({ claims: unaddressed }))).toEqual(wrong);
    expect(
      await verdict(await new SignJWT(claims).setProtectedHeader({ alg: "RS256", kid: "k1" }).sign(pair.privateKey)),
    ).toEqual(wrong);
  });

  test("of other algorithms are refused", async () => {
    const wrong = refused("signature_wrong");
    const [, payload] = (await tokenOf({ claims })).split(".");
    const header = (fields: object) => Buffer.from(JSON.stringify(fields)).toString("base64url");
    expect(await verdict(`${header({ alg: "none", kid: "k1" })}.${payload}.`)).toEqual(wrong);
    const spki = new TextEncoder().encode(await exportSPKI(pair.publicKey));
    const confused = await new SignJWT(claims)
      .setProtectedHeader({ alg: "HS256", kid: "k1" })
      .setIssuedAt(NOW / 1_000)
      .setExpirationTime(NOW / 1_000 + 60)
      .sign(spki);
    expect(await verdict(confused)).toEqual(wrong);
    const padded = await importJWK(await exportJWK(pair.privateKey), "PS256");
    const other = await new SignJWT(claims)
      .setProtectedHeader({ alg: "PS256", kid: "k1" })
      .setIssuedAt(NOW / 1_000)
      .setExpirationTime(NOW / 1_000 + 60)
      .sign(padded);
    expect(await verdict(other)).toEqual(wrong);
  });

  test("have one encoding", async () => {
    const token = await tokenOf({ claims });
    const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    const last = alphabet.indexOf(token.slice(-1));
    for (const other of [last ^ 1, last ^ 2]) {
      expect(await verdict(`${token.slice(0, -1)}${alphabet[other]}`)).toEqual(refused("signature_wrong"));
    }
    for (const other of [`${token}=`, `${token}.`, token.replace(".", ".."), token.slice(1), "a.b.c", "..", "é.b.c"])
      expect(await verdict(other), other.slice(0, 9)).toEqual(refused("signature_wrong"));
  });

  test("are refused when missing, and cause no request for keys", async () => {
    const unused = () => Promise.reject(new Error("not asked"));
    const verify = (headers: Record<string, string>) =>
      verifyWebhook(kind, secrets, requestOf(body, { headers: new Headers(headers) }), { now: NOW, keys: unused });
    expect(await verify({})).toEqual(refused("signature_missing"));
    expect(await verify({ authorization: "Basic abc" })).toEqual(refused("signature_wrong"));
    expect(await verify({ authorization: `Bearer ${"a".repeat(9_000)}.b.c` })).toEqual(refused("signature_wrong"));
  });

  test("are neither accepted nor refused when keys are unavailable", async () => {
    const token = await tokenOf({ claims });
    const unavailable = () => Promise.reject(new Error("keys unavailable"));
    await expect(verifyToken(kind, secrets, token, body, unavailable)).rejects.toThrow("keys unavailable");
  });
});
