/** Examples: what the people behind the agents look at first. */
import { AGENT, AT, ISSUER } from './story/story.ts';

const APPROVAL = 'apr_01m7yh6hx7f1j5m9q3t7x1b5f9';

const none = { minor: 0, text: '0.00' };
const sums = {
  currency: 'USD',
  payments: 1,
  paid: { minor: 12_950, text: '129.50' },
  refunded: { minor: 1000, text: '10.00' },
  net: { minor: 11_950, text: '119.50' },
  held: none,
  disputed: none,
};

export const overviewExamples = {
  showSpend: {
    input: { from: '2026-01-01', to: '2026-12-31', by: 'agent', currency: 'USD' },
    output: { totals: [sums], entries: [{ agentDid: AGENT, ...sums }], hasMore: false },
  },
  search: {
    input: { q: 'shop', limit: 5 },
    output: {
      hits: [
        { kind: 'agent', id: AGENT, label: 'Shopping agent', status: 'ACTIVE' },
        { kind: 'merchant', id: 'shop.example', label: 'shop.example' },
      ],
    },
  },
  showHealth: {
    input: {},
    output: {
      healthy: true,
      version: '1.0.0',
      environment: 'sandbox',
      engine: 'sqlite',
      issuer: ISSUER,
      rails: [
        { name: 'CARD_RAIL', movesMoney: false, partialCapture: true, partialRefund: true, takesEvidence: false },
      ],
      checks: [
        { check: 'payments', level: 'ok', message: 'No payment has waited for its rail for 15 minutes.' },
        {
          check: 'backup',
          level: 'warning',
          message: 'No backup of this node was ever made.',
          remedy: 'countersign backup FILE',
        },
      ],
    },
  },
  startBackup: {
    input: {},
    output: { state: 'RUNNING', startedAt: AT, progress: { done: 0, total: 0 } },
  },
  showBackup: {
    input: {},
    output: {
      state: 'READY',
      archive: {
        fileName: 'countersign-20261121T075241Z.tar',
        createdAt: AT,
        bytes: 1_495_040,
        sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
        events: 11,
        rows: 74,
        schemaVersion: 30,
      },
    },
  },
  downloadBackup: {
    notPlayed: 'The backup takes a moment.',
    input: {},
    output: '(the bytes of a tar archive)',
  },
  showAttention: {
    input: {},
    output: {
      items: [
        {
          kind: 'approval',
          message: 'Shopping agent asks for 150.00 USD at shop.example.',
          since: AT,
          until: '2026-11-21T07:57:41.449Z',
          approvalId: APPROVAL,
          agentDid: AGENT,
          url: `http://localhost:8402/approve/${APPROVAL}`,
        },
      ],
      counts: {
        approval: 1,
        payment: 0,
        dispute: 0,
        tools: 0,
        node: 0,
        webhook: 0,
        notifications: 0,
        agent: 0,
        backup: 0,
      },
    },
  },
} as const;
