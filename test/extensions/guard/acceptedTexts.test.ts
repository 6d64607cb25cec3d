/** What was accepted of tools, as a guard keeps it beside its state to show what changed. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { AcceptedTexts } from '../../../src/extensions/guard/acceptedTexts.ts';
import { acceptTools, openStateFile, toolHash, toolText } from '../../../src/extensions/guard/guardState.ts';
import { stateFileIn } from './doubles/guardedClient.ts';

const pay = { name: 'pay', description: 'Pays.' };
const look = { name: 'look', description: 'Looks.' };

function stage() {
  const stateFile = stateFileIn();
  const state = openStateFile(stateFile, Date.now);
  const lines: string[] = [];
  const open = () => new AcceptedTexts(stateFile, state, (line) => void lines.push(line));
  return { file: stateFile.replace('.state.', '.tools.'), state, lines, open };
}

describe('the accepted texts of a guard', () => {
  test('are those of tools that are listed as they were accepted, also for a guard that is started later', () => {
    const { state, open, file } = stage();
    acceptTools(state, 'shop', [pay]);
    const texts = open();
    texts.keep('shop', [{ ...pay, description: 'Pays twice.' }, look]);
    assert.equal(existsSync(file), false, 'what was not accepted is not kept');
    texts.keep('shop', [pay, look]);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.equal(open().of('shop', 'pay'), toolText(pay));
    for (const [server, tool] of [
      ['shop', 'look'],
      ['other', 'pay'],
      ['shop', 'toString'],
    ] as const)
      assert.equal(open().of(server, tool), undefined);
  });

  test('go once another text is accepted', () => {
    const { state, open, file } = stage();
    acceptTools(state, 'shop', [pay]);
    const texts = open();
    texts.keep('shop', [pay]);
    const turned = { ...pay, description: 'Pays twice.' };
    acceptTools(state, 'shop', [turned]);
    assert.equal(texts.of('shop', 'pay'), undefined);
    texts.keep('shop', [turned]);
    assert.deepEqual(Object.keys(JSON.parse(readFileSync(file, 'utf8'))), [toolHash(turned)]);
  });

  test('are no texts that another program put there, and none from a file that is broken', () => {
    const { state, open, file } = stage();
    acceptTools(state, 'shop', [pay]);
    writeFileSync(file, JSON.stringify({ [toolHash(pay)]: '{"description":"Pays all.","name":"pay"}' }));
    assert.equal(open().of('shop', 'pay'), undefined);
    writeFileSync(file, '{');
    const texts = open();
    texts.keep('shop', [pay]);
    assert.equal(open().of('shop', 'pay'), toolText(pay));
  });

  test('are bounded, each and together', () => {
    const { state, open, file } = stage();
    const long = { name: 'long', description: 'x'.repeat(200_000) };
    const many = Array.from({ length: 45 }, (_, at) => ({ name: `t${at}`, description: 'x'.repeat(99_000) }));
    acceptTools(state, 'shop', [long, ...many]);
    const texts = open();
    texts.keep('shop', [long, ...many]);
    assert.equal(texts.of('shop', 'long'), undefined);
    assert.ok(statSync(file).size < 4_100_000);
    assert.equal(texts.of('shop', 't0'), toolText(many[0] as typeof pay));
    const { ino } = statSync(file);
    texts.keep('shop', [long, ...many]);
    assert.equal(statSync(file).ino, ino, 'what does not fit is not written again with each list');
  });

  test('that cannot be written stop nothing, and the log says why', () => {
    const stateFile = stateFileIn();
    const state = openStateFile(stateFile, Date.now);
    acceptTools(state, 'shop', [pay]);
    const lines: string[] = [];
    const texts = new AcceptedTexts('/dev/null/guard.state.json', state, (line) => void lines.push(line));
    texts.keep('shop', [pay]);
    assert.match(lines.join(), /^what was accepted of shop is not kept for comparison: ENOTDIR/);
  });
});
