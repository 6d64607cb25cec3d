/**
 * I3 and I6 across rotations of keys: a signer signs while the chain says that the key is in force, a checkpoint by the key
 * that was in force at its length; what was issued before a rotation is taken after it; and a key that was retired, revoked or
 * unbound opens nothing any more.
 */
import { createHash } from 'node:crypto';
import { isProvenBy, type JsonObject } from '../../support/peer.ts';
import type { Books, Happening, Violation } from '../history.ts';
import { type Asked, type Calls, doneBody } from './calls.ts';
import { type Law, type Of, violated } from './law.ts';
import { sayCall } from './sayHappening.ts';
import { CartAllowed, type Event, eventOf, IssuerRotated, MerchantBound, Signed } from './shapes.ts';
import { membersOf } from './trail.ts';

/** One credential of so many has its signature verified, since that takes long. */
const VERIFIED = 16;
/** A date that a credential bears, and the moment of the key's retirement, are of one clock. */
const GRAIN_MS = 50;

/** A key of the issuer, from an event of the chain on. */
interface Key {
  readonly did: string;
  readonly fromSeq: number;
  /** When the key before it was retired. */
  readonly fromMs: number;
}

/** What a key has signed since the books were read last: the first date and the last one. */
interface Dates {
  first: { readonly at: number; readonly place: number };
  last: { readonly at: number; readonly place: number };
}

export class KeyLaw implements Law {
  readonly #calls: Calls;
  readonly #keys: Key[] = [];
  readonly #signed = new Map<string, Dates>();
  /** Checkpoints that were not judged yet, by their note. */
  #notes = new Map<string, number>();
  #judged = new Set<string>();
  #length = 0;
  #credentials = 0;
  /** Since when a key is not bound to a domain any more, and the bindings by their ids. */
  readonly #unbound = new Map<string, number>();
  readonly #bindings = new Map<string, string>();

  constructor(calls: Calls) {
    this.#calls = calls;
  }

