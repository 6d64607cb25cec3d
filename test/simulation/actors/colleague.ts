/** A user of the node with a passkey, who approves what takes several people: beside the person whose money or agent it is. */
import { type Chance, chance } from '../machine/chance.ts';
import { BASE_URL } from '../world.ts';
import { Authenticator } from './authenticator.ts';
import { Desk, OWNER } from './desk.ts';
import { begin, send, type Wanted } from './person.ts';

interface Office {
  /** Without a credential, as every holder of a link. */
  readonly desk: Desk;
  /** What agents have passed on, for all people. */
  readonly letters: readonly Wanted[];
  readonly pauseMs: number;
  isOpen(): boolean;
}

/** The colleague, with what they have. */
interface Colleague {
  readonly desk: Desk;
  readonly dice: Chance;
  /** With the passkey of the user that they are. */
  readonly device: Authenticator;
  /** With passkeys that links of their key enrolled for others. */
  readonly tablet: Authenticator;
  /** An API key that the user made. */
  key: { readonly id: string; readonly desk: Desk } | undefined;
}

export async function helpApprove({ desk, letters, pauseMs, isOpen }: Office): Promise<void> {
  const of = (what: string) => chance(`${desk.world.options.seed} ${what} of ${desk.owner.name}`);
  const dice = of('temper');
  const device = (what: string) => new Authenticator(of(what), new URL(BASE_URL).origin);
  const own = { desk, dice: of('two hats'), device: device('phone'), tablet: device('tablet') };
  const colleague: Colleague = { ...own, key: undefined };
  let isUser = false;
  for (let next = 0; isOpen(); ) {
    await desk.pause(dice.fraction() * pauseMs);
    isUser ||= await accept(colleague);
    const wanted = letters[next];
    if (wanted === undefined || !isUser || !isOpen()) continue;
    next += 1;
    if (colleague.dice.permille(300)) await asTwoPeople(colleague, wanted);
    // One person counts once, however often they touch.
    for (let times = dice.of([0, 1, 1, 1, 2]); times > 0; times--) {
      await touch(desk, own.device, wanted, dice.permille(60) ? 'deny' : 'approve');
    }
  }
}

/**
 * Enrolls a passkey for the holder of a purchase by the link of a key that their own key makes, and touches as that holder: while the
 * key is there, or after it was revoked.
 */
async function asTwoPeople({ desk, dice, tablet, key }: Colleague, wanted: Wanted): Promise<void> {
  const child = key && (await makeKey(key.desk));
  if (child === undefined) return;
  const route = ['POST', '/ap2/admin/enrollments'] as const;
  const link = await child.desk.rest({ call: 'createEnrollment', route, input: { ...wanted.holder } });
  if (link?.status !== 201) return;
  const { pathname } = new URL(link.body.url);
  const beginning = { call: 'beginEnrollment', route: ['POST', `${pathname}/begin`] as const };
  const begun = await desk.rest({ ...beginning, input: { deviceName: 'tablet' } });
  if (begun?.status !== 200) return;
  const credential = tablet.create(begun.body.publicKey.challenge);
  const complete = { call: 'completeEnrollment', route: ['POST', `${pathname}/complete`] as const };
  await desk.rest({ ...complete, input: { credential } });
  if (dice.permille(700)) return await touch(desk, tablet, wanted, 'approve');
  const asked = await begin({ desk }, wanted, 'approve');
  const owner = new Desk(desk.world, desk.owner, OWNER);
  const { id } = child;
  await owner.surely({
    call: 'revokeApiKey',
    route: ['DELETE', `/ap2/admin/api-keys/${id}`],
    input: {},
    named: { id },
  });
  // Of a passkey that has ended no browser is told any more; its holder knows it all the same.
  if (asked !== undefined) await send({ desk }, wanted, asked, tablet.assert(asked.challenge, credential.id));
}

/** An API key, made by the caller of a desk. @returns undefined where it was not made */
async function makeKey(maker: Desk): Promise<Colleague['key']> {
  const input = { name: 'of a colleague', permissions: ['admin'] };
  const made = await maker.rest({ call: 'createApiKey', route: ['POST', '/ap2/admin/api-keys'], input });
  if (made?.status !== 201) return undefined;
  return { id: made.body.id, desk: new Desk(maker.world, maker.owner, { apiKey: made.body.key }) };
}

/** Becomes a user with a passkey, by an invitation of the owner. @returns whether it is one */
async function accept(colleague: Colleague): Promise<boolean> {
  const { desk, device } = colleague;
  const owner = new Desk(desk.world, desk.owner, OWNER);
  const name = 'A colleague';
  const input = { role: 'ADMIN', name };
  const invited = await owner.rest({ call: 'createInvitation', route: ['POST', '/ap2/admin/invitations'], input });
  if (invited?.status !== 201) return false;
  const token = String(invited.body.url.split('/').at(-1));
  const post = (call: string, verb: string, more: object) =>
    desk.rest({ call, route: ['POST', `/ap2/auth/invitations/${verb}`], input: { token, name, ...more } });
  const begun = await post('beginAcceptance', 'begin', {});
  if (begun?.status !== 200) return false;
  const credential = device.create(begun.body.publicKey.challenge);
  const accepted = await post('completeAcceptance', 'accept', { credential });
  if (accepted?.status !== 200) return false;
  colleague.key = await makeKey(new Desk(desk.world, desk.owner, { apiKey: accepted.body.accessToken }));
  return true;
}

async function touch(desk: Desk, device: Authenticator, wanted: Wanted, decision: 'approve' | 'deny'): Promise<void> {
  const begun = await begin({ desk }, wanted, decision);
  const id = begun && device.own(begun.allowed);
  if (begun === undefined || id === undefined) return;
  await send({ desk }, wanted, begun, device.assert(begun.challenge, id));
}
