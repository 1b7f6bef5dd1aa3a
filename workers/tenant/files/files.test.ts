/** Files of the state, as administrators see them. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, linkSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { errorBody } from "#workers/contracts/errors.ts";
import { changesSince } from "#workers/contracts/tenant/backup.ts";
import {
  fileList,
  MAX_DOWNLOAD_BYTES,
  MAX_TEXT_BYTES,
  textFile,
  writtenFile,
} from "#workers/contracts/tenant/files.ts";
import { ADMIN, addNote, backUp, notes, running } from "../testing/backup-tenant.ts";
import { type Tenant, TOKEN } from "../testing/harness.ts";
import { test as base } from "../testing/test.ts";

const FILES = "/api/admin/gateway/files";

const test = base.extend("tenant", async ({ openTenant }) => {
  const tenant = await openTenant();
  await running(tenant);
  mkdirSync(join(tenant.root, "state/workspace"));
  // The container has another user.
  chmodSync(join(tenant.root, "state/workspace"), 0o777);
  return tenant;
});

const at = (tenant: Tenant, path: string) => join(tenant.root, "state", path);
const get = (tenant: Tenant, part: string, path: string, headers: Record<string, string> = ADMIN) =>
  tenant.fetch(`${FILES}${part}?${new URLSearchParams({ path })}`, { headers });
const put = (tenant: Tenant, order: object, headers: Record<string, string> = ADMIN) =>
  tenant.fetch(`${FILES}/content`, { method: "PUT", headers, body: JSON.stringify(order) });
const reasonOf = async (response: Response) => errorBody.parse(await response.json()).error.reason;
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

test.concurrent("lists directories and reads text, without secrets", async ({ tenant }) => {
  writeFileSync(at(tenant, "workspace/MEMORY.md"), "Grüße\n");
  writeFileSync(at(tenant, "workspace/log.txt"), `token ${TOKEN} ends`);
  mkdirSync(at(tenant, "credentials"));
  writeFileSync(at(tenant, "credentials/whatsapp.json"), "hidden");
  writeFileSync(at(tenant, "openclaw.json"), "hidden");
  const root = fileList.parse(await (await get(tenant, "", "")).json());
  const kinds = Object.fromEntries(root.entries.map(({ name, kind, secret }) => [name, `${kind} ${secret}`]));
  expect(kinds).toMatchObject({
    ".tenantry-state.json": "file true",
    credentials: "directory true",
    "openclaw.json": "file true",
    workspace: "directory false",
  });
  const below = fileList.parse(await (await get(tenant, "", "workspace")).json());
  expect(below.entries.map(({ name, bytes }) => [name, bytes])).toEqual([
    ["MEMORY.md", 8],
    ["log.txt", TOKEN.length + 11],
  ]);
  const read = textFile.parse(await (await get(tenant, "/content", "workspace/MEMORY.md")).json());
  expect(read).toMatchObject({ text: "Grüße\n", hash: sha256("Grüße\n"), bytes: 8, redacted: false });
  const masked = textFile.parse(await (await get(tenant, "/content", "workspace/log.txt")).json());
  expect(masked).toMatchObject({ text: "token [secret] ends", redacted: true });
  expect(await reasonOf(await get(tenant, "/download", "workspace/log.txt"))).toBe("file_has_secrets");
  const edit = { path: "workspace/log.txt", text: masked.text, hash: masked.hash };
  expect(await reasonOf(await put(tenant, edit))).toBe("file_has_secrets");
  for (const path of ["credentials/whatsapp.json", "openclaw.json", ".tenantry-state.json"]) {
    expect(await reasonOf(await get(tenant, "/content", path))).toBe("file_is_secret");
    expect(await reasonOf(await get(tenant, "/download", path))).toBe("file_is_secret");
    expect(await reasonOf(await put(tenant, { path, text: "", hash: sha256("hidden") }))).toBe("file_is_secret");
  }
  const downloaded = await get(tenant, "/download", "workspace/MEMORY.md");
  expect([await downloaded.text(), downloaded.headers.get("content-type")]).toEqual([
    "Grüße\n",
    "application/octet-stream",
  ]);
});

test.concurrent("refuses what is outside the state, no file, too large or no text", async ({ tenant }) => {
  writeFileSync(join(tenant.root, "outside"), "outside");
  symlinkSync("../outside", at(tenant, "link"));
  symlinkSync("..", at(tenant, "parent"));
  symlinkSync("/proc/self/environ", at(tenant, "environ"));
  execFileSync("mkfifo", [at(tenant, "fifo")]);
  writeFileSync(at(tenant, "binary"), Buffer.of(1, 0, 2));
  writeFileSync(at(tenant, "latin1"), Buffer.of(0xe9));
  writeFileSync(at(tenant, "long.txt"), "x".repeat(MAX_TEXT_BYTES + 1));
  writeFileSync(at(tenant, "huge"), Buffer.alloc(MAX_DOWNLOAD_BYTES + 1));
  writeFileSync(at(tenant, "data.sqlite"), "SQLite format 3\0rest");
  const refused: Record<string, string> = {
    "../outside": "file_path_invalid",
    "/etc/passwd": "file_path_invalid",
    "workspace/../../outside": "file_path_invalid",
    "workspace//x": "file_path_invalid",
    ".": "file_path_invalid",
    "": "file_path_invalid",
    "workspace/a\0b": "order_invalid",
    none: "file_not_found",
    "none/none": "file_not_found",
    link: "file_not_regular",
    "parent/outside": "file_not_regular",
    environ: "file_not_regular",
    fifo: "file_not_regular",
    workspace: "file_not_regular",
    "binary/x": "file_not_regular",
    binary: "file_not_text",
    latin1: "file_not_text",
    "long.txt": "file_too_large",
    huge: "file_too_large",
    "data.sqlite": "file_is_database",
  };
  for (const [path, reason] of Object.entries(refused)) {
    if (path !== "") expect([path, await reasonOf(await get(tenant, "/content", path))]).toEqual([path, reason]);
    const written = await reasonOf(await put(tenant, { path, text: "", hash: sha256("outside") }));
    expect([path, written]).toEqual([path, path === "" ? "order_invalid" : reason]);
  }
  expect(await reasonOf(await get(tenant, "/download", "huge"))).toBe("file_too_large");
  expect(await reasonOf(await get(tenant, "/download", "data.sqlite"))).toBe("file_is_database");
  expect((await get(tenant, "/download", "long.txt")).status).toBe(200);
  expect(await reasonOf(await get(tenant, "", "link"))).toBe("file_not_regular");
  expect(await reasonOf(await get(tenant, "", "binary"))).toBe("file_not_regular");
  expect(readFileSync(join(tenant.root, "outside"), "utf8")).toBe("outside");
  for (const part of ["", "/content", "/download"])
    expect((await get(tenant, part, "link", { "X-Platform-Role": "BASE_USER" })).status).toBe(403);
  expect(await notes(tenant)).toEqual([]);
});

test.concurrent("saves a text while the gateway is stopped, and refuses one that was changed meanwhile", async ({
  tenant,
}) => {
  await addNote(tenant, "kept");
  writeFileSync(at(tenant, "workspace/NOTES.md"), "one\n");
  linkSync(at(tenant, "workspace/NOTES.md"), at(tenant, "workspace/twin"));
  const [gateway] = tenant.processes("gateway");
  const path = "workspace/NOTES.md";
  const first = await put(tenant, { path, text: "two\n", hash: sha256("one\n") });
  const saved: unknown = await first.json();
  expect([first.status, saved]).toEqual([200, expect.anything()]);
  expect(writtenFile.parse(saved)).toEqual({ hash: sha256("two\n"), bytes: 4 });
  await running(tenant);
  expect(tenant.processes("gateway")).toHaveLength(1);
  expect(tenant.processes("gateway")[0]?.pid).not.toBe(gateway?.pid);
  expect(await notes(tenant)).toEqual(["kept"]);
  // Another ADMIN has the first text.
  const pid = tenant.processes("gateway")[0]?.pid;
  const second = await put(tenant, { path, text: "other\n", hash: sha256("one\n") });
  expect([second.status, await reasonOf(second)]).toEqual([409, "file_changed"]);
  expect(tenant.processes("gateway")[0]?.pid).toBe(pid);
  // The agent replaces it.
  writeFileSync(at(tenant, "workspace/new"), "agent\n");
  renameSync(at(tenant, "workspace/new"), at(tenant, path));
  expect(await reasonOf(await put(tenant, { path, text: "mine\n", hash: sha256("two\n") }))).toBe("file_changed");
  expect(readFileSync(at(tenant, path), "utf8")).toBe("agent\n");
  expect(readFileSync(at(tenant, "workspace/twin"), "utf8")).toBe("one\n");
  expect(
    (await put(tenant, { path, text: "", hash: sha256("agent\n") }, { "X-Platform-Role": "BASE_USER" })).status,
  ).toBe(403);
});

test.concurrent("says what a restore would lose, and that a sleeping tenant has no files to read", async ({
  tenant,
}) => {
  const { id } = await backUp(tenant);
  writeFileSync(at(tenant, "workspace/later.md"), "later");
  const changes = () => tenant.fetch(`/api/admin/gateway/backups/${id}/changes`, { headers: ADMIN });
  const { count, first } = changesSince.parse(await (await changes()).json());
  expect(count).toBeGreaterThan(0);
  expect(first.map(({ path }) => path)).toContain("workspace/later.md");
  expect((await tenant.fetch("/api/admin/gateway/backups/none/changes", { headers: ADMIN })).status).toBe(404);
  await tenant.loseContainer();
  expect(await reasonOf(await changes())).toBe("files_asleep");
  expect(await reasonOf(await get(tenant, "", ""))).toBe("files_asleep");
  expect(await reasonOf(await put(tenant, { path: "a", text: "", hash: sha256("") }))).toBe("files_asleep");
  expect(tenant.processes()).toEqual([]);
});
