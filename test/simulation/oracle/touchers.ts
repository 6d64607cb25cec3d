/**
 * Whose touch each passkey's is, from the chain alone: a user's who enrolled it, or that of the passkey holder of an agent or a principal;
 * who is behind a holder's link; and which passkeys have ended with the key of their link (docs/guides/presence.md).
 */
import { z } from 'zod';
import type { Event } from './shapes.ts';

const By = z.object({ kind: z.string(), id: z.string() });
type By = z.output<typeof By>;

const Facts = z.object({
  by: By.optional(),
  madeBy: By.optional(),
  enrollmentId: z.string().optional(),
  keyId: z.string().optional(),
  passkeyId: z.string().optional(),
  agentDid: z.string().optional(),
  principalDid: z.string().optional(),
  userDid: z.string().optional(),
  approvedBy: z.string().optional(),
  passkeyOf: z.string().optional(),
});
type Facts = z.output<typeof Facts>;

interface Toucher {
  /** `user`, `agent` or `principal`, a space, and the DID. */
  readonly person: string;
  readonly isHolder: boolean;
  /** Who made its link, or enrolled it. */
  readonly maker: By | undefined;
}

export class Touchers {
  readonly #links = new Map<string, By>();
  readonly #keys = new Map<string, By | undefined>();
  readonly #revoked = new Set<string>();
  readonly #users = new Map<string, string>();
  readonly #passkeys = new Map<string, Toucher>();

  /** @returns what of the event is wrong, subject first and without a full stop */
  follow({ eventType, data }: Event): readonly string[] {
    const facts = Facts.safeParse(data).data ?? {};
    const { by, enrollmentId, keyId } = facts;
    if (eventType === 'HP_LINK_CREATED' && by !== undefined) this.#links.set(String(enrollmentId), by);
    if (eventType === 'KEY_CREATED') this.#keys.set(String(keyId), by);
    if (eventType === 'KEY_REVOKED') this.#revoked.add(String(keyId));
    if (eventType === 'HP_REGISTERED') return this.#register(facts);
    return eventType === 'HP_VERIFIED' ? this.#touch(facts) : [];
  }

  #register(facts: Facts): readonly string[] {
    const { passkeyId, by, madeBy, enrollmentId, userDid, agentDid, principalDid } = facts;
    if (userDid !== undefined && by?.kind === 'user') this.#users.set(by.id, userDid);
    const own = userDid ?? (by?.kind === 'user' && enrollmentId === undefined ? this.#users.get(by.id) : undefined);
    const holder = principalDid === undefined ? `agent ${agentDid}` : `principal ${principalDid}`;
    const maker = enrollmentId === undefined ? by : this.#links.get(enrollmentId);
    const toucher = { person: own === undefined ? holder : `user ${own}`, isHolder: own === undefined, maker };
    this.#passkeys.set(String(passkeyId), toucher);
    // Former versions do not say it.
    if (madeBy === undefined || userDid !== undefined) return [];
    if (madeBy.kind === maker?.kind && madeBy.id === maker.id) return [];
    return [`Passkey ${passkeyId} is said to be made by ${madeBy.id}, and its link was made by ${maker?.id}`];
  }

  #touch({ passkeyId, approvedBy, passkeyOf }: Facts): readonly string[] {
    const toucher = this.#passkeys.get(String(passkeyId));
    if (toucher === undefined) return [];
    const found = this.#hasEnded(toucher.maker)
      ? [`Passkey ${passkeyId} was taken after the key of its link was revoked`]
      : [];
    const said = `${passkeyOf} ${approvedBy}`;
    if (passkeyOf === undefined || said === toucher.person) return found;
    return [
      ...found,
      `The touch of passkey ${passkeyId} is named as that of ${said}, and is that of ${toucher.person}`,
    ];
  }

  #hasEnded(maker: By | undefined): boolean {
    if (maker?.kind !== 'key') return false;
    return this.#revoked.has(maker.id) || this.#hasEnded(this.#keys.get(maker.id));
  }

  /** The user behind a maker; undefined for a key that the node itself made. */
  #userBehind(maker: By | undefined): string | undefined {
    if (maker?.kind === 'user') return `user ${this.#users.get(maker.id)}`;
    return maker?.kind === 'key' ? this.#userBehind(this.#keys.get(maker.id)) : undefined;
  }

  /**
   * Different people among those whose passkeys touched, in this order: a holder counts once, not beside the user behind the link, and
   * not where users alone do.
   */
  peopleOf(passkeyIds: readonly string[], usersAlone: boolean): ReadonlySet<string> {
    const people = new Map<string, string | undefined>();
    for (const id of passkeyIds) {
      const toucher = this.#passkeys.get(id);
      if (toucher === undefined || this.#hasEnded(toucher.maker) || (usersAlone && toucher.isHolder)) continue;
      const maker = toucher.isHolder ? this.#userBehind(toucher.maker) : undefined;
      const isMaker = [...people.values()].includes(toucher.person);
      if (!isMaker && (maker === undefined || !people.has(maker))) people.set(toucher.person, maker);
    }
    return new Set(people.keys());
  }
}
