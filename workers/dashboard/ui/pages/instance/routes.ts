import { shellPage } from "../../frame/routes.ts";

export const instancePages = [shellPage("/clients/$clientId/instance", () => import("./instance-page.tsx"))] as const;
