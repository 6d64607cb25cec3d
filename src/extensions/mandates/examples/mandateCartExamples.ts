/** Examples: carts of AP2, which the sandbox's shop makes, and checkouts of UCP are approved, and refused where their shop has not signed. */
import { approved } from '../../../documents/examples/cartExamples.ts';
import { INTENT } from '../../../documents/examples/story/story.ts';
import { cartMandate } from './storyAp2.ts';
import { checkout } from './storyUcp.ts';

const AP2_HASH = 'sha256:2de144e2e6b43f6d92c79019be9725c8a22e28086b7f680dcffdf4381ab60f5c';

/** Before the credential: its approval takes the place of this one. */
export const ap2CartExamples = {
  demoAp2Cart: {
    input: {
      domain: 'shop.example',
      amount: 42,
      currency: 'USD',
      items: [
        { name: 'Earpads', price: 37.5, quantity: 1 },
        { name: 'Shipping', price: 4.5, quantity: 1 },
      ],
    },
    output: { cartMandate },
  },
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
