/** How the pages are built: one entry, a chunk a page, nothing inline, since the pages' policy forbids it. */
import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  base: "/",
  plugins: [react(), tailwindcss()],
  build: {
    target: "es2023",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Served without the Worker: names carry hashes, and nothing of the platform is in them.
    assetsDir: "assets",
    emptyOutDir: true,
    reportCompressedSize: false,
  },
  logLevel: "warn",
});
