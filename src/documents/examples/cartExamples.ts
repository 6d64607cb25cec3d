/** Examples: the shop's cart is approved with the person there, and refused without. */
import { approval } from './presenceExamples.ts';
import { cartVc, hpProof, INTENT, intentVc } from './story/story.ts';
import { cartMandate } from './story/storyAp2.ts';
import { checkout } from './story/storyUcp.ts';

export const APPROVAL = 'apt_OS70qBfJfwPD8OcfKlIlJE1xwmEoz_R3olW8E3ma5Ts';
const APPROVED_UNTIL = '2026-11-21T07:52:41.495Z';

export const approved = {
  allowed: true,
  approvalToken: APPROVAL,
  approvalTokenExpiresAt: APPROVED_UNTIL,
  railDecision: {
    rail: 'CARD_RAIL',
    reason: 'first usable rail by policy priority',
    merchantConnected: true,
    expiresAt: APPROVED_UNTIL,
  },
  cartHash: 'sha256:931a7e932fb76a63bd47d90cad596a535aca760b7e1b1e1bc5113250a2a51f05',
};

const AP2_HASH = 'sha256:2de144e2e6b43f6d92c79019be9725c8a22e28086b7f680dcffdf4381ab60f5c';

/** Before the credential: its approval takes the place of this one. */
export const ap2CartExamples = {
  validateAp2Cart: {
    input: { intentId: INTENT, cartMandate },
    output: { ...approved, approvalToken: 'apt_AZ6DDhoA6ln1VIR7A6kximqCRVlpLmyX5hY7556_CXo', cartHash: AP2_HASH },
    refused: {
      input: { intentId: INTENT, cartMandate: { ...cartMandate, merchant_authorization: null } },
      output: {
        allowed: false,
        reasonCodes: ['MERCHANT_UNVERIFIED'],
        details: {
          MERCHANT_UNVERIFIED: {
            message: "The merchant's authorization cannot be trusted: the cart has no merchant_authorization.",
          },
        },
      },
    },
  },
};

const { ap2: _ap2, ...unsigned } = checkout;

export const ucpCartExamples = {
  validateUcpCheckout: {
    input: { intentId: INTENT, merchantDomain: 'shop.example', checkout },
    output: {
      ...approved,
      approvalToken: 'apt_mC0vV2kT7Qd1yBq4s9xJ3hZr8LwNf6EaPgUo5KtXi0Y',
      cartHash: 'sha256:758352c759adce5a68e0dde1d8d2dc23bfa10b8173e60fa7874e84043c92d94b',
    },
    notPlayed: 'Its business would have to publish its key at its domain.',
    refused: {
      input: { intentId: INTENT, merchantDomain: 'shop.example', checkout: unsigned },
      output: {
        allowed: false,
        reasonCodes: ['MERCHANT_UNVERIFIED'],
        details: {
          MERCHANT_UNVERIFIED: {
            message: "The business's signature cannot be trusted. The checkout has no ap2.merchant_authorization.",
            ucp: 'merchant_authorization_missing',
          },
        },
      },
    },
  },
};

export const cartExamples = {
  validateCart: {
    input: { intentVc, cartVc, hpProof },
    output: approved,
    refused: {
      input: { intentVc, cartVc },
      output: {
        allowed: false,
        reasonCodes: ['HP_REQUIRED'],
        details: {
          HP_REQUIRED: {
            message: '129.50 USD is 29.50 over what the agent may spend alone, which is 100.00.',
          },
        },
        approval,
      },
    },
  },
};
