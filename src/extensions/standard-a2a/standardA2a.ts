/** The extension of standard A2A (1.0, and 0.3 at the same address): its gate, its cards, and the tasks that its exchanges are. */
import type { CardSignature } from '../../../protocol/a2a/cardSignature.ts';
import { FormerCard, ReachableCard, STANDARD_PATH, StandardCard } from '../../../protocol/a2a/cards.ts';
import { CARD_PATH } from '../../../protocol/wire/agentCard.ts';
import { KEY_SET_PATH } from '../../gates/rest/login/loginRoutes.ts';
import { extension } from '../extension.ts';
import { signStandardCard, standardCardRoutes } from './cards/standardCards.ts';
import { taskCalls } from './gate/takeTask.ts';
import { taskOperations, taskRoutes } from './operations/taskOperations.ts';
import { taskSchedule } from './tasks/advanceTasks.ts';
import {
  concludeTaskOfCall,
  endTasksOfRevoked,
  holdTaskOfCall,
  settleTaskOfPayment,
  settleTasksOfApproval,
  tellTasksOfTouch,
} from './tasks/concludeTask.ts';
import { taskDeliveries } from './tasks/renderUpdate.ts';

const NAME = 'standard-a2a';

export const standardA2a = extension({
  name: NAME,
  operations: taskOperations,
  routes: taskRoutes,
  calls: taskCalls,
  doors: [
    {
      paths: [STANDARD_PATH, `${STANDARD_PATH}/`],
      open: async (gate) => (await import('./gate/standardGate.ts')).standardGate(gate),
    },
  ],
  facts: signStandardCard,
  openRoutes: (facts) => standardCardRoutes(facts, facts.ofExtensions[NAME] as CardSignature | undefined),
  documents: async () => ({
    examples: (await import('./operations/taskExamples.ts')).taskExamples,
    outputs: { AgentCard: ReachableCard, StandardAgentCard: StandardCard, FormerAgentCard: FormerCard },
  }),
  tools: async () => ({ records: { task_: { noun: 'a task', operation: 'getTaskRecord', member: 'id' } } }),
  links: { a2a: STANDARD_PATH },
  guide: (baseUrl) =>
    `- [A2A](${baseUrl}${STANDARD_PATH}): for agents that speak the A2A standard, v1.0 or v0.3; its [card](${baseUrl}${CARD_PATH}) has skills,
  credentials and extensions, and is signed by the [node's key](${baseUrl}${KEY_SET_PATH}).`,
  start: () => ({
    hooks: {
      onRailWait: [holdTaskOfCall],
      onRepeat: [concludeTaskOfCall],
      onClose: [concludeTaskOfCall],
      afterApprovalStep: [tellTasksOfTouch],
      afterDecision: [settleTasksOfApproval],
      afterAgentEnd: [endTasksOfRevoked],
      afterOutcome: [settleTaskOfPayment],
    },
    schedules: [taskSchedule()],
    deliveries: [taskDeliveries],
  }),
});
