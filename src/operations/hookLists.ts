/** Which functions of the kernel are told of what has happened, in which order; those of extensions come after them. */

import { loadsOfEvent } from '../domain/evidence/recordEvent.ts';
import { tellOfOutcome } from '../domain/purchases/authorize.ts';
import { advanceSessionOfCall, joinSessionOfCall, sessionLoads } from '../domain/sessions/joinSession.ts';
import { purchaseExchanges } from '../domain/tasks/exchanges.ts';
import type { Hooks } from '../usecase/hooks.ts';

export const hookLists: Hooks = {
  authorizers: [],
  exchanges: new Map(purchaseExchanges.map((row) => [row.kind, row])),
  protocols: [],
  loadsOfCall: [sessionLoads, eventLoads],
  onOpen: [joinSessionOfCall],
  onRailWait: [],
  onRepeat: [],
  onClose: [advanceSessionOfCall],
  afterApprovalStep: [],
  afterDecision: [],
  afterKeyEnd: [],
  afterAgentEnd: [],
  afterOutcome: [tellOfOutcome],
  onNotice: [],
  silenceOf: [],
  waitingTools: [],
};

function eventLoads({ caller }: Parameters<Hooks['loadsOfCall'][number]>[0]) {
  return loadsOfEvent(caller.tenantId);
}
