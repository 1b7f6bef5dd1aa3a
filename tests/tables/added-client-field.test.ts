/** Adds a text field of a client: only an entry of the table and a migration have to change. */
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import * as z from "zod";
import type { ApiFieldValues, ClientFieldRow, ClientFieldValues } from "#domain/settings/client.ts";

const TABLE = "#domain/settings/client-fields.ts";

beforeAll(() => {
  // The only field, so that the test is independent of others.
  vi.doMock(TABLE, () => {
    const supportContact = {
      schema: z.string().max(100).describe("Whom to ask."),
      columns: { support_contact: (contact: string) => contact },
      read: ({ support_contact }: { support_contact: string }) => support_contact,
      rootOnly: "the contact",
      control: { kind: "text", label: "Contact", help: "Whom to ask." },
    };
    return { CLIENT_FIELDS: { supportContact } };
  });
  vi.resetModules();
});
afterAll(() => {
  vi.doUnmock(TABLE);
  vi.resetModules();
});

const field: object = { supportContact: "Ann" };
const body: object = { support_contact: "Ann" };
const row: object = { support_contact: "Ann" };
// The compiler knows only the fields of the table.
const values = field as ClientFieldValues;
const apiValues = body as ApiFieldValues;

test("the stack file accepts it, and its schema documents it", async () => {
  const { client } = await import("#stack/settings/tenants.ts");
  const { settingsSchema } = await import("#stack/settings/schema.ts");
  expect(client.parse({ slug: "acme", name: "Acme", plan: "pro", ...field })).toMatchObject(field);
  const { properties } = JSON.parse(settingsSchema()).properties.config;
  expect(properties["tenantry:clients"].items.properties.supportContact).toEqual({
    description: "Whom to ask.",
    maxLength: 100,
    type: "string",
  });
});

test("queries select, read and write its column", async () => {
  const { clientColumns, clientFieldColumns, readClientFields } = await import("#domain/settings/client.ts");
  expect(clientFieldColumns).toEqual(["support_contact"]);
  expect(readClientFields(row as ClientFieldRow)).toEqual(field);
  expect(clientColumns(values)).toEqual(row);
});

test("the API accepts and returns it, and a refusal names it", async () => {
  const { client } = await import("#domain/entities/client.ts");
  const { clientRoutes } = await import("#workers/contracts/api/tenants/clients.ts");
  const { bodyOfFields, fieldsOfBody } = await import("#domain/settings/client.ts");
  const update = { id: crypto.randomUUID(), support_contact: "Ann" };
  const { body: changes } = clientRoutes.updateClient;
  expect(changes.parse(update)).toEqual(update);
  const { error } = changes.safeParse({ ...update, support_contact: 1 });
  expect(error?.issues).toMatchObject([{ path: ["support_contact"] }]);
  expect(Object.keys(client.shape)).toContain("support_contact");
  expect(fieldsOfBody(apiValues)).toEqual(field);
  expect(bodyOfFields(values)).toEqual(body);
});

test("the form shows it to platform roots only, and sends the typed value", async () => {
  const { formFields, typedFields } = await import("#workers/dashboard/ui/pages/clients/detail/field-values.ts");
  const { changesOf } = await import("#workers/dashboard/ui/pages/clients/detail/client-draft.ts");
  const labels = (isRoot: boolean) => formFields(isRoot).map(({ control }) => control.label);
  expect(labels(true)).toEqual(["Contact"]);
  expect(labels(false)).toEqual([]);
  expect(typedFields(apiValues)).toEqual(body);
  type Arguments = Parameters<typeof changesOf>;
  const client: object = { name: "Acme", status: "active", billing_plan: "pro", partner: null, ...body };
  const typed: object = { name: "Acme", support_contact: "Bob" };
  expect(changesOf(client as Arguments[0], typed as Arguments[1])).toEqual({ support_contact: "Bob" });
});
