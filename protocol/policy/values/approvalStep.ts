/** Steps of approval by several people: above which amount how many different people must approve, and who they may be. */
import { z } from 'zod';
import { floorToMinor } from '../../money.ts';
import type { Rules } from '../rules.ts';

/** The roles of users who may approve, the widest right first. A VIEWER looks at purchases and decides on none. */
const APPROVING_ROLES = ['OWNER', 'ADMIN', 'MEMBER'] as const;
type ApprovingRole = (typeof APPROVING_ROLES)[number];
const DEFAULT_ROLES: readonly ApprovingRole[] = ['OWNER', 'ADMIN'];

/** More people than that are hardly ever reached in time. */
const MOST_PEOPLE = 5;

const ApprovalStep = z.strictObject({
  people: z.int().min(1).max(MOST_PEOPLE).describe('How many different people must approve.'),
  above: z.number().nonnegative().optional().describe('Purchases above this amount; every purchase when absent.'),
  roles: z
    .array(z.enum(APPROVING_ROLES, 'must be OWNER, ADMIN or MEMBER; a VIEWER decides on nothing'))
    .min(1)
    .max(APPROVING_ROLES.length)
    .optional()
    .describe(
      'The roles of users who may approve, and who alone count then; when absent OWNER and ADMIN, and beside them once the passkey ' +
        'holder of the agent, or of the person or company whose money it is.',
    ),
  not_owner_of_agent: z
    .boolean()
    .optional()
    .describe(
      'Whether the approval of the user who owns the agent does not count, nor that of the agent’s passkey holder.',
    ),
});

/** One step, or several by amount. */
export const ApprovalSteps = z.union([ApprovalStep, z.array(ApprovalStep).min(1).max(MOST_PEOPLE)]);
export type ApprovalSteps = z.infer<typeof ApprovalSteps>;

/** Who must approve one purchase. */
export interface Quorum {
  readonly people: number;
  readonly roles: readonly ApprovingRole[];
  /** Whether the step names the roles: then users alone count, and no passkey holder of an agent or a principal. */
  readonly usersAlone: boolean;
  readonly notOwnerOfAgent: boolean;
  /** In units of the currency; 0 where the step is about every purchase. */
  readonly above: number;
}

/** The steps of a policy in the order of their amounts, the lowest first. */
export function stepsIn(steps: ApprovalSteps | undefined): readonly Quorum[] {
  if (steps === undefined) return [];
  const list = Array.isArray(steps) ? steps : [steps];
  return list
    .map(({ people, above = 0, roles, not_owner_of_agent: notOwnerOfAgent = false }) => ({
      people,
      above,
      roles: APPROVING_ROLES.filter((role) => (roles ?? DEFAULT_ROLES).includes(role)),
      usersAlone: roles !== undefined,
      notOwnerOfAgent,
    }))
    .sort((one, other) => one.above - other.above);
}

export function stepsOf({ context }: Rules): readonly Quorum[] {
  return stepsIn(context?.approval);
}

/**
 * The step of a purchase: the one with the highest amount that the purchase lies above.
 * @param steps from the lowest amount on @param amountMinor in the currency's minor units
 * @returns undefined where no step is about it
 */
export function stepFor(steps: readonly Quorum[], amountMinor: number, currency: string): Quorum | undefined {
  return steps.findLast(({ above }) => amountMinor > floorToMinor(above, currency));
}

/** "2 people who are OWNER or ADMIN", and whether the owner of the agent is one of them. */
export function peopleText({ people, roles, notOwnerOfAgent }: Quorum): string {
  const count = people === 1 ? 'one person' : `${people} people`;
  const who = `${count} with the role ${roles.join(' or ')}`;
  return notOwnerOfAgent ? `${who}, not the agent’s owner` : who;
}
