const account = "com.cloudflare.api.account";
const zone = "com.cloudflare.api.account.zone";
const bucket = "com.cloudflare.edge.r2.bucket";

export const permissionGroups = [
  { id: "6a018a9f2fc74eb6b293b0c548f38b39", name: "Workers R2 Storage Bucket Item Read", scopes: [bucket] },
  { id: "2efd5506f9c8494dacb1fa10a3e7d5b6", name: "Workers R2 Storage Bucket Item Write", scopes: [bucket] },
  { id: "b4992e1108244f5d8bfbd5744320c2e1", name: "Workers R2 Storage Read", scopes: [account] },
  { id: "bf7481a1826f439697cb59a20b22293e", name: "Workers R2 Storage Write", scopes: [account] },
  { id: "1a71c399035b4950a1bd1466bbe4f420", name: "Workers Scripts Read", scopes: [account] },
  { id: "e086da7e2179491d91ee5f35b3ca210a", name: "Workers Scripts Write", scopes: [account] },
  { id: "8b47d2786a534c08a1f94ee8f9f599ef", name: "Workers KV Storage Read", scopes: [account] },
  { id: "f7f0eda5697f475c90846e879bab8666", name: "Workers KV Storage Write", scopes: [account] },
  { id: "28f4b596e7d643029c524985477ae49a", name: "Workers Routes Write", scopes: [zone] },
  // A made-up id; programs find groups by name.
  { id: "a1c6a2b5f7d84e7c9d0b3f4e5a6b7c8d", name: "AI Gateway Read", scopes: [account] },
  { id: "644535f4ed854494a59cb289d634b257", name: "AI Gateway Run", scopes: [account] },
  { id: "b89a480218d04ceb98b4fe57ca29dc1f", name: "Account Analytics Read", scopes: [account] },
  { id: "82e64a83756745bbbb1c9c2701bf816b", name: "DNS Read", scopes: [zone] },
  { id: "4755a26eedb94da69e1066d98aa820be", name: "DNS Write", scopes: [zone] },
];
