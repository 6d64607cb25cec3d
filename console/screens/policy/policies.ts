/** The policies of the node, and what writes the next version of the one that is in force. */
import { CountersignError } from '../../../client/error.ts';
import type { Rules as GivenRules, Operations, Policy } from '../../../client/operations.ts';
import type { Rules } from '../../../protocol/policy/rules.ts';
import { node } from '../../node/node.ts';

/** A version, as it is named where another may be current by now. */
export interface VersionId {
  readonly id: string;
  readonly version: number;
}

export type PolicyPage = Operations['listPolicies']['output'];

/** A maximum of a limit of a draft, with what it counts now. */
export type LimitCount = Operations['comparePolicies']['output']['limits'][number];

const PAGE = 200;

/** @returns undefined where none is in force, so that nothing may be bought */
export async function currentPolicy(signal: AbortSignal): Promise<Policy | undefined> {
  try {
    return await node.currentPolicy({}, { signal });
  } catch (error) {
    if (error instanceof CountersignError && error.code === 'NOT_FOUND') return undefined;
    throw error;
  }
}

/** A version, with the one that was in force before it and the one that took its place. */
export interface PlacedVersion {
  readonly policy: Policy;
  readonly before: Policy | undefined;
  readonly after: Policy | undefined;
}

/** @returns undefined where there is no such version */
export async function findVersion({ id, version }: VersionId, signal: AbortSignal): Promise<PlacedVersion | undefined> {
  const listed: Policy[] = [];
  let cursor: string | null | undefined;
  while (cursor !== null) {
    const input = { limit: PAGE, ...(cursor === undefined ? {} : { cursor }) };
    const page: PolicyPage = await node.listPolicies(input, { signal });
    listed.push(...page.data);
    cursor = page.cursor;
    // The newest stand first.
    const at = listed.findIndex((each) => each.id === id && each.version === version);
    const policy = listed[at];
    const before = listed[at + 1];
    if (policy !== undefined && (before !== undefined || cursor === null)) {
      return { policy, before, after: listed[at - 1] };
    }
  }
  return undefined;
}

interface Publication {
  readonly rules: Rules;
  /** What is in force as far as the person has seen; undefined where nothing is. */
  readonly over: VersionId | undefined;
  /** One for what is published, so that it is published once, however often it is asked for. */
  readonly idempotencyKey: string;
}

/** @throws CountersignError CONFLICT where another user has published meanwhile */
export function publish({ rules, over, idempotencyKey }: Publication): Promise<Policy> {
  const given = rules as GivenRules;
  if (over === undefined) {
    return node.createPolicy({ name: 'Policy', rules: given, ifCurrent: null }, { idempotencyKey });
  }
  const { id, version } = over;
  return node.updatePolicy({ id, rules: given, ifCurrent: { id, version } }, { idempotencyKey });
}
