/** An entry for the dashboard and one for the console, and a chunk per page; nothing inline, because the content security policy forbids it. */
import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  root: here("."),
  base: "/",
  plugins: [react(), tailwindcss()],
  build: {
    target: "es2023",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { input: [here("index.html"), here("console.html")] },
    emptyOutDir: true,
    reportCompressedSize: false,
  },
  logLevel: "warn",
});
