/**
 * A person with passkeys on two devices, who is asked to approve purchases: at once, late or never, and by everything that must not
 * work, such as an assertion for another challenge, of a stranger, after a no, or a second time. The oracle says whether it did.
 */
import type { JsonObject } from '../../support/peer.ts';
import type { Loose } from '../../support/world.ts';
import { type Chance, chance } from '../machine/chance.ts';
import { BASE_URL } from '../world.ts';
import { Authenticator, type Wrong } from './authenticator.ts';
import { type Answered, Desk, OWNER } from './desk.ts';

/** Whose purchases a passkey approves. */
export type Holder = { readonly principalDid: string } | { readonly agentDid: string };

/** A request that an agent has passed on. */
export interface Wanted {
  readonly id: string;
  readonly holder: Holder;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

export interface Home {
  /** Without a credential: what every holder of a link may ask. */
  readonly desk: Desk;
  /** Whom this person answers for. */
  readonly holders: readonly Holder[];
  /** What agents have passed on, for all people. */
  readonly letters: readonly Wanted[];
  readonly pauseMs: number;
  isOpen(): boolean;
}

/** A person in the world, with what they have. */
interface Person extends Home {
  readonly owner: Desk;
  readonly dice: Chance;
  readonly devices: readonly [Authenticator, Authenticator];
  /** Belongs to no person here. */
  readonly stranger: Authenticator;
  /** How many letters were looked at. */
  read: number;
  /** Requests of before, to try things with. */
  readonly former: Wanted[];
  /** Passkeys as they were enrolled. */
  readonly enrolled: { readonly id: string; readonly credentialId: string; readonly holder: Holder }[];
}

interface Begun {
  readonly challengeId: string;
  readonly challenge: string;
  readonly allowed: readonly string[];
}

type Decision = 'approve' | 'deny';
type Temper = (person: Person, wanted: Wanted) => Promise<void>;

/** How often a person tries once more where nothing was answered. */
const TRIES = 4;

export async function answerDoor(home: Home): Promise<void> {
  const { desk } = home;
  const { seed } = desk.world.options;
  const of = (what: string) => chance(`${seed} ${what} of ${desk.owner.name}`);
  const device = (what: string) => new Authenticator(of(what), new URL(BASE_URL).origin);
  const owner = new Desk(desk.world, desk.owner, OWNER);
  const devices = [device('phone'), device('tablet')] as const;
  const own = { owner, dice: of('temper'), devices, stranger: device('stranger'), former: [], read: 0, enrolled: [] };
  const person: Person = { ...home, ...own };
  while (home.isOpen()) {
    await desk.pause(person.dice.fraction() * home.pauseMs);
    for (const holder of home.holders) {
      if (home.isOpen() && count(person, holder) < 2) await enroll(person, holder);
    }
    const wanted = take(person);
    if (wanted === undefined || !home.isOpen()) continue;
    const temper = person.dice.permille(450) ? atOnce : person.dice.of(TEMPERS);
    await temper(person, wanted);
    person.former.push(wanted);
  }
}

/** The next letter that is for this person. */
function take(person: Person): Wanted | undefined {
  const { letters, holders } = person;
  const isOwn = ({ holder }: Wanted) => holders.some((each) => didOf(each) === didOf(holder));
  while (person.read < letters.length) {
    const letter = letters[person.read] as Wanted;
    person.read += 1;
    if (isOwn(letter)) return letter;
  }
  return undefined;
}

function didOf(holder: Holder): string {
  return Object.values(holder)[0] as string;
}

function count({ enrolled }: Person, holder: Holder): number {
  return enrolled.filter((each) => didOf(each.holder) === didOf(holder)).length;
}

/** By a link that the owner makes: a person without an answer begins anew, and has one passkey more where it had been done. */
async function enroll(person: Person, holder: Holder): Promise<void> {
  const { desk, owner, devices, dice } = person;
  const route = ['POST', '/ap2/admin/enrollments'] as const;
  const link = await owner.rest({ call: 'createEnrollment', route, input: { ...holder } });
  if (link?.status !== 201) return;
  const { pathname } = new URL(link.body.url);
  const begin = { call: 'beginEnrollment', route: ['POST', `${pathname}/begin`] as const };
  const begun = await desk.rest({ ...begin, input: { deviceName: 'device' } });
  if (begun?.status !== 200) return;
  const credential = dice.of(devices).create(begun.body.publicKey.challenge);
  const complete = { call: 'completeEnrollment', route: ['POST', `${pathname}/complete`] as const };
  const made = await desk.rest({ ...complete, input: { credential } });
  if (made?.status === 200) person.enrolled.push({ id: made.body.id, credentialId: credential.id, holder });
}

const atOnce: Temper = async (person, wanted) => {
  for (let tries = 1; tries <= TRIES; tries++) {
    const done = await decide(person, wanted, 'approve');
    if (done !== undefined && done.status !== 503) return;
    await person.desk.pause(person.dice.below(2000));
  }
};

const TEMPERS: readonly Temper[] = [
  async function never() {},
  async function late(person, wanted) {
    await person.desk.pause(person.dice.below(40_000));
    await decide(person, wanted, 'approve');
  },
  async function afterItsTime(person, wanted) {
    const begun = await begin(person, wanted, 'approve');
    await person.desk.pause(Math.max(0, Math.min(60_000, wanted.expiresAt - person.desk.world.loop.time)) + 2000);
    if (begun !== undefined) await complete(person, wanted, begun);
    await decide(person, wanted, 'approve');
  },
  async function no(person, wanted) {
    const yes = await begin(person, wanted, 'approve');
    await decide(person, wanted, 'deny');
    if (yes !== undefined) await complete(person, wanted, yes);
    await decide(person, wanted, 'approve');
  },
  async function noByLink({ desk }, wanted) {
    await desk.rest({
      call: 'denyByLink',
      route: ['POST', `/approve/${wanted.id}/deny`],
      input: { decision: 'deny' },
      named: named(wanted),
    });
  },
  async function onTwoDevices(person, wanted) {
    const second = person.dice.permille(500) ? 'approve' : 'deny';
    const begun = await Promise.all([begin(person, wanted, 'approve'), begin(person, wanted, second)]);
    await Promise.all(
      begun.map((each, at) => each && complete(person, wanted, each, { by: person.devices[at] as Authenticator })),
    );
  },
  async function twiceAtOnce(person, wanted) {
    const begun = await begin(person, wanted, 'approve');
    if (begun === undefined) return;
    const given = credentialFor(person, begun);
    if (given === undefined) return;
    await Promise.all([1, 2].map(() => send(person, wanted, begun, given)));
    await send(person, wanted, begun, given);
  },
  async function forAnotherChallenge(person, wanted) {
    const [one, other] = [await begin(person, wanted, 'approve'), await begin(person, wanted, 'approve')];
    if (one === undefined || other === undefined) return;
    const given = credentialFor(person, one);
    if (given === undefined) return;
    await send(person, wanted, other, given);
    await send(person, wanted, one, given);
  },
  async function forAnotherPurchase(person, wanted) {
    const begun = await begin(person, wanted, 'approve');
    if (begun === undefined) return;
    // One that is open as well, where there is one.
    await complete(person, take(person) ?? person.former.at(-1) ?? wanted, begun);
    await complete(person, wanted, begun);
  },
  async function againForTheNext(person, wanted) {
    const begun = await begin(person, wanted, 'approve');
    const given = begun && credentialFor(person, begun);
    if (begun === undefined || given === undefined) return;
    await send(person, wanted, begun, given);
    const next = take(person);
    const fresh = next && (await begin(person, next, 'approve'));
    if (next === undefined || fresh === undefined) return;
    await send(person, next, fresh, given);
    await send(person, next, begun, given);
  },
  async function aYesMadeOfANo(person, wanted) {
    const [no, yes] = [await begin(person, wanted, 'deny'), await begin(person, wanted, 'approve')];
    const given = no && credentialFor(person, no);
    if (yes !== undefined && given !== undefined) await send(person, wanted, yes, given);
  },
  async function byAStranger(person, wanted) {
    const { stranger, dice } = person;
    const own = stranger.create('unsolicited').id;
    const begun = await begin(person, wanted, 'approve');
    if (begun === undefined) return;
    const claimed = dice.permille(500) ? own : (begun.allowed[0] ?? own);
    await send(person, wanted, begun, stranger.assert(begun.challenge, claimed));
  },
  async function bySomebodyElsesPasskey(person, wanted) {
    const begun = await begin(person, wanted, 'approve');
    // One that is enrolled, and for others.
    const other = person.enrolled.find(
      ({ credentialId }) => begun !== undefined && !begun.allowed.includes(credentialId),
    );
    const by = other && person.devices.find((each) => each.own([other.credentialId]) !== undefined);
    if (begun === undefined || other === undefined || by === undefined) return;
    await send(person, wanted, begun, by.assert(begun.challenge, other.credentialId));
  },
  async function byAWrongDevice(person, wanted) {
    const wrong = person.dice.of<Wrong>([
      { unverified: true },
      { origin: 'http://node.example.evil.example' },
      { rewound: true },
      { forged: true },
    ]);
    const begun = await begin(person, wanted, 'approve');
    if (begun !== undefined) await complete(person, wanted, begun, { wrong });
  },
  async function byARemovedPasskey(person, wanted) {
    const begun = await begin(person, wanted, 'approve');
    const given = begun && credentialFor(person, begun);
    if (begun === undefined || given === undefined) return;
    const place = person.enrolled.findIndex(({ credentialId }) => credentialId === given['id']);
    const [lost] = place < 0 ? [] : person.enrolled.splice(place, 1);
    if (lost !== undefined) await remove(person, lost.id);
    await send(person, wanted, begun, given);
    const again = await begin(person, wanted, 'approve');
    const by = person.devices.find((each) => each.own([String(given['id'])]) !== undefined);
    if (again !== undefined && by !== undefined)
      await send(person, wanted, again, by.assert(again.challenge, String(given['id'])));
  },
];

async function remove({ owner }: Person, id: string): Promise<void> {
  await owner.surely({ call: 'removePasskey', route: ['DELETE', `/ap2/hp/passkeys/${id}`], input: {}, named: { id } });
}

async function decide(person: Person, wanted: Wanted, decision: Decision): Promise<Answered | undefined> {
  const begun = await begin(person, wanted, decision);
  return begun && complete(person, wanted, begun);
}

/** @returns what is to be signed, and by which passkeys */
export async function begin(
  { desk }: Pick<Person, 'desk'>,
  wanted: Wanted,
  decision: Decision,
): Promise<Begun | undefined> {
  const route = ['POST', `/approve/${wanted.id}/begin`] as const;
  const told = await desk.rest({ call: 'beginDecision', route, input: { decision }, named: named(wanted) });
  if (told?.status !== 200) return undefined;
  const { challengeId, publicKey } = told.body;
  const allowed = publicKey.allowCredentials.map(({ id }: Loose) => id as string);
  return { challengeId, challenge: publicKey.challenge, allowed };
}

interface Manner {
  readonly by?: Authenticator;
  readonly wrong?: Wrong;
}

async function complete(
  person: Person,
  wanted: Wanted,
  begun: Begun,
  manner: Manner = {},
): Promise<Answered | undefined> {
  const given = credentialFor(person, begun, manner);
  return given && send(person, wanted, begun, given);
}

/** @returns undefined where none of the passkeys that may answer is on the devices */
function credentialFor({ devices, dice }: Person, begun: Begun, { by, wrong }: Manner = {}): JsonObject | undefined {
  const first = by ?? dice.of(devices);
  const device = [first, ...devices].find((each) => each.own(begun.allowed) !== undefined);
  const id = device?.own(begun.allowed);
  return device === undefined || id === undefined ? undefined : device.assert(begun.challenge, id, wrong);
}

export function send({ desk }: Pick<Person, 'desk'>, wanted: Wanted, { challengeId }: Begun, credential: JsonObject) {
  const route = ['POST', `/approve/${wanted.id}/complete`] as const;
  return desk.rest({ call: 'completeDecision', route, input: { challengeId, credential }, named: named(wanted) });
}

function named({ id }: Wanted): JsonObject {
  return { approvalId: id };
}
