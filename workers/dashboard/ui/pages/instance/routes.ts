import { shellPage } from "../../frame/routes.tsx";

export const instancePages = [shellPage("/clients/$clientId/instance", () => import("./instance-page.tsx"))] as const;
