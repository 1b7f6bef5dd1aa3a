export interface DemoUser {
  email: string;
  name: string;
  role: "ADMIN" | "BASE_USER";
  tenant: string;
}

export const demoUsers: readonly DemoUser[] = [
  { email: "ada@acme.example", name: "Ada", role: "ADMIN", tenant: "acme" },
  { email: "ben@acme.example", name: "Ben", role: "BASE_USER", tenant: "acme" },
  { email: "gavin@hooli.example", name: "Gavin", role: "ADMIN", tenant: "hooli" },
  { email: "alice@umbrella.example", name: "Alice", role: "ADMIN", tenant: "umbrella" },
  { email: "lena@tenantry.example", name: "Lena", role: "ADMIN", tenant: "lab" },
];
