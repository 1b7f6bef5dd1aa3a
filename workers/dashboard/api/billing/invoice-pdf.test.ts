/** Invoices as PDF, read by a library that others wrote. */
import { extractText, getDocumentProxy, getMeta } from "unpdf";
import { describe, expect, test } from "vitest";
import type { Invoice } from "#workers/contracts/api/billing.ts";
import { invoicePdf, type PrintedInvoice } from "./invoice-pdf.ts";
import { dollars, lineTexts } from "./invoice-texts.ts";

const DOLLAR = 1_000_000;
const line = (more: Partial<Invoice["lines"][number]>): Invoice["lines"][number] => ({
  kind: "usage",
  description: "",
  plan: "basic",
  metric: "ai_spend",
  quantity: 2_066_667,
  unit_price_micros: 1,
  per_units: 1,
  amount_micros: 2_066_667,
  ...more,
});
const FEE = line({
  kind: "flat_fee",
  description: "Plan basic, 29 of 30 days",
  metric: null,
  quantity: 29,
  unit_price_micros: 29 * DOLLAR,
  per_units: 30,
  amount_micros: 28_033_333,
});
const CREDIT = line({
  kind: "credit",
  description: "Paid from credit",
  metric: null,
  plan: null,
  amount_micros: -DOLLAR,
});
const invoice: Invoice = {
  id: "b6c7d8e9-f0a1-4b2c-9d3e-4f5a6b7c8d9e",
  client_id: "3f8c2b6a-94d1-4e57-b0a3-5c7d8e9f0a12",
  period_start: "2026-11-01",
  period_end: "2026-12-01",
  currency: "USD",
  status: "issued",
  total_micros: 29_100_000,
  created_at: "2026-12-01T02:00:00.000Z",
  issued_at: "2026-12-02T02:00:00.000Z",
  ended_at: null,
  lines: [FEE, line({}), CREDIT],
};
const printed = (more: Partial<PrintedInvoice> = {}): PrintedInvoice => ({
  invoice,
  client: { slug: "acme", name: "Acme Café GmbH & Söhne" },
  brand: { name: "Northwind", support: "help@north.test" },
  ...more,
});
async function read(of: PrintedInvoice) {
  const document = await getDocumentProxy(await invoicePdf(of));
  const { text, totalPages } = await extractText(document, { mergePages: true });
  const { info } = await getMeta(document);
  return { text: text.replaceAll(/\s+/g, " "), pages: totalPages, info: info as Record<string, unknown> };
}

test("has the partner's name, the client, all lines, the credit and the total", async () => {
  const { text, pages, info } = await read(printed());
  for (const part of [
    "Northwind help@north.test Invoice of 2026-11",
    "Number: b6c7d8e9-f0a1-4b2c-9d3e-4f5a6b7c8d9e",
    "Client: Acme Café GmbH & Söhne (acme)",
    "Period: 2026-11-01 to 2026-12-01",
    "Issued: 2026-12-02",
    "Plan basic, 29 of 30 days",
    "$29.00 per month",
    "$28.033333",
    "Model cost, plan Basic",
    "Paid from credit",
    "-$1.00",
    "Total in US dollars",
    "$29.10",
    "page 1 of 1",
  ])
    expect(text).toContain(part);
  expect(text).not.toContain("replaced");
  expect(pages).toBe(1);
  expect(info).toMatchObject({ Title: "Invoice of 2026-11 for Acme Café GmbH & Söhne", Author: "Northwind" });
});

test("gives the same bytes for the same invoice", async () => {
  expect(await invoicePdf(printed())).toEqual(await invoicePdf(printed()));
});

test.each(["株式会社アクメ", "Łódź Sp. z o.o.", "شركة", "Acme 🚀", "A\u202Ecme"])(
  "replaces the name %s by the slug, says so, and has it in its properties",
  async (name) => {
    const { text, info } = await read(printed({ client: { slug: "acme", name }, brand: { name } }));
    expect(text).toContain("Client: acme (acme)");
    expect(text).toContain("Your operator");
    expect(text).toContain("Texts with characters that this document cannot show are replaced.");
    expect(info).toMatchObject({ Author: name, Title: `Invoice of 2026-11 for ${name}` });
  },
);

test("continues on further pages, and breaks a long name", async () => {
  const lines = Array.from({ length: 120 }, (_, index) => ({ ...FEE, description: `Line ${index + 1}` }));
  const name = "Acme".repeat(50);
  const { text, pages } = await read(printed({ invoice: { ...invoice, lines }, client: { slug: "acme", name } }));
  expect(pages).toBe(3);
  expect(text).toContain("Line 120");
  expect(text).toContain("page 3 of 3");
  expect(text.replaceAll(" ", "")).toContain(name);
});

describe("amounts", () => {
  test.each([
    [0, "$0.00"],
    [1, "$0.000001"],
    [-1_500_000, "-$1.50"],
    [1_234_567_890_000, "$1,234,567.89"],
    [9_000_000_000_000_000, "$9,000,000,000.00"],
  ])("%d millionths are %s", (micros, text) => {
    expect(dollars(micros)).toBe(text);
  });

  test("of usage have a quantity and a price", () => {
    const usage = line({ metric: "container_uptime", quantity: 7_200, unit_price_micros: 10, per_units: 3_600 });
    expect(lineTexts(usage)).toMatchObject({ quantity: "7,200 seconds", price: "$0.00001 per 3,600 seconds" });
    expect(lineTexts(line({ unit_price_micros: 12, per_units: 10 }))).toMatchObject({ price: "120 %" });
  });
});
