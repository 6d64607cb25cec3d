/** Stands in the place of what Stripe's extension loads: the rail of the world, in the shape in which a node gets Stripe. */
import { Fault } from '../../../protocol/wire/fault.ts';
import type { ServiceCheck } from '../../../src/extensions/extension.ts';
import type { RailEvent } from '../../../src/rails/notice.ts';
import type { Rail } from '../../../src/rails/rail.ts';

/** Signs the notices of the rail. */
export const NOTICE_SIGNATURE = 'signed by the rail';

let connect: ((id: string) => Rail) | undefined;

/** From here on nodes that start use this rail. */
export function useRail(given: (id: string) => Rail): void {
  connect = given;
}

export async function checkAccount(): Promise<ServiceCheck> {
  return { state: 'ok', message: 'The rail of the world answers.' };
}

/** Cards alone: nothing asks for tokens in the world. */
export function connectRails({ cards }: { readonly cards: string }): readonly Rail[] {
  if (connect === undefined) throw new Error('The world has no rail.');
  return [{ ...connect(cards), events: { read } }];
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
