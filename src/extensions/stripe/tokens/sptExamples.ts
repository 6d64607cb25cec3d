/** Examples: shared payment tokens. */
import { AT, INTENT } from '../../../documents/examples/story/story.ts';

const token = {
  id: 'spt_01m7yh6hw2b5e8h1k4n7q0s3v6',
  status: 'ACTIVE',
  merchantDomain: 'shop.example',
  amount: 129.5,
  currency: 'USD',
  mandate: { intentId: INTENT },
  createdAt: AT,
  expiresAt: '2026-11-21T07:52:41.449Z',
};
const { merchantDomain, amount, currency, mandate } = token;
const one = { total: 1, active: 1, used: 0, expired: 0, revoked: 0 };

export const sptExamples = {
  createSpt: { input: { merchantDomain, amount, currency, expiresIn: 300, mandate }, output: token },
  getSpt: { input: { id: token.id }, output: token },
  listSpts: {
    input: { status: 'ACTIVE', limit: 20 },
    output: { data: [token], hasMore: false, cursor: null },
  },
  sptOverview: { input: {}, output: { ...one, amounts: { USD: { ...one, total: 129.5, active: 129.5 } } } },
  revokeSpt: { input: { id: token.id }, output: { ...token, status: 'REVOKED' } },
} as const;
