/** Codes by which a person shows that an e-mail address is theirs, so that no user makes the node write to strangers. */
import { Fault } from '../../../../protocol/wire/fault.ts';
import { listEvidence } from '../../../store/statements/evidence/search.ts';
import type { Script } from '../../../store/store.ts';
import type { Deps } from '../../../usecase/deps.ts';

const DAY_MS = 24 * 3600 * 1000;
/** Crockford's alphabet has no letters that are read as digits. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
/** 40 bits: more than can be tried within its time at the rate that callers have. */
const LENGTH = 8;
/** How many codes are sent within a day. */
const MOST = { ofUser: 5, ofTenant: 50 } as const;
const PAGE = 200;

/** @param now milliseconds since the epoch */
export function newCode(deps: Pick<Deps, 'newToken'>, now: number): { readonly code: string; readonly until: number } {
  const bytes = Buffer.from(deps.newToken(''), 'base64url').subarray(0, LENGTH);
  const letters = [...bytes].map((byte) => ALPHABET[byte % ALPHABET.length]);
  return {
    code: `${letters.slice(0, LENGTH / 2).join('')}-${letters.slice(LENGTH / 2).join('')}`,
    until: now + DAY_MS,
  };
}

/** Whether what a person typed is a code, in letters of either case and without regard to blanks and dashes. */
export function isCode(typed: string, code: string): boolean {
  return bare(typed) === bare(code);
}

function bare(text: string): string {
  return text.toUpperCase().replace(/[^0-9A-Z]/g, '');
}

/** @throws Fault CONFLICT where many codes were sent within a day, as the evidence has it */
export function* requireFewCodes(tenantId: string, userId: string, now: number): Script<void> {
  const filter = { eventTypes: ['NOTIFICATIONS_ADDED'], from: now - DAY_MS };
  let before: number | undefined;
  let all = 0;
  let own = 0;
  do {
    const rows = yield* listEvidence(tenantId, filter, before, PAGE);
    const sent = rows
      .map(({ data }) => JSON.parse(data) as NewChannel)
      .filter(({ unconfirmed }) => unconfirmed === true);
    all += sent.length;
    own += sent.filter((added) => added.userId === userId).length;
    before = rows.length < PAGE ? undefined : rows.at(-1)?.seq;
  } while (before !== undefined);
  if (own < MOST.ofUser && all < MOST.ofTenant) return;
  const whose = own < MOST.ofUser ? `this node ${MOST.ofTenant}` : `a user ${MOST.ofUser}`;
  throw new Fault(
    'CONFLICT',
    `Within a day ${whose} e-mail addresses are asked to confirm at most; try again tomorrow.`,
  );
}

interface NewChannel {
  readonly userId: string;
  readonly unconfirmed?: boolean;
}
