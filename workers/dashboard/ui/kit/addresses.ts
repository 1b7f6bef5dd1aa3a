export const clientAddress = (id: string): string => `/clients/${id}`;
export const instanceAddress = (id: string): string => `/clients/${id}/instance`;
export const partnerAddress = (id: string): string => `/partners/${id}`;
export const personAddress = (id: string): string => `/people?user=${id}`;
export const jobAddress = (id: string): string => `/operations/jobs/${id}`;
export const rolloutAddress = (id: string): string => `/operations/rollouts/${id}`;
export const POOL_ADDRESS: string = "/gateways";
