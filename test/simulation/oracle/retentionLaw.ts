/**
 * I5 over months: what is a record stays for good, and what goes after its time is there until then, and is gone once housekeeping
 * had its time. When a thing was made is told by its id, which begins with the milliseconds; of a session, by the answer that opened it.
 */
import type { Happening, Violation } from '../history.ts';
import type { Asked, Calls } from './calls.ts';
import { type Law, violated } from './law.ts';
import { membersOf } from './trail.ts';

const DAY_MS = 86_400_000;
/** How long after its time a row may stay until housekeeping comes. */
const LATE_DAYS = 8;
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const TIME_CHARACTERS = 10;

/** How many days each thing is kept, as the node promises. */
const KEPT_DAYS: Readonly<Record<string, { readonly member: string; readonly days: number }>> = {
  getIntent: { member: 'mandateId', days: Infinity },
  getPayment: { member: 'mandateId', days: Infinity },
  evidenceBundle: { member: 'transactionId', days: Infinity },
  getWebhookLog: { member: 'id', days: 30 },
  getApproval: { member: 'id', days: 90 },
  getSession: { member: 'contextId', days: 30 },
};

export class RetentionLaw implements Law {
  readonly #calls: Calls;
  readonly #sessions = new Map<string, number>();

  constructor(calls: Calls) {
    this.#calls = calls;
  }

  tell(happening: Happening, place: number): readonly Violation[] {
    if (happening.kind !== 'answered') return [];
    const asked = this.#calls.find(happening.id);
    if (asked === undefined) return [];
    if (asked.call === 'createSession' && happening.status === 201) {
      this.#sessions.set(String(membersOf(asked.input)['contextId']), happening.at);
    }
    return this.#judge(asked, happening.status, place);
  }

  #judge(asked: Asked, status: number, place: number): readonly Violation[] {
    const kept = KEPT_DAYS[asked.call];
    if (kept === undefined || (status !== 200 && status !== 404)) return [];
    const id = String(membersOf(asked.input)[kept.member]);
    const madeAt = this.#sessions.get(id) ?? momentIn(id);
    if (madeAt === undefined) return [];
    const days = (asked.at - madeAt) / DAY_MS;
    const wrong = (why: string) => [
      violated('I5', `${asked.call} of ${id}, made ${Math.floor(days)} days before, ${why}.`, asked.place, place),
    ];
    if (status === 404 && days < kept.days) return wrong(`found nothing, and it is kept ${sayDays(kept.days)}`);
    if (status === 200 && days > kept.days + LATE_DAYS) return wrong(`found it, and it is kept ${sayDays(kept.days)}`);
    return [];
  }
}

function sayDays(days: number): string {
  return days === Infinity ? 'for good' : `for ${days} days`;
}

/** @returns milliseconds since the epoch; undefined for what is no id of the node */
function momentIn(id: string): number | undefined {
  const text = /^[a-z]+_([0-9a-z]{26})$/.exec(id)?.[1];
  if (text === undefined) return undefined;
  let moment = 0;
  for (const character of text.slice(0, TIME_CHARACTERS)) {
    const digit = ALPHABET.indexOf(character);
    if (digit < 0) return undefined;
    moment = moment * 32 + digit;
  }
  return moment;
}
