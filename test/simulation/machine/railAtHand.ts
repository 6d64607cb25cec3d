/** Stands in the place of what Stripe's extension loads: the rails of the world, in the shape in which a node gets Stripe. */
import { Fault } from '../../../protocol/wire/fault.ts';
import type { ServiceCheck } from '../../../src/extensions/extension.ts';
import type { RailEvent } from '../../../src/rails/notice.ts';
import type { Rail } from '../../../src/rails/rail.ts';

/** Signs the notices of the rail. */
export const NOTICE_SIGNATURE = 'signed by the rail';

/** By their ids at the node. */
interface RailsAtHand {
  readonly cards: (id: string) => Rail;
  readonly tokens: (id: string) => Rail;
}

let atHand: RailsAtHand | undefined;

/** From here on nodes that start use these rails. */
export function useRails(given: RailsAtHand): void {
  atHand = given;
}

export async function checkAccount(): Promise<ServiceCheck> {
  return { state: 'ok', message: 'The rail of the world answers.' };
}

export function connectRails(ids: { readonly cards: string; readonly tokens: string }): readonly Rail[] {
  if (atHand === undefined) throw new Error('The world has no rail.');
  return [{ ...atHand.cards(ids.cards), events: { read } }, atHand.tokens(ids.tokens)];
}

function read(body: Uint8Array, signature: string | undefined): RailEvent {
  if (signature !== NOTICE_SIGNATURE) throw new Fault('BAD_REQUEST', 'The rail has not signed this.');
  const { id, type, created, data } = JSON.parse(Buffer.from(body).toString('utf8')) as {
    id: string;
    type: string;
    created?: number;
    data: unknown;
  };
  return { id, type, createdAt: created, notice: data as RailEvent['notice'] };
}
