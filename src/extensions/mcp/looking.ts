/** The tools that look: at what became of a purchase, at the policy, and at the evidence. */
import { z } from 'zod';
import { ApprovalState, peopleSentence } from '../../../protocol/approval.ts';
import { Did } from '../../../protocol/credential/did.ts';
import { formatAmount } from '../../../protocol/money.ts';
import { type Payment, PaymentStatus } from '../../../protocol/payment.ts';
import { limitsSentence } from '../../../protocol/policy/limitUse.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { PageRequest } from '../../../protocol/wire/page.ts';
import { table } from '../../operations/table.ts';
import { type RecordLookup, sentencesOf, tool } from '../tool.ts';

const READ_ONLY = { readOnlyHint: true } as const;

/** By the beginning of an id, what it is the id of and how that is shown. */
const RECORDS: Readonly<Record<string, RecordLookup>> = {
  intent_: { noun: 'an intent', operation: 'getIntent', member: 'mandateId' },
  apr_: { noun: 'an approval', operation: 'getApproval', member: 'id' },
  pm_: { noun: 'a payment', operation: 'getPayment', member: 'mandateId' },
};

/** After all of its parts. */
const TRANSACTION: typeof RECORDS = {
  txn_: { noun: 'a whole transaction', operation: 'evidenceBundle', member: 'transactionId' },
};

/** Of an approval: it is not waited for. */
const AT_ONCE = { wait: 0 };

/** How a record says how it stands. */
interface StatusView {
  readonly status?: string;
  readonly state?: string;
  readonly summary?: { readonly status: string };
}

/** @param added the records of extensions */
export function checkStatus(added: Readonly<Record<string, RecordLookup>>) {
  const records = { ...RECORDS, ...added, ...TRANSACTION };
  const prefixes = Object.keys(records).join(', ');
  return tool({
    name: 'check_status',
    title: 'Look at a record',
    description: `Look at ${Object.values(records)
      .map(({ noun }) => noun)
      .join(', ')} by its id.`,
    input: z.object({
      id: z.string().describe(`Begins with one of ${prefixes}.`),
      decision: z
        .boolean()
        .default(false)
        .describe('Of an approval: also how it ended, with what the passkey signed, for others to verify.'),
    }),
    output: z.looseObject({}),
    hints: READ_ONLY,
    async run({ desk }, { id, decision }) {
      const prefix = /^[a-z]+_/.exec(id)?.[0] ?? '';
      const found = Object.hasOwn(records, prefix) ? records[prefix] : undefined;
      if (found === undefined) {
        const message = `begins with ${prefixes}`;
        throw new Fault('BAD_REQUEST', `id: ${message}.`, [{ path: 'id', message }]);
      }
      const ofApproval = prefix === 'apr_' ? { ...AT_ONCE, ...(decision ? { include: 'decision' } : {}) } : {};
      const ask = desk.ask as (name: string, input: object) => Promise<unknown>;
      const record = await ask(found.operation, { [found.member]: id, ...ofApproval });
      const { status, state, summary } = record as StatusView;
      return { output: record as object, text: `${id} is ${status ?? state ?? summary?.status}.` };
    },
  });
}

const MAX_WAIT_SECONDS = 30;

export const waitForApproval = tool({
  name: 'wait_for_approval',
  title: 'Wait for the person',
  description:
    'Wait until the person has approved or denied. Once approved it returns hpProof: call validate_cart again with it.',
  input: z.object({
    approvalId: z.string().describe('From validate_cart, approval.id.'),
    waitSeconds: z.number().min(0).max(MAX_WAIT_SECONDS).default(25),
  }),
  output: ApprovalState,
  hints: READ_ONLY,
  async run({ desk }, { approvalId, waitSeconds }) {
    const state = await desk.ask('getApproval', { id: approvalId, wait: waitSeconds });
    const next = {
      pending: 'It is not decided yet; call this again.',
      approved: 'The person approved; call validate_cart again with hpProof.',
      denied: 'The person denied it.',
      expired: 'No person decided in time.',
    };
    const people = state.people === undefined ? '' : `${peopleSentence(state.people)} `;
    return { output: state, text: `${people}${next[state.status]}` };
  },
});

const explained = table.explainPolicy;

export const policyExplain = tool({
  name: 'policy_explain',
  title: 'Ask the policy',
  description:
    'Ask what the policy would say of a purchase, before asking for an intent. Nothing is issued or counted.',
  input: explained.input,
  output: explained.output as z.ZodObject,
  hints: READ_ONLY,
  async run({ desk }, input) {
    const result = await desk.ask(
      'explainPolicy',
      compact({ ...input, agentDid: input.agentDid ?? (await desk.agent()) }),
    );
    const person = result.hpRequired ? ' A person would be asked.' : '';
    const text = result.allowed
      ? `It would be allowed.${person}`
      : `It would be refused. ${[sentencesOf(result), result.counterfactual?.sentence ?? ''].join(' ')}`;
    return { output: result, text };
  },
});

const limitsShown = table.showLimits;

export const checkLimits = tool({
  name: 'check_limits',
  title: 'Look at what is left',
  description:
    'See the limits over time that hold, with what is used of each and what is left; of the agent that the credential names, where it names one.',
  input: limitsShown.input,
  output: limitsShown.output as z.ZodObject,
  hints: READ_ONLY,
  async run({ desk }, input) {
    const agentDid = input.agentDid ?? (await desk.agent());
    const shown = await desk.ask('showLimits', compact({ ...input, agentDid }));
    return { output: shown, text: limitsSentence(shown.limits) };
  },
});

export const listPurchases = tool({
  name: 'list_purchases',
  title: 'List purchases',
  description: 'List payments, newest first; of the agent that the credential names, where it names one.',
  input: PageRequest.extend({ status: PaymentStatus.optional(), agentDid: Did.optional() }),
  output: table.listPayments.output as unknown as z.ZodObject,
  hints: READ_ONLY,
  async run({ desk }, input) {
    const page = await desk.ask(
      'listPayments',
      compact({ ...input, agentDid: input.agentDid ?? (await desk.agent()) }),
    );
    const lines = page.data.map((payment: z.infer<typeof Payment>) => {
      const { mandateId, amount, currency, merchant, status } = payment;
      return `${mandateId}: ${formatAmount(amount, currency)} to ${merchant}, ${status}`;
    });
    return { output: page, text: lines.join('\n') || 'There are no payments.' };
  },
});

export const getEvidence = tool({
  name: 'get_evidence',
  title: 'Get the evidence',
  description: 'Get everything that was recorded of a transaction, and whether the chain around it holds.',
  input: z.object({ transactionId: z.string().describe('Begins with txn_; records and credentials carry it.') }),
  output: z.looseObject({}),
  hints: READ_ONLY,
  async run({ desk }, { transactionId }) {
    const bundle = await desk.ask('evidenceBundle', { transactionId });
    return { output: bundle, text: JSON.stringify(bundle) };
  },
});
