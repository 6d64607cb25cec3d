/** Examples: the shop's cart is approved with the person there, and refused without. */
import { approval } from './presenceExamples.ts';
import { cartVc, hpProof, intentVc } from './story/story.ts';

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
