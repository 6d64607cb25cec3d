/** Examples: the merchant registry. */
import { AT, SHOP } from './story/story.ts';

const merchant = {
  id: 'mch_01m7yh6hq0pf97dghp6dcxjktq',
  domain: 'shop.example',
  did: SHOP,
  railAccountId: 'acct_1Shop',
  railProfileId: 'profile_1Shop',
  createdAt: AT,
};

export const merchantExamples = {
  bindMerchant: {
    input: {
      domain: merchant.domain,
      did: merchant.did,
      railAccountId: merchant.railAccountId,
      railProfileId: merchant.railProfileId,
    },
    output: merchant,
  },
  listMerchants: { input: { limit: 20 }, output: { data: [merchant], hasMore: false, cursor: null } },
  removeMerchant: { input: { id: merchant.id } },
} as const;
