/** One entry and a chunk per page; nothing inline, because the content security policy forbids it. */
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
    // Public: served without the Worker.
    assetsDir: "assets",
    emptyOutDir: true,
    reportCompressedSize: false,
  },
  logLevel: "warn",
});
