/**
 * Every answer of standard A2A has no member that the protocol buffers of 1.0 lack: the library for Python refuses a whole answer for
 * one, and the one for JavaScript drops it. Where A2A_SDK_PATH names the former (python/a2aSdk.test.ts), it reads the same answers.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  ListTaskPushNotificationConfigsResponse,
  ListTasksResponse,
  SendMessageResponse,
  StreamResponse,
  Task,
  TaskPushNotificationConfig,
} from '@a2a-js/sdk';
import { answersOfFormer } from '../../support/answersOfFormer.ts';
import { answersOfStandard } from '../../support/answersOfStandard.ts';
import { everyEngine } from '../../support/engines.ts';
import { FORMER_SCHEMAS } from '../../support/formerSchemas.ts';
import { type Loose, makeWorld, type World } from '../../support/world.ts';

const READERS: Readonly<Record<string, { fromJSON(value: Loose): Loose; toJSON(value: Loose): unknown }>> = {
  SendMessageResponse,
  StreamResponse,
  Task,
  ListTasksResponse,
  TaskPushNotificationConfig,
  ListTaskPushNotificationConfigsResponse,
};

for (const engine of everyEngine()) {
  describe(`answers of standard A2A on ${engine.name}`, () => {
    let world: World;
    before(async () => {
      world = await makeWorld(engine);
    });
    after(() => world.close());

    test('are read whole by a2a-js 1.3.0, each by its message', async () => {
      const seen = new Set<string>();
      for (const { kind, value } of await answersOfStandard(world)) {
        const reader = READERS[kind] as (typeof READERS)[string];
        const written = JSON.parse(JSON.stringify(reader.toJSON(reader.fromJSON(value))));
        assert.deepEqual(lackingIn(value, written), [], `${kind} ${JSON.stringify(value)}`);
        seen.add(kind);
      }
      assert.deepEqual([...seen].sort(), Object.keys(READERS).sort());
    });

    test('in the words of 0.3 have what its definitions name, and nothing besides', async (t) => {
      const own = await makeWorld(engine);
      t.after(() => own.close());
      const answers = await answersOfFormer(own);
      for (const { kind, value } of answers) {
        const { error } = FORMER_SCHEMAS[kind].safeParse(value);
        assert.equal(error, undefined, `${kind} ${JSON.stringify(value)}\n${error?.message}`);
      }
      assert.deepEqual([...new Set(answers.map(({ kind }) => kind))].sort(), Object.keys(FORMER_SCHEMAS).sort());
    });
  });
}

/** The paths of members that were not written on, but for those with a default value. */
function lackingIn(sent: Loose, written: Loose, path = ''): string[] {
  if (Array.isArray(sent)) return sent.flatMap((each, at) => lackingIn(each, written?.[at], `${path}.${at}`));
  if (typeof sent !== 'object' || sent === null) return [];
  return Object.entries<Loose>(sent).flatMap(([name, value]) => {
    const at = `${path}.${name}`;
    if (written?.[name] !== undefined) return lackingIn(value, written[name], at);
    return ['""', '[]', '0', 'false', 'null'].includes(JSON.stringify(value)) ? [] : [at];
  });
}
