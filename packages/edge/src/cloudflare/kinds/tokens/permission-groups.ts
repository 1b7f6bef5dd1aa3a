export const account = "com.cloudflare.api.account";
export const zone = "com.cloudflare.api.account.zone";
const bucket = "com.cloudflare.edge.r2.bucket";

/** Ids as Cloudflare lists them (alchemy-run/alchemy: permission groups of the API). */
export const permissionGroups = [
  { id: "6a018a9f2fc74eb6b293b0c548f38b39", name: "Workers R2 Storage Bucket Item Read", scopes: [bucket] },
  { id: "2efd5506f9c8494dacb1fa10a3e7d5b6", name: "Workers R2 Storage Bucket Item Write", scopes: [bucket] },
  { id: "b4992e1108244f5d8bfbd5744320c2e1", name: "Workers R2 Storage Read", scopes: [account] },
  { id: "bf7481a1826f439697cb59a20b22293e", name: "Workers R2 Storage Write", scopes: [account] },
  { id: "1a71c399035b4950a1bd1466bbe4f420", name: "Workers Scripts Read", scopes: [account] },
  { id: "e086da7e2179491d91ee5f35b3ca210a", name: "Workers Scripts Write", scopes: [account] },
  { id: "8b47d2786a534c08a1f94ee8f9f599ef", name: "Workers KV Storage Read", scopes: [account] },
  { id: "f7f0eda5697f475c90846e879bab8666", name: "Workers KV Storage Write", scopes: [account] },
  { id: "2072033d694d415a936eaeb94e6405b8", name: "Workers Routes Read", scopes: [zone] },
  { id: "28f4b596e7d643029c524985477ae49a", name: "Workers Routes Write", scopes: [zone] },
  { id: "cfd39eebc07c4e3ea849e4b3d2644637", name: "Workers Containers Read", scopes: [account] },
  { id: "bdbcd690c763475a985e8641dddc09f7", name: "Workers Containers Write", scopes: [account] },
  { id: "84a7755d54c646ca87cd50682a34bf7c", name: "Queues Read", scopes: [account] },
  { id: "366f57075ffc42689627bcf8242a1b6d", name: "Queues Write", scopes: [account] },
  { id: "4d62ccf834df44808bc9283d65c4e4e9", name: "Hyperdrive Read", scopes: [account] },
  { id: "721b2f51fba74871bd361de65aeb7e03", name: "Hyperdrive Write", scopes: [account] },
  { id: "7ea222f6d5064cfa89ea366d7c1fee89", name: "Access: Apps and Policies Read", scopes: [account] },
  { id: "1e13c5124ca64b72b1969a67e8829049", name: "Access: Apps and Policies Write", scopes: [account] },
  {
    id: "26bc23f853634eb4bff59983b9064fde",
    name: "Access: Organizations, Identity Providers, and Groups Read",
    scopes: [account],
  },
  {
    id: "bfe0d8686a584fa680f4c53b5eb0de6d",
    name: "Access: Organizations, Identity Providers, and Groups Write",
    scopes: [account],
  },
  { id: "91f7ce32fa614d73b7e1fc8f0e78582b", name: "Access: Service Tokens Read", scopes: [account] },
  { id: "a1c0fec57cf94af79479a6d827fa518c", name: "Access: Service Tokens Write", scopes: [account] },
  { id: "eb56a6953c034b9d97dd838155666f06", name: "Account API Tokens Read", scopes: [account] },
  { id: "5bc3f8b21c554832afc660159ab75fa4", name: "Account API Tokens Write", scopes: [account] },
  { id: "c1fde68c7bcc44588cbb6ddbc16d6480", name: "Account Settings Read", scopes: [account] },
  { id: "7cf72faf220841aabcfdfab81c43c4f6", name: "Billing Read", scopes: [account] },
  { id: "4dc8917b4b40457d88d3035d5dadb054", name: "AI Gateway Read", scopes: [account] },
  { id: "6c8a3737f07f46369c1ea1f22138daaf", name: "AI Gateway Write", scopes: [account] },
  { id: "644535f4ed854494a59cb289d634b257", name: "AI Gateway Run", scopes: [account] },
  { id: "b89a480218d04ceb98b4fe57ca29dc1f", name: "Account Analytics Read", scopes: [account] },
  { id: "c8fed203ed3043cba015a93ad1616f1f", name: "Zone Read", scopes: [zone] },
  { id: "7b7216b327b04b8fbc8f524e1f9b7531", name: "SSL and Certificates Read", scopes: [zone] },
  { id: "82e64a83756745bbbb1c9c2701bf816b", name: "DNS Read", scopes: [zone] },
  { id: "4755a26eedb94da69e1066d98aa820be", name: "DNS Write", scopes: [zone] },
];
