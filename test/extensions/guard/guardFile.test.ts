/** The file of a guard: what is wrong is told with line and member. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseGuardText, WrongGuardFile } from '../../../src/extensions/guard/readGuardFile.ts';
import { guardText } from './doubles/guardedClient.ts';

const RULE = `[[tool]]
match = "pay"
amount = "$.amount"
unit = "minor"
currency = "USD"
merchant = "shop.example"
reference = "$.id"
`;

test('a whole file', () => {
  const config = parseGuardText(guardText(`${RULE}[unmatched]\nother = "ask"\n`), 'guard.toml');
  assert.equal(config.tool[0]?.action, 'guard');
  assert.deepEqual(config.unmatched, { read_only: 'forward', other: 'ask' });
});

test('each fault has its line, its member, and what would be right', () => {
  const cases: [string, RegExp][] = [
    [
      RULE.replace('unit = "minor"\n', ''),
      /^guard\.toml:4: tool\[0\]\.unit is missing: a tool that is guarded needs it/,
    ],
    [RULE.replace('"minor"', '"cents"'), /^guard\.toml:7: tool\[0\]\.unit must be "minor", "major" or "stripe"$/],
    [
      `${RULE}${RULE.replace('"$.amount"', '"amount"')}`,
      /^guard\.toml:13: tool\[1\]\.amount must be a path such as \$\.amount/,
    ],
    [RULE.replace('"USD"', '"XYZ"'), /^guard\.toml:8: tool\[0\]\.currency must be a currency such as USD/],
    [`${RULE}amuont = 1\n`, /^guard\.toml:11: tool\[0\]\.amuont is no member of this table/],
    ['[unmatched]\nother = "maybe"\n', /^guard\.toml:5: unmatched\.other must be "refuse", "forward" or "ask"$/],
    [
      '[[upstream]]\nname = "a"\npreset = "visa"\n',
      /^guard\.toml:6: upstream\[0\]\.preset must be one of stripe, paypal, square$/,
    ],
    // Tools of such a server would be kept nowhere, and compared with nothing.
    ['[[upstream]]\nname = "__proto__"\n', /upstream\[0\]\.name must begin with a letter or a digit/],
    ['[[upstream]]\nname = "a"\n[[upstream]]\nname = "a"\n', /upstream must each have another name/],
    [
      '[[upstream]]\nname = "a"\nurl = "http://x.example"\ncommand = "y"\n',
      /upstream\[0\]\.url cannot stand beside command/,
    ],
    ['[[tool]\n', /^guard\.toml:4: Invalid TOML document/],
    [
      '[[tool]]\nmatch = "x"\nwhen = { service = "y" }\naction = "forward"\n',
      /^guard\.toml:6: tool\[0\]\.when\.service .*must be a path/,
    ],
  ];
  for (const [rest, expected] of cases) {
    assert.throws(
      () => parseGuardText(guardText(rest), 'guard.toml'),
      (error) => error instanceof WrongGuardFile && expected.test(error.message),
      `${rest}: ${faultsOf(rest)}`,
    );
  }
});

function faultsOf(rest: string): string {
  try {
    parseGuardText(guardText(rest), 'guard.toml');
    return 'no fault';
  } catch (error) {
    return (error as Error).message;
  }
}

test('a node without an address, and an agent that is none', () => {
  const text = 'agentDid = "me"\n[node]\nurl = "localhost:8402"\n';
  assert.throws(
    () => parseGuardText(text, 'g.toml'),
    /g\.toml:1: agentDid .*\ng\.toml:3: node\.url must be an http or https address/,
  );
  assert.throws(() => parseGuardText('', 'g.toml'), /g\.toml:1: agentDid is missing\ng\.toml:1: node is missing/);
});
