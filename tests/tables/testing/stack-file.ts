/** Connections and settings of a platform with required values only. */
export const connections = {
  databaseUrl: "postgres://u:p@127.0.0.1:5432/tenantry",
  restUrl: "http://127.0.0.1/rest/v1",
  serviceRoleKey: "key",
  accessIssuer: "https://team.example",
};
export const platform = {
  domain: "agents.example.com",
  accountId: "a".repeat(32),
  zoneId: "b".repeat(32),
  containerImage: "gateway:1",
  rootUsers: ["root@example.com"],
};
