/**
 * Tokens that x402 resources are paid in: those of US dollars whose contracts take a signed transfer (EIP-3009). What is signed is the
 * name and version of this table, and never those of an offer. They are the `DEFAULT_ASSETS` of @x402/evm 2.27.0 that have no
 * `assetTransferMethod` of their own; Circle’s USDC on OP Mainnet is added, with the name that its contract was deployed with.
 */

/** A token on one chain. */
export interface TokenAsset {
  /** CAIP-2: `eip155:8453`. */
  readonly network: string;
  /** Of the contract, in lower case. */
  readonly address: string;
  /** Of the contract’s EIP-712 domain. */
  readonly name: string;
  /** The same: always text, since a number hashes to something else. */
  readonly version: string;
  readonly symbol: string;
  readonly decimals: number;
  /** Which money it counts as: ISO 4217. */
  readonly currency: string;
}

type Row = readonly [chain: number, address: string, name: string, version: string, symbol: string];

const ROWS: readonly Row[] = [
  [1, '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48', 'USD Coin', '2', 'USDC'],
  [10, '0x0b2c639c533813f4aa9d7837caf62653d097ff85', 'USD Coin', '2', 'USDC'],
  [14, '0xe7cd86e13ac4309349f30b3435a9d337750fc82d', 'USD₮0', '1', 'USDT0'],
  [50, '0xfa2958cb79b0491cc627c1557f441ef849ca8eb1', 'USDC', '2', 'USDC'],
  [51, '0xb5ab69f7bbada22b28e79c8ffaece55ef1c771d4', 'USDC', '2', 'USDC'],
  [137, '0x3c499c542cef5e3811e1192ce70d8cc03d5c3359', 'USD Coin', '2', 'USDC'],
  [143, '0x754704bc059f8c67012fed69bc8a327a5aafb603', 'USDC', '2', 'USDC'],
  [988, '0x779ded0c9e1022225f8e0630b35a9b54be713736', 'USDT0', '1', 'USDT0'],
  [1328, '0x4fcf1784b31630811181f670aea7a7bef803eaed', 'USDC', '2', 'USDC'],
  [1329, '0xe15fc38f6d8c56af07bbcbe3baf5708a2bf42392', 'USDC', '2', 'USDC'],
  [2201, '0x78cf24370174180738c5b8e352b6d14c83a6c9a9', 'USDT0', '1', 'USDT0'],
  [8453, '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913', 'USD Coin', '2', 'USDC'],
  [36900, '0x9cb8142aebbcdc60af7c97af897a67a8f3ca71c2', 'USDC.e', '2', 'USDC.e'],
  [42161, '0xaf88d065e77c8cc2239327c5edb3a432268e5831', 'USD Coin', '2', 'USDC'],
  [42220, '0xceba9300f2b948710d2653dd7b07f33a8b32118c', 'USDC', '2', 'USDC'],
  [42220, '0x48065fbbe25f71c9282ddf5e1cd6d6a887483d5e', 'Tether USD', '1', 'USDT'],
  [42220, '0xd2ab3c9a02dbbab236bfec45d1d755df4267f771', 'Tether America USD', '1', 'USAT'],
  [43114, '0xb97ef9ef8734c71904d8002f8b6bc66dd9c48a6e', 'USD Coin', '2', 'USDC'],
  [84532, '0x036cbd53842c5426634e7929541ec2318f3dcf7e', 'USDC', '2', 'USDC'],
  [181228, '0x401ecb1d350407f13ba348573e5630b83638e30d', 'Bridged USDC', '2', 'USDC.e'],
  [190415, '0x401ecb1d350407f13ba348573e5630b83638e30d', 'Bridged USDC', '2', 'USDC.e'],
  [421614, '0x75faf114eafb1bdbe2f0316df893fd58ce46aa4d', 'USD Coin', '2', 'USDC'],
  [11142220, '0x01c5c0122039549ad1493b8220cabedd739bc44e', 'USDC', '2', 'USDC'],
];

export const USD_ASSETS: readonly TokenAsset[] = ROWS.map(([chain, address, name, version, symbol]) => ({
  network: `eip155:${chain}`,
  address,
  name,
  version,
  symbol,
  decimals: 6,
  currency: 'USD',
}));

/**
 * @param address in lower case
 * @param more tokens that a wallet names itself, for chains of developers
 */
export function findAsset(network: string, address: string, more: readonly TokenAsset[] = []): TokenAsset | undefined {
  return [...USD_ASSETS, ...more].find((asset) => asset.network === network && asset.address === address);
}
