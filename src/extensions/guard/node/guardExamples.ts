/** Examples: guards. */
import { AGENT, AT } from '../../../documents/examples/story/story.ts';
import { sha256, toolText } from '../guardState.ts';

const tool = {
  name: 'create_payment',
  description: 'Pays for prints.',
  inputSchema: { type: 'object', properties: { amount: { type: 'integer' }, currency: { type: 'string' } } },
};
const definition = toolText(tool);
const look = {
  name: 'list_prints',
  readOnly: true,
  action: 'forward',
  rules: 'forwarded as read-only',
  hash: sha256(toolText({ name: 'list_prints' })),
} as const;
const pay = {
  name: 'create_payment',
  readOnly: false,
  action: 'reserve',
  rules: 'guarded: amount from $.amount (minor units, $.currency)',
  hash: sha256(definition),
  change: 'changed',
  definition,
  accepted: toolText({ ...tool, description: 'Pays for a print.' }),
} as const;
const about = {
  id: 'grd_01m7yh6hw2b5e8h1k4n7q0s3v7',
  name: 'laptop-guard',
  agentDid: AGENT,
  createdAt: AT,
  toldAt: AT,
};
const shown = { ...pay, description: 'Pays for prints.' };
const guard = {
  ...about,
  waiting: 1,
  servers: [
    {
      name: 'prints',
      tools: [
        { ...look, waits: false },
        { ...shown, waits: true },
      ],
    },
  ],
};

export const guardExamples = {
  tellGuard: {
    input: { name: about.name, agentDid: AGENT, servers: [{ name: 'prints', tools: [look, pay] }] },
    output: guard,
  },
  listGuards: {
    input: { limit: 20 },
    output: {
      data: [{ ...about, waiting: 1, servers: [{ name: 'prints', tools: 2, waiting: 1 }] }],
      hasMore: false,
      cursor: null,
    },
  },
  getGuard: { input: { id: about.id }, output: guard },
  acceptTools: {
    input: { id: about.id, server: 'prints', tools: [{ name: pay.name, hash: pay.hash }] },
    output: {
      ...guard,
      waiting: 0,
      servers: [
        {
          name: 'prints',
          tools: [
            { ...look, waits: false },
            { ...shown, acceptance: { at: AT, userId: 'usr_01m7yh6hw2b5e8h1k4n7q0s3v8' }, waits: false },
          ],
        },
      ],
    },
  },
  removeGuard: { input: { id: about.id } },
} as const;
