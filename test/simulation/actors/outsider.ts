/** An outsider that keeps the checkpoints of the chain that a node shows. */
import type { Desk } from './desk.ts';

/** @param isOpen whether it goes on */
export async function keepCheckpoints(desk: Desk, isOpen: () => boolean): Promise<void> {
  const { world } = desk;
  let kept = '';
  while (isOpen()) {
    await desk.pause(world.chance.below(20_000));
    const place = world.chance.below(world.options.nodes);
    const route = ['GET', '/ap2/evidence/checkpoints?limit=1'] as const;
    const told = await desk.rest({ call: 'listCheckpoints', route, input: {}, place });
    // Merchants look at status lists at any time, so that a node has each of them at hand.
    const list = ['GET', '/ap2/status/1'] as const;
    await desk.rest({ call: 'statusList', route: list, input: {}, place });
    const note = told?.status === 200 ? told.body.data[0]?.note : undefined;
    if (typeof note !== 'string' || note === kept) continue;
    kept = note;
    world.tell({ at: world.loop.time, kind: 'checkpoint', node: place, note });
  }
}
