/** A decision on a purchase is recorded within an operation that the node counts, and nowhere else: the compiler refuses it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { recordDecision, recordEvent } from '../../src/domain/evidence/recordEvent.ts';
import type { Script } from '../../src/store/store.ts';
import type { DecidingDeps } from '../../src/usecase/useCase.ts';
import { decision, inOneCommit, loadedInOneCommit, useCase } from '../../src/usecase/useCase.ts';

const SHAPE = { summary: 'Decides.', input: z.object({}), output: z.object({}), permission: 'write' } as const;
const EVENT = { eventType: 'CART_VALIDATED', actorDid: 'did:key:a', data: {} } as const;

test('an operation that records a decision is one whose decision is counted', () => {
  const counted = decision({
    ...SHAPE,
    run: loadedInOneCommit(
      () => ({}),
      function* (deps: DecidingDeps, { tenantId }, _input: object, { now }): Script<object> {
        yield* recordDecision(deps, tenantId, EVENT, now);
        return {};
      },
    ),
  });
  assert.deepEqual([counted.decides, counted.idempotent], [true, true]);

  const uncounted = useCase({
    ...SHAPE,
    run: inOneCommit(function* (deps, { tenantId }, _input: object, { now }): Script<object> {
      // @ts-expect-error The node does not count what a use case decides that is no decision.
      yield* recordDecision(deps, tenantId, EVENT, now);
      // @ts-expect-error A decision is no event beside others.
      yield* recordEvent(deps, tenantId, EVENT, now);
      return {};
    }),
  });
  assert.equal(uncounted.decides, undefined);
  // @ts-expect-error A decision is declared as one.
  useCase({ ...SHAPE, run: uncounted.run, decides: true });
});
