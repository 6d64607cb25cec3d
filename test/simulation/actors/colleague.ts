/** A user of the node with a passkey, who approves what takes several people: beside the person whose money or agent it is. */
import { chance } from '../machine/chance.ts';
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

export async function helpApprove({ desk, letters, pauseMs, isOpen }: Office): Promise<void> {
  const of = (what: string) => chance(`${desk.world.options.seed} ${what} of ${desk.owner.name}`);
  const dice = of('temper');
  const device = new Authenticator(of('phone'), new URL(BASE_URL).origin);
  let isUser = false;
  for (let next = 0; isOpen(); ) {
    await desk.pause(dice.fraction() * pauseMs);
    isUser ||= await accept(desk, device);
    const wanted = letters[next];
    if (wanted === undefined || !isUser || !isOpen()) continue;
    next += 1;
    // One person counts once, however often they touch.
    for (let times = dice.of([0, 1, 1, 1, 2]); times > 0; times--) {
      await touch(desk, device, wanted, dice.permille(60) ? 'deny' : 'approve');
    }
  }
}

/** Becomes a user with a passkey, by an invitation of the owner. @returns whether it is one */
async function accept(desk: Desk, device: Authenticator): Promise<boolean> {
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
  return (await post('completeAcceptance', 'accept', { credential }))?.status === 200;
}

async function touch(desk: Desk, device: Authenticator, wanted: Wanted, decision: 'approve' | 'deny'): Promise<void> {
  const begun = await begin({ desk }, wanted, decision);
  const id = begun && device.own(begun.allowed);
  if (begun === undefined || id === undefined) return;
  await send({ desk }, wanted, begun, device.assert(begun.challenge, id));
}
