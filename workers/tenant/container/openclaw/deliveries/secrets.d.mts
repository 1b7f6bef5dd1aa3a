export function deliveryKey(gatewayToken: string): string;
