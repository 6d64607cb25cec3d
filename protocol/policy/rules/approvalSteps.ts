/** How many different people must approve a purchase, by its amount. */
import { formatMoney, fromMinor } from '../../money.ts';
import { type Direction, NO_LIMIT, type Pair } from '../direction.ts';
import { NOT_SET, otherCurrency } from '../explain.ts';
import type { Remark, Rule } from '../rule.ts';
import { ApprovalSteps, peopleText, type Quorum, stepFor, stepsIn, stepsOf } from '../values/approvalStep.ts';

const PATH = 'context.approval';

type RuleForm = {
  /** Who must approve a purchase; undefined where no step is about it, or the policy's amounts are in another currency. */
  readonly quorumFor: (amountMinor: number, currency: string) => Quorum | undefined;
};

const schema = {
  context: {
    approval: ApprovalSteps.optional().describe(
      'How many different people must approve, in one step or several by amount.',
    ),
  },
};

/** Whether what one step asks for is asked for by the other as well. */
function asksFor(step: Quorum | undefined, other: Quorum | undefined): boolean {
  if (other === undefined) return true;
  if (step === undefined) return false;
  const isAmongThem = step.roles.every((role) => other.roles.includes(role));
  return step.people >= other.people && isAmongThem && (step.notOwnerOfAgent || !other.notOwnerOfAgent);
}

/** Tighter only where every amount needs at least the people that it needed before. */
function directionOf({ former, next }: Pair<ApprovalSteps>): Direction | undefined {
  const [before, after] = [stepsIn(former), stepsIn(next)];
  const amounts = [...before, ...after].map(({ above }) => above);
  const at = (steps: readonly Quorum[], amount: number) => steps.findLast(({ above }) => above <= amount);
  const keeps = amounts.every((amount) => asksFor(at(after, amount), at(before, amount)));
  const adds = !amounts.every((amount) => asksFor(at(before, amount), at(after, amount)));
  if (!keeps) return 'looser';
  return adds ? 'tighter' : undefined;
}

export const approvalSteps: Rule<typeof schema, never, 'approval', RuleForm> = {
  schema,
  members: {
    'context.approval': {
      label: 'Approval by several people',
      about: 'Above an amount so many different people must approve, each with a passkey of their own.',
      change: { label: 'people who approve', direction: directionOf },
      sentence(steps, { money }) {
        const each = stepsIn(steps).map((step) => {
          const what = step.above === 0 ? 'every purchase' : `what costs more than ${money(step.above)}`;
          return `${what} takes ${peopleText(step)}`;
        });
        return `To approve ${each.join('; ')}.`;
      },
      parts: {
        people: { label: 'How many people', about: 'From 1 to 5; two passkeys of one person count once.' },
        above: {
          label: 'Above',
          about: 'What costs more than this; every purchase where it is not set.',
          isAmount: true,
        },
        roles: { label: 'Their roles', about: 'Whose approvals count: those of OWNER and ADMIN where none is chosen.' },
        not_owner_of_agent: {
          label: 'Not the agent’s owner',
          about: 'Yes: the approval of the user who owns the agent does not count.',
        },
      },
      docs: {
        about: `How many different people must approve a purchase \`above\` an amount (every purchase, where that is absent): \`people\`, from 1 to 5, each with a touch of a passkey. Several steps are a list; the one with the highest amount that the purchase lies above decides.

Approvals of users count whose role is in \`roles\` (\`OWNER\` and \`ADMIN\` when absent), and for a registered principal those of its own passkeys. A passkey that was enrolled for the agent is its owner's. Two passkeys of one person count once, and with \`not_owner_of_agent\` the agent's owner does not count. Roles are judged at the touch, and again when the purchase is paid. One denial ends the purchase. [The guide](/docs/guides/presence.md#several-people) shows such a purchase.`,
        example: {
          spend: { amount_cap: 5000, currency: 'USD' },
          context: {
            approval: [
              { people: 1, above: 100 },
              { people: 2, above: 1000, roles: ['OWNER', 'ADMIN'], not_owner_of_agent: true },
            ],
          },
        },
        cases: [
          {
            name: 'no person is asked',
            request: { amount: 100, currency: 'USD' },
            expect: { allowed: true, hpRequired: false },
          },
          {
            name: 'one person',
            request: { amount: 1000, currency: 'USD' },
            expect: { allowed: true, hpRequired: true },
          },
          {
            name: 'two people',
            request: { amount: 1000.01, currency: 'USD' },
            expect: { allowed: true, hpRequired: true },
          },
        ],
      },
    },
  },
  compile(rules) {
    const steps = stepsOf(rules);
    const own = rules.spend?.currency;
    return {
      quorumFor: (amountMinor, currency) =>
        own === undefined || own === currency ? stepFor(steps, amountMinor, currency) : undefined,
    };
  },
  presence: {
    cause: 'approval',
    isSet: ({ rules }) => stepsOf(rules).length > 0,
    asks({ policy, request: { amountMinor, currency }, comparable }) {
      const quorum = comparable ? policy.quorumFor(amountMinor, currency) : undefined;
      if (quorum === undefined) return undefined;
      const what = quorum.above === 0 ? '' : `, more than ${quorum.above},`;
      return `${formatMoney(amountMinor, currency)}${what} takes the approval of ${peopleText(quorum)}.`;
    },
    measure(input) {
      const { amountMinor, currency } = input.request;
      const [lowest] = stepsOf(input.policy.rules);
      if (lowest === undefined) return NOT_SET;
      if (!input.comparable) return otherCurrency(input);
      const sentence = `${formatMoney(amountMinor, currency)} needs no step of approval; the lowest begins above ${lowest.above}.`;
      return { asked: fromMinor(amountMinor, currency), limit: lowest.above, currency, sentence };
    },
  },
  conflicts(rules) {
    const steps = stepsOf(rules);
    const isTwice = steps.some(({ above }, index) => above === steps[index + 1]?.above);
    return isTwice ? [{ path: PATH, message: 'must have one step for each amount' }] : [];
  },
  warnings(rules): readonly Remark[] {
    const { spend, context } = rules;
    const steps = stepsOf(rules);
    const [lowest] = steps;
    if (lowest === undefined) return [];
    if (context?.presence === 'never') {
      const message = `It never applies: context.presence is never, so what costs more than ${lowest.above} is refused.`;
      return [{ path: PATH, message }];
    }
    const most = spend?.presence_cap ?? spend?.amount_cap ?? NO_LIMIT;
    const above = steps.filter((step) => step.above >= most);
    const lower = steps.filter((step, index) => step.people < (steps[index - 1]?.people ?? 0));
    return [
      ...above.map((step) => ({
        path: PATH,
        message: `The step above ${step.above} never applies: no purchase above ${most} passes.`,
      })),
      ...lower.map((step) => ({
        path: PATH,
        message: `The step above ${step.above} takes fewer people than the one before it.`,
      })),
    ];
  },
};
