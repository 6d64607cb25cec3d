/** MPP: servers that ask for money by the "Payment" HTTP authentication scheme are paid with shared payment tokens. */
import { extension } from '../extension.ts';
import { mppProtocol } from './mppProtocol.ts';

export const mpp = extension({
  name: 'mpp',
  start: () => ({ protocols: [mppProtocol] }),
});
