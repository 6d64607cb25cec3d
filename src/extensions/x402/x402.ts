/** x402: servers that ask for money by PAYMENT-REQUIRED are paid with transfers that wallets of this node sign. */
import { extension } from '../extension.ts';
import { walletOperations, walletRoutes } from './walletOperations.ts';

export const x402 = extension({
  name: 'x402',
  operations: walletOperations,
  routes: walletRoutes,
  documents: async () => {
    const { Wallet } = await import('../../../protocol/x402/wallet.ts');
    return { examples: (await import('./walletExamples.ts')).walletExamples, outputs: { Wallet } };
  },
  async start(kernel) {
    const { transferRail } = await import('./transferRail.ts');
    const { x402Protocol } = await import('./x402Protocol.ts');
    const { confirmSchedule } = await import('./confirmTransfers.ts');
    const { sealPlainUrls } = await import('./sealPlainUrls.ts');
    await sealPlainUrls(kernel);
    return { rails: [transferRail(kernel)], protocols: [x402Protocol], schedules: [confirmSchedule] };
  },
});
