/** Examples: wallets. */
import { AGENT, AT } from '../../documents/examples/story/story.ts';

const wallet = {
  id: 'wal_01m7yh6hw2b5e8h1k4n7q0s3v6',
  network: 'eip155:8453',
  address: '0x8ba1f109551bD432803012645Ac136ddd64DBA72',
  agentDid: AGENT,
  rpcHost: 'mainnet.base.org',
  assets: [],
  createdAt: AT,
};

export const walletExamples = {
  createWallet: {
    input: { network: wallet.network, rpcUrl: 'https://mainnet.base.org', agentDid: AGENT },
    output: wallet,
  },
  listWallets: { input: { limit: 20 }, output: { data: [wallet], hasMore: false, cursor: null } },
  getWallet: { input: { id: wallet.id }, output: wallet },
  removeWallet: { input: { id: wallet.id } },
} as const;
