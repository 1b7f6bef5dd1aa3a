import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTransport, type SendMailOptions } from "nodemailer";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Mail, startMail } from "./mail.ts";
import { Mailbox } from "./mailbox.ts";

const log = () => {};
let directory: string;
let mail: Mail;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "mail-"));
  mail = await startMail({ directory: join(directory, "mail"), log });
});
afterEach(async () => {
  await mail.stop();
  await rm(directory, { recursive: true });
});

async function send(options: SendMailOptions): Promise<void> {
  const transport = createTransport(mail.smtpUrl);
  await transport.sendMail({ from: "Platform <platform@example.localhost>", to: "ada@acme.example", ...options });
  transport.close();
}

async function list(): Promise<{ id: string; subject: string; to: string[]; from: string }[]> {
  return (await (await mail.app.request("/")).json()).messages;
}

test("lists a message sent by SMTP and decodes its parts", async () => {
  const text = `Grüezi Ada,\nhttps://dash.example.localhost/invitations/${"x".repeat(120)}=\n`;
  await send({ subject: "Einladung für Ada – 你好", text, html: "<p>Grüezi</p>", bcc: "hidden@acme.example" });
  const [listed] = await list();
  expect(listed).toMatchObject({
    subject: "Einladung für Ada – 你好",
    to: ["ada@acme.example", "hidden@acme.example"],
  });
  expect(listed?.from).toContain("platform@example.localhost");
  const message = await (await mail.app.request(`/${listed?.id}`)).json();
  expect(message.text.replaceAll("\r\n", "\n").trim()).toBe(text.trim());
  expect(message.html).toContain("<p>Grüezi</p>");
});

test("shows a plain message and one with an attachment", async () => {
  await send({ subject: "plain", text: "only text" });
  await send({ subject: "attached", text: "see file", attachments: [{ filename: "a.txt", content: "attached text" }] });
  const messages = await list();
  expect(messages.map(({ subject }) => subject)).toEqual(["attached", "plain"]);
  for (const { id, subject } of messages) {
    const { text } = await (await mail.app.request(`/${id}`)).json();
    expect(text.trim()).toBe(subject === "plain" ? "only text" : "see file");
  }
});

test("returns pages to a browser in which a message cannot run scripts", async () => {
  await send({ subject: "<script>alert(1)</script>", text: "<script>alert(2)</script>" });
  const headers = { accept: "text/html" };
  const [listed] = await list();
  for (const path of ["/", `/${listed?.id}`]) {
    const response = await mail.app.request(path, { headers });
    expect(response.headers.get("content-type")).toContain("text/html");
    expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(await response.text()).not.toContain("<script>");
  }
});

test("keeps messages in private files across a restart", async () => {
  await send({ subject: "kept", text: "kept" });
  await mail.stop();
  mail = await startMail({ directory: join(directory, "mail"), log });
  expect((await list()).map(({ subject }) => subject)).toEqual(["kept"]);
  const [file = ""] = await readdir(join(directory, "mail"));
  expect((await stat(join(directory, "mail", file))).mode & 0o777).toBe(0o600);
});

test("deletes the oldest messages above 500", async () => {
  const mailbox = await Mailbox.open(join(directory, "mail"));
  for (let count = 1; count <= 502; count++) {
    await mailbox.add(Buffer.from(`Subject: ${count}\r\n\r\n`), { from: "", to: [] });
  }
  const messages = await list();
  expect([messages.length, messages[0]?.subject, messages.at(-1)?.subject]).toEqual([500, "502", "3"]);
});

test("rejects a message over the size limit", async () => {
  await expect(send({ subject: "large", text: "x".repeat(6_000_000) })).rejects.toMatchObject({ responseCode: 552 });
  expect(await list()).toEqual([]);
});

test("returns 404 for an unknown or malformed id", async () => {
  for (const id of ["0000000000-000000000000", "..%2f..%2fetc%2fpasswd", "x"]) {
    expect((await mail.app.request(`/${id}`)).status).toBe(404);
  }
});

test("requires the token when one is set", async () => {
  const guarded = await startMail({ directory: join(directory, "mail"), token: "open-sesame", log });
  const status = async (authorization?: string) =>
    (await guarded.app.request("/", authorization === undefined ? {} : { headers: { authorization } })).status;
  const basic = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`;
  expect(await status()).toBe(401);
  expect(await status("Bearer wrong")).toBe(401);
  expect(await status(basic("me:wrong"))).toBe(401);
  expect(await status("Bearer open-sesame")).toBe(200);
  expect(await status(basic("me:open-sesame"))).toBe(200);
  await guarded.stop();
});
