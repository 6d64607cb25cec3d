/** The decisions of one purchase together: its request, its carts and its payment, of those that are loaded. */
import type { Operations } from '../../../client/operations.ts';
import { reasonText } from '../values/reasonText.ts';

export type ListedDecision = Operations['listDecisions']['output']['data'][number];

type Reason = ListedDecision['reasonCodes'][number];

export interface GroupedDecisions {
  /** What is said of the purchase first: its newest refusal, else its newest decision. */
  readonly lead: ListedDecision;
  /** Where the purchase stands. */
  readonly newest: ListedDecision;
  /** The one by which it stands in the list. */
  readonly first: ListedDecision;
  /** The newest first. */
  readonly all: readonly ListedDecision[];
}

/** @param decisions in the order of their list @returns by purchase, in the order of the first that is met of each */
export function groupDecisions(decisions: readonly ListedDecision[]): readonly GroupedDecisions[] {
  const groups = new Map<string, ListedDecision[]>();
  for (const decision of decisions) {
    const group = groups.get(decision.transactionId);
    if (group === undefined) groups.set(decision.transactionId, [decision]);
    else group.push(decision);
  }
  return [...groups.values()].map((all) => {
    const first = all[0] as ListedDecision;
    all.sort((one, other) => other.seq - one.seq);
    const newest = all[0] as ListedDecision;
    return { lead: all.find(({ outcome }) => outcome === 'refused') ?? newest, newest, first, all };
  });
}

/** The node's own sentences, with the figures; a reason that has none by its name. */
export function whyOf({ reasonCodes, details }: Pick<ListedDecision, 'reasonCodes' | 'details'>): string {
  return reasonCodes.map((code) => messageOf(code, details)).join(' ');
}

/** The node's own sentence, unless the console calls what it is about by another name. */
export function messageOf(code: Reason, details: ListedDecision['details']): string {
  const own = code === 'AGENT_NOT_DELEGATED' ? undefined : details[code]?.message;
  return own ?? `${reasonText(code)}.`;
}
