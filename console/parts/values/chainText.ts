/** Chains by the names that people have for them. */

/** By CAIP-2. */
export const CHAINS: Readonly<Record<string, string>> = {
  'eip155:8453': 'Base',
  'eip155:1': 'Ethereum',
  'eip155:137': 'Polygon',
  'eip155:42161': 'Arbitrum',
  'eip155:84532': 'Base Sepolia (test)',
};

/** @param network as CAIP-2 names it; one without a name is said by it */
export function chainText(network: string): string {
  return CHAINS[network] ?? network;
}