  tell(happening: Happening, place: number): readonly Violation[] {
    if (happening.kind === 'checkpoint') this.#notes.set(happening.note, place);
    if (happening.kind === 'quiet') return this.#judge(happening.books, place);
    if (happening.kind !== 'answered') return [];
    const asked = this.#calls.find(happening.id);
    if (asked === undefined) return [];
    this.#followBindings(asked, place);
    const found = [...this.#powerless(asked, happening, place), ...this.#carried(asked, happening, place)];
    if (asked.call === 'issueIntent') found.push(...this.#credential(asked, 'intentVc', place));
    if (asked.call === 'mandatePayment') found.push(...this.#credential(asked, 'pmVc', place));
    return found;
  }

  /** What keys open that are worth nothing any more. */
  #powerless(asked: Asked, { status }: Of<'answered'>, place: number): readonly Violation[] {
    const wrong = (why: string) => [violated('I6', `${sayCall(asked)} was ${why}.`, asked.place, place)];
    if (asked.by.startsWith('the holder of the revoked key') && status !== 401) {
      return wrong(`answered with ${status}, though the key was revoked`);
    }
    if (asked.call !== 'validateCart' || !CartAllowed.safeParse(doneBody(asked)).success) return [];
    if (asked.by.startsWith('a thief')) return wrong('allowed, though the intent was signed by a retired key');
    const { issuer, credentialSubject } = membersOf(membersOf(asked.input)['cartVc']);
    const binding = `${membersOf(credentialSubject)['merchant']} ${issuer}`;
    const unbound = this.#unbound.get(binding);
    if (unbound === undefined || unbound > asked.place) return [];
    return wrong('allowed, though the key of the cart was unbound before');
  }

  /** An intent of a former key is as good as it was. */
  #carried(asked: Asked, { status, body }: Of<'answered'>, place: number): readonly Violation[] {
    if (asked.call !== 'validateCart' || status !== 400 || asked.by.startsWith('a thief')) return [];
    const { issuer } = membersOf(membersOf(asked.input)['intentVc']);
    const current = this.#keys.at(-1)?.did;
    if (current === undefined || issuer === current || !this.#keys.some(({ did }) => did === issuer)) return [];
    const sentence = `${sayCall(asked)} was refused after a rotation of the issuer’s key: ${JSON.stringify(body)}.`;
    return [violated('I5', sentence, asked.place, place)];
  }

  #followBindings(asked: Asked, place: number): void {
    if (asked.call === 'bindMerchant') {
      const bound = MerchantBound.safeParse(doneBody(asked)).data;
      if (bound === undefined) return;
      this.#bindings.set(bound.id, `${bound.domain} ${bound.did}`);
      this.#unbound.delete(`${bound.domain} ${bound.did}`);
    }
    if (asked.call !== 'removeMerchant' || asked.end?.answer?.status !== 204) return;
    const binding = this.#bindings.get(String(membersOf(asked.input)['id']));
    if (binding !== undefined) this.#unbound.set(binding, place);
  }

  #credential(asked: Asked, member: string, place: number): readonly Violation[] {
    const given = membersOf(doneBody(asked))[member];
    const signed = Signed.safeParse(given).data;
    if (signed === undefined) return [];
    const { issuer, issuanceDate, proof } = signed;
    for (const at of [Date.parse(issuanceDate), Date.parse(proof.created)]) {
      const dates = this.#signed.get(issuer) ?? { first: { at, place }, last: { at, place } };
      this.#signed.set(issuer, dates);
      if (at < dates.first.at) dates.first = { at, place };
      if (at > dates.last.at) dates.last = { at, place };
    }
    this.#credentials += 1;
    if (this.#credentials % VERIFIED !== 1) return [];
    if (isProvenBy(issuer, given as JsonObject, 'assertionMethod')) return [];
    return [
      violated(
        'I6',
        `${sayCall(asked)} was answered with a credential whose signature does not hold.`,
        asked.place,
        place,
      ),
    ];
  }

  #judge(books: Books, place: number): readonly Violation[] {
    for (const note of books.checkpoints) if (!this.#judged.has(note)) this.#notes.set(note, place);
    const events = books.events.map(eventOf).filter(({ seq }) => seq > this.#length);
    if (this.#keys.length === 0) this.#begin(events[0]);
    this.#length = events.at(-1)?.seq ?? this.#length;
    const found = events.flatMap((event) => this.#rotate(event, place));
    return [...found, ...this.#judgeNotes(place), ...this.#judgeDates()];
  }

  /** The first key is the one whose DID the chain begins with. */
  #begin(first: Event | undefined): void {
    for (const note of this.#notes.keys()) {
      const { tenant, signer } = partsOf(note);
      const begin = `sha256:${createHash('sha256').update(`${signer}\n${tenant}`).digest('hex')}`;
      if (first?.seq !== 1 || begin !== first.hashPrev) continue;
      this.#keys.push({ did: signer, fromSeq: 1, fromMs: 0 });
      return;
    }
  }

  #rotate({ eventType, data, seq }: Event, place: number): readonly Violation[] {
    if (eventType !== 'ISSUER_ROTATED') return [];
    const wrong = (why: string) => [violated('I3', `The rotation in event ${seq} ${why}.`, place)];
    const parsed = IssuerRotated.safeParse(data);
    if (!parsed.success) return wrong('has no known form');
    const { rotation } = parsed.data;
    const { from, to } = parsed.data;
    const current = this.#keys.at(-1)?.did;
    if (current !== undefined && from !== current) return wrong(`is from ${from}, while ${current} was in force`);
    if (rotation.from !== from || rotation.to !== to) return wrong('names other keys than its statement');
    if (!isProvenBy(from, rotation as unknown as JsonObject, 'assertionMethod'))
      return wrong('is not signed by the former key');
    this.#keys.push({ did: to, fromSeq: seq, fromMs: Date.parse(rotation.proof.created) });
    return [];
  }

  #judgeNotes(place: number): readonly Violation[] {
    const found: Violation[] = [];
    for (const [note, kept] of this.#notes) {
      const { size, signer } = partsOf(note);
      if (size > this.#length) continue;
      this.#notes.delete(note);
      this.#judged.add(note);
      const inForce = this.#keys.findLast(({ fromSeq }) => fromSeq <= size)?.did;
      if (inForce === undefined || inForce === signer) continue;
      const sentence = `The checkpoint over ${size} events is signed by ${signer}, while ${inForce} was in force.`;
      found.push(violated('I3', sentence, kept, place));
    }
    return found;
  }

  #judgeDates(): readonly Violation[] {
    const found: Violation[] = [];
    for (const [issuer, { first, last }] of this.#signed) {
      const index = this.#keys.findIndex(({ did }) => did === issuer);
      if (this.#keys.length === 0) continue;
      if (index < 0) {
        found.push(violated('I6', `A credential is issued by ${issuer}, which the chain does not know.`, first.place));
        continue;
      }
      const from = (this.#keys[index] as Key).fromMs;
      const until = this.#keys[index + 1]?.fromMs ?? Infinity;
      const outside = first.at < from - GRAIN_MS ? first : last.at > until + GRAIN_MS ? last : undefined;
      if (outside === undefined) continue;
      const when = new Date(outside.at).toISOString();
      found.push(
        violated('I6', `A credential of ${issuer} is dated ${when}, when that key was not in force.`, outside.place),
      );
    }
    this.#signed.clear();
    return found;
  }
}

function partsOf(note: string): { readonly tenant: string; readonly size: number; readonly signer: string } {
  const [text = '', signatures = ''] = note.split('\n\n');
  const [origin = '', size = ''] = text.split('\n');
  return {
    tenant: String(origin.split('/').at(-1)),
    size: Number(size),
    signer: /^— (\S+) /.exec(signatures)?.[1] ?? '',
  };
}
