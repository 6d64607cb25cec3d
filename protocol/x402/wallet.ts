/** Wallets: accounts on chains whose keys the node holds, and signs with. A key comes in once, or is made here, and never comes out. */
import { z } from 'zod';
import { Did } from '../credential/did.ts';
import { PageRequest } from '../wire/page.ts';
import { readAddress } from './evmAddress.ts';

/** A chain of EVM (CAIP-2). */
const Network = z.string().regex(/^eip155:[1-9]\d{0,15}$/, 'must be a chain as CAIP-2 names it, such as eip155:8453');

const WalletAsset = z.strictObject({
  asset: z
    .string()
    .refine((text) => readAddress(text) !== undefined, 'must be an address, 0x and 40 digits; its checksum must hold')
    .transform((text) => text.toLowerCase())
    .describe('The token’s contract.'),
  name: z.string().min(1).max(100).describe('Of the contract’s EIP-712 domain.'),
  version: z.string().min(1).max(20).describe('Of the contract’s EIP-712 domain, as text.'),
  symbol: z.string().min(1).max(20).optional().describe('In words, such as USDC; the name when absent.'),
  decimals: z.int().min(0).max(18),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/, 'must be a currency of ISO 4217, such as USD')
    .describe('Which money it counts as.'),
});

export const CreateWallet = z
  .strictObject({
    network: Network.describe('The chain, as CAIP-2 names it, such as eip155:8453.'),
    privateKey: z
      .string()
      .regex(/^0x[0-9a-fA-F]{64}$/, 'must be 0x and 64 hexadecimal digits')
      .optional()
      .describe('The key of an account that exists; the node makes one when absent. It is sealed, and never shown.'),
    rpcUrl: z
      .string()
      .min(1)
      .max(1000)
      .optional()
      .describe('Where the chain is asked by JSON-RPC what became of a transfer. It is never shown but for its host.'),
    agentDid: Did.optional().describe('Which agent pays with it; everybody of the tenant when neither is named.'),
    principalDid: Did.optional().describe('Whose money it is.'),
    assets: z
      .array(WalletAsset)
      .max(20)
      .default([])
      .describe('Tokens besides those that are known, such as one on a chain of your own.'),
  })
  .refine(({ agentDid, principalDid }) => agentDid === undefined || principalDid === undefined, {
    path: ['principalDid'],
    message: 'must not be there beside agentDid',
  });
export type CreateWallet = z.output<typeof CreateWallet>;

export const ListWallets = PageRequest;

export const Wallet = z.object({
  id: z.string(),
  network: z.string(),
  address: z.string().describe('With its checksum.'),
  agentDid: z.string().optional(),
  principalDid: z.string().optional(),
  rpcHost: z.string().optional().describe('Where its chain is asked.'),
  assets: z.array(z.object({ ...WalletAsset.shape, asset: z.string(), symbol: z.string() })),
  createdAt: z.string(),
});
export type Wallet = z.infer<typeof Wallet>;
