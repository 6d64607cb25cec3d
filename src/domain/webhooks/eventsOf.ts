/** The webhook events that one record of evidence means. */
import type { WebhookEvent } from '../../../protocol/webhook/event.ts';
import { webhooksOf } from '../../../protocol/webhook/fromEvidence.ts';
import type { EvidenceRow } from '../../store/statements/evidence/events.ts';
import type { Deps } from '../../usecase/deps.ts';
import { showEvent } from '../evidence/showEvidence.ts';

export function eventsOf(deps: Pick<Deps, 'settings' | 'suite'>, row: EvidenceRow): WebhookEvent[] {
  return webhooksOf(deps.suite, showEvent(row), deps.settings.baseUrl);
}
