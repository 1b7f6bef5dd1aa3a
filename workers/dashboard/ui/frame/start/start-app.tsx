import "../../styles/styles.css";
import { CSPProvider } from "@base-ui/react/csp-provider";
import { QueryClientProvider } from "@tanstack/react-query";
import { type AnyRouter, RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import * as z from "zod";
import { queryClient } from "../../api/query-client.ts";
import { reloadOnMissingFiles } from "./chunk-errors.ts";
import { measureScrollbar } from "./scrollbar.ts";
import { applyTheme } from "./theme.ts";

export function startApp(router: AnyRouter): void {
  // The content security policy forbids generated code.
  z.config({ jitless: true });
  applyTheme();
  measureScrollbar();
  reloadOnMissingFiles();
  const root = document.getElementById("root");
  if (root === null) throw new Error("The page has no element with the ID root.");
  createRoot(root).render(
    <StrictMode>
      <CSPProvider disableStyleElements>
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </CSPProvider>
    </StrictMode>,
  );
}
