import { shellPage } from "../../frame/routes.ts";

export const gatewayPages = [
  shellPage("/gateways", () => import("./gateways-page.tsx")),
  shellPage("/gateways/$gatewayId", () => import("./gateway-page.tsx")),
] as const;
