import { shellPage } from "../../frame/routes.tsx";

export const gatewayPages = [
  shellPage("/gateways", () => import("./gateways-page.tsx")),
  shellPage("/gateways/$gatewayId", () => import("./gateway-page.tsx")),
] as const;
