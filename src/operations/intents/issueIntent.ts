/** An agent asks to spend up to an amount; what the policy allows is signed. */
import { IntentRequest, IntentResult } from '../../../protocol/intent.ts';
import { withOpenList } from '../../domain/credentials/handOut.ts';
import { judgeIntent, loadIntent } from '../../domain/intents/judgeIntent.ts';
import { decision, loadedInOneCommit } from '../../usecase/useCase.ts';

export const issueIntent = decision({
  summary: 'Asks permission to spend up to an amount. A refusal is an answer too, with every reason.',
  input: IntentRequest,
  output: IntentResult,
  permission: 'write',
  faults: ['NOT_FOUND'],
  run: withOpenList(loadedInOneCommit(loadIntent, judgeIntent)),
});
