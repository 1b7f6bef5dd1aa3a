/** The documents of the repository, and what tests read in them. */
import { globSync } from "node:fs";
import { join } from "node:path";

export const ROOT = join(import.meta.dirname, "../../..");

/** Paths of all documents, from the root. */
export const documents = (): string[] =>
  globSync(["*.md", "{automation,database,docs,packages,workers}/**/*.md"], {
    cwd: ROOT,
    exclude: (name) => name === "node_modules" || name === "dist",
  }).sort();

/** Anchors of a document's headings, as GitHub derives them. */
export const headings = (text: string): string[] =>
  [...text.replaceAll(/```[\s\S]*?```/g, "").matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{Letter}\p{Number}\p{Mark}_\- ]/gu, "")
      .replaceAll(" ", "-"),
  );
