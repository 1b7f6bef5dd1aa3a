/** An entry for the dashboard and one for the console, and a chunk per page; nothing inline, because the content security policy forbids it. */
import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

const PACKAGES = ["react", "react-dom", "scheduler", "use-sync-external-store"];
const MODULES = [
  "api/(ask|faults|queries|session|stores)",
  "kit/(badge|button|classes|format|states|time)",
  "kit/(chart/(meter|use-width)|form/control|layout/(card|page|scroll-region)|toast/toast)",
];
const BASE = new RegExp(`/node_modules/(${PACKAGES.join("|")})/|/ui/(${MODULES.join("|")})[.]tsx?$`);

export default defineConfig({
  root: here("."),
  base: "/",
  plugins: [react(), tailwindcss()],
  build: {
    target: "es2023",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: [here("index.html"), here("console.html")],
      // Both first pages load these; a file each would compress worse.
      output: { codeSplitting: { groups: [{ name: "base", test: BASE }] } },
    },
    emptyOutDir: true,
    reportCompressedSize: false,
  },
  logLevel: "warn",
});
