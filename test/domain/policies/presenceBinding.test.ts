/** Whether a touch must name the cart: in production it must, unless the owner's policy says otherwise. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compilePolicy } from '../../../protocol/policy/compile.ts';
import { Rules } from '../../../protocol/policy/rules.ts';
import { mustNameCart } from '../../../src/domain/policies/loadFacts.ts';
import { memoryNode } from '../../support/memoryNode.ts';

test('a touch that names no cart opens none in production, and some in the sandbox, unless the policy decides', async () => {
  for (const [environment, byDefault] of [
    ['production', true],
    ['sandbox', false],
  ] as const) {
    const { deps } = await memoryNode({ AP2_ENV: environment });
    const judged = (context: object) => mustNameCart(deps, compilePolicy(Rules.parse({ version: '2.0', context })));
    assert.equal(judged({}), byDefault, environment);
    assert.equal(judged({ presence_binding: 'cart' }), true);
    assert.equal(judged({ presence_binding: 'any' }), false);
    assert.equal(judged({ presence_binding: 'agent' }), false, 'as earlier policies say it');
  }
});
