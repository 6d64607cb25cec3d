/** I7 and I8 in a few lines: money at the rail is money in the books, and every request ends. */
import type { Books, Happening, Oracle, Violation } from './history.ts';

const PATIENCE_MS = 60_000;

interface Booked {
  readonly mandateId: string;
  readonly status: string;
  readonly captured: number;
  readonly refunded: number;
  readonly amount: number;
  readonly attention?: unknown;
}

export function plainOracle(): Oracle {
  const open = new Map<number, { readonly place: number; readonly at: number }>();
  let place = -1;
  let now = 0;
  const late = (): Violation[] =>
    [...open]
      .filter(([, { at }]) => now - at > PATIENCE_MS)
      .map(([id, asked]) => ({ invariant: 'I8', sentence: `Request ${id} has no end.`, happenings: [asked.place] }));
  return {
    tell(happening: Happening) {
      place += 1;
      now = happening.at;
      if (happening.kind === 'asked') open.set(happening.id, { place, at: happening.at });
      if (happening.kind === 'answered' || happening.kind === 'unanswered') open.delete(happening.id);
      return happening.kind === 'quiet' ? compare(happening.books, place) : [];
    },
    end: late,
  };
}

function compare({ payments, rail }: Books, place: number): Violation[] {
  const booked = new Map((payments as Booked[]).map((payment) => [payment.mandateId, payment]));
  const wrong: string[] = [];
  for (const { payment, authorizedMinor, capturedMinor, refundedMinor, cancelled } of rail) {
    const known = booked.get(payment);
    const isHeld = !cancelled && authorizedMinor > 0;
    if (known === undefined) wrong.push(`Payment ${payment} is at the rail and not in the books.`);
    else if (known.attention !== undefined) continue;
    else if (isHeld !== !['FAILED', 'CANCELED', 'PENDING', 'UNKNOWN'].includes(known.status)) {
      wrong.push(`Payment ${payment} is ${known.status} in the books, and ${isHeld ? 'held' : 'released'} at the rail.`);
    } else if (Math.round(known.captured * 100) !== capturedMinor || Math.round(known.refunded * 100) !== refundedMinor) {
      wrong.push(`Payment ${payment}: ${capturedMinor} and ${refundedMinor} at the rail, not as in the books.`);
    }
  }
  return wrong.map((sentence) => ({ invariant: 'I7', sentence, happenings: [place] }));
}
