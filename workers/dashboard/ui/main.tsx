/** The dashboard's pages: everything that they show comes from the API. */
import "./styles/styles.css";
import { CSPProvider } from "@base-ui/react/csp-provider";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import * as z from "zod";
import { queryClient } from "./api/query-client.ts";
import { loadAnewWhenFilesAreMissing } from "./frame/missing-files.ts";
import { applyTheme } from "./frame/theme.ts";
import { router } from "./router.tsx";

// The pages' policy forbids code that is made of text.
z.config({ jitless: true });
applyTheme();
loadAnewWhenFilesAreMissing();
const root = document.getElementById("root");
if (root === null) throw new Error("The page has no element with the id root.");
createRoot(root).render(
  <StrictMode>
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </CSPProvider>
  </StrictMode>,
);
