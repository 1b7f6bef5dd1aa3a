/** An invoice as PDF: the same bytes for the same invoice, names and branding. The library is loaded with the first PDF. */
import type { PDFFont, PDFPage } from "@cantoo/pdf-lib";
import type { Invoice } from "#workers/contracts/api/billing.ts";
import type { Brand } from "#workers/contracts/brand.ts";
import { dollars, lineTexts } from "./invoice-texts.ts";

export interface PrintedInvoice {
  invoice: Invoice;
  client: { slug: string; name: string };
  brand: Pick<Brand, "name" | "support">;
}

/** A4, in points. */
const [WIDTH, HEIGHT, MARGIN] = [595.28, 841.89, 56];
const [TEXT, SMALL, LEADING] = [10, 8, 14];
/** Left edge of the item, and right edges of the other columns. */
const COLUMNS = { item: MARGIN, quantity: 340, price: 455, amount: WIDTH - MARGIN };
const ITEM_WIDTH = 180;
const REPLACED =
  "Texts with characters that this document cannot show are replaced. The document's properties have the names in full.";

const monthOf = ({ period_start }: Invoice) => period_start.slice(0, 7);

const STATES: Readonly<Record<Invoice["status"], string>> = {
  draft: "Draft: amounts can still change",
  issued: "Issued",
  paid: "Paid",
  void: "Void: nothing is due",
};

export async function invoicePdf({ invoice, client, brand }: PrintedInvoice): Promise<Uint8Array<ArrayBuffer>> {
  const { PDFDocument, StandardFonts } = await import("@cantoo/pdf-lib");
  const pdf = await PDFDocument.create({ updateMetadata: false });
  const [regular, bold] = [
    await pdf.embedFont(StandardFonts.Helvetica),
    await pdf.embedFont(StandardFonts.HelveticaBold),
  ];
  const month = monthOf(invoice);
  const made = new Date(invoice.issued_at ?? invoice.created_at);
  pdf.setTitle(`Invoice of ${month} for ${client.name}`);
  pdf.setAuthor(brand.name);
  pdf.setSubject(`Invoice ${invoice.id}`);
  pdf.setProducer("Tenantry");
  pdf.setCreationDate(made);
  pdf.setModificationDate(made);
  const sheet = new Sheet(() => pdf.addPage([WIDTH, HEIGHT]), regular, bold);

  sheet.line({ item: sheet.shown(brand.name, "Your operator") }, { font: bold, size: 16 });
  if (brand.support !== undefined) sheet.line({ item: sheet.shown(brand.support, "") }, { size: SMALL });
  sheet.space();
  sheet.line({ item: `Invoice of ${month}` }, { font: bold, size: 14 });
  const facts = [
    `Number: ${invoice.id}`,
    `Client: ${sheet.shown(client.name, client.slug)} (${client.slug})`,
    `Period: ${invoice.period_start} to ${invoice.period_end}, without the last day, in UTC`,
    `Status: ${STATES[invoice.status]}`,
    `Issued: ${invoice.issued_at === null ? "not yet" : invoice.issued_at.slice(0, 10)}`,
  ];
  for (const fact of facts) sheet.line({ item: fact }, { width: WIDTH - 2 * MARGIN });
  sheet.space();
  sheet.line({ item: "Item", quantity: "Quantity", price: "Price", amount: "Amount" }, { font: bold, ruled: true });
  for (const [index, line] of invoice.lines.entries()) {
    const texts = lineTexts(line);
    sheet.line({ ...texts, item: sheet.shown(texts.item, `Item ${index + 1}`) });
  }
  sheet.line({ item: "Total in US dollars", amount: dollars(invoice.total_micros) }, { font: bold, ruled: true });
  if (sheet.hasReplaced) {
    sheet.space();
    sheet.line({ item: REPLACED }, { size: SMALL, width: WIDTH - 2 * MARGIN });
  }
  sheet.numberPages(month);
  return new Uint8Array(await pdf.save());
}

type Cells = Partial<Record<keyof typeof COLUMNS, string>>;

/** Lines of text from top to bottom, on as many pages as they need. */
class Sheet {
  hasReplaced = false;
  readonly #addPage: () => PDFPage;
  readonly #regular: PDFFont;
  readonly #bold: PDFFont;
  readonly #known: ReadonlySet<number>;
  readonly #pages: PDFPage[] = [];
  #y = 0;

  constructor(addPage: () => PDFPage, regular: PDFFont, bold: PDFFont) {
    this.#addPage = addPage;
    this.#regular = regular;
    this.#bold = bold;
    this.#known = new Set(regular.getCharacterSet());
  }

  /** Returns a text in one line if the font has all its characters, else the other text. */
  shown(text: string, otherwise: string): string {
    const line = text.normalize("NFC").replaceAll(/\s+/g, " ").trim();
    if ([...line].every((character) => this.#known.has(character.codePointAt(0) ?? 0))) return line;
    this.hasReplaced = true;
    return otherwise;
  }

  space(): void {
    this.#y -= LEADING;
  }

  line(
    { item = "", ...right }: Cells,
    {
      font = this.#regular,
      size = TEXT,
      width = ITEM_WIDTH,
      ruled = false,
    }: { font?: PDFFont; size?: number; width?: number; ruled?: boolean } = {},
  ): void {
    const rows = wrapped(item, font, { size, width: size > TEXT ? WIDTH - 2 * MARGIN : width });
    const page = this.#pageFor(rows.length * (size + 4));
    const top = this.#y;
    rows.forEach((text, row) => {
      page.drawText(text, { x: COLUMNS.item, y: top - size - row * (size + 4), size, font });
    });
    for (const [column, text] of Object.entries(right)) {
      const x = COLUMNS[column as keyof typeof COLUMNS] - font.widthOfTextAtSize(text, size);
      page.drawText(text, { x, y: top - size, size, font });
    }
    this.#y = top - Math.max(rows.length, 1) * (size + 4);
    if (!ruled) return;
    this.#y -= 2;
    page.drawLine({ start: { x: MARGIN, y: this.#y }, end: { x: WIDTH - MARGIN, y: this.#y }, thickness: 0.5 });
    this.#y -= 4;
  }

  numberPages(month: string): void {
    this.#pages.forEach((page, index) => {
      const text = `Invoice of ${month}, page ${index + 1} of ${this.#pages.length}`;
      page.drawText(text, { x: MARGIN, y: MARGIN / 2, size: SMALL, font: this.#bold });
    });
  }

  #pageFor(height: number): PDFPage {
    const current = this.#pages.at(-1);
    if (current !== undefined && this.#y - height > MARGIN) return current;
    const page = this.#addPage();
    this.#pages.push(page);
    this.#y = HEIGHT - MARGIN;
    return page;
  }
}

/** Splits a text into lines at most `width` wide, within words that are longer. */
function wrapped(text: string, font: PDFFont, { size, width }: { size: number; width: number }): string[] {
  const lines: string[] = [];
  let line = "";
  const fits = (candidate: string) => font.widthOfTextAtSize(candidate, size) <= width;
  for (const word of text.split(" ")) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (fits(longer)) {
      line = longer;
      continue;
    }
    if (line !== "") lines.push(line);
    line = "";
    for (const character of word) {
      if (!fits(line + character)) {
        lines.push(line);
        line = "";
      }
      line += character;
    }
  }
  return [...lines, line];
}
