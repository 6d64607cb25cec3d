/** `countersign demo --rails`: one budget over each rail, one touch, and a record of each purchase. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sellingProtocols } from '../../../src/cli/demo/sellingServer.ts';
import { countersign } from '../../support/command.ts';

test('pays by each rail, is refused by each over the budget, and pays one of these after the touch', async () => {
  const { code, stdout, stderr } = await countersign(['demo', '--rails']);
  assert.equal(code, 0, stderr);
  const linesOf = (pattern: RegExp) => stdout.match(new RegExp(pattern, 'gm')) ?? [];
  const protocols = sellingProtocols.length;
  assert.equal(linesOf(/^ {3}✓ paid: pi_\w+ is requires_capture$/).length, 1, stdout);
  assert.equal(linesOf(/^ {3}✓ http:\S+\/report is paid: the server sends the report$/).length, protocols, stdout);
  assert.equal(
    linesOf(/^ {3}✗ HP_REQUIRED: 40\.00 USD would make it .* the limit “day” is 100\.00 USD\.$/).length,
    protocols + 2,
  );
  assert.equal(linesOf(/^ {3}✗ Not paid: 40\.00 USD would make it .* A person decides at http:\S+ /).length, 1, stdout);
  assert.equal(linesOf(/^ {3}✓ 15\.00 USD are reserved; the agent pays$/).length, 1, stdout);
  assert.equal(linesOf(/^ {3}✓ the tool is called, and answers \{"id":"pay_\w+","status":"paid"\}$/).length, 1);
  assert.equal(linesOf(/^ {3}✓ the owner gets a link: http:\S+\/approve\/apr_\w+$/).length, 1);
  assert.equal(linesOf(/^ {3}✓ http:\S+\/archive is paid: the server sends the archive$/).length, 1, stdout);
  assert.match(stdout, /^Evidence: \d+ chained events, valid\.$/m);
  assert.equal(
    linesOf(/^ {3}✓ \d+\.00 USD to \S+ by \w+_RAIL, \w+: its bundle verifies offline$/).length,
    protocols + 4,
  );
  for (const { name } of sellingProtocols) assert.match(stdout, new RegExp(`from a server that asks by ${name}$`, 'm'));
});
