/** Known bugs of status lists, which show in what a mandate's reader is told once all is quiet (mutants.ts). */
import type { Mutant } from './mutants.ts';

export const STATUS_MUTANTS: readonly Mutant[] = [
  {
    name: 'a canceled payment that still holds',
    amid: 'faults',
    breaks: 'The commit in which a payment fails or is canceled leaves its bit in the status list as it is.',
    file: 'src/domain/payments/recordOutcome.ts',
    before: '  if (isVoid) yield* endStatus(payment.tenant_id, payment.mandate_id, now);\n',
    after: '',
  },
  {
    name: 'a paid intent that still holds',
    amid: 'faults',
    breaks: 'The commit of a payment leaves the bit of the intent that it uses up as it is.',
    file: 'src/domain/payments/openPayment.ts',
    before: '  if (from.hasStatus) yield* endStatus(intent.tenant_id, intent.mandate_id, now);\n',
    after: '',
  },
  {
    name: 'intents that outlive their agent',
    amid: 'tricks',
    breaks: 'The revocation of an agent leaves the bits of its intents as they are.',
    file: 'src/operations/agents/manageAgent.ts',
    before: '    yield* endStatusOfAgent(caller.tenantId, did, now);\n',
    after: '',
  },
  {
    name: 'a status list from the wrong end',
    amid: 'faults',
    breaks: 'The bits of a list stand in their words the other way round, so that other mandates are ended than meant.',
    file: 'src/store/statements/purchases/credentialStatus.ts',
    before: 'CAST(31 - idx % 32 AS INTEGER)',
    after: 'CAST(idx % 32 AS INTEGER)',
  },
  {
    name: 'a status list of long ago',
    amid: 'faults',
    breaks: 'A node shows a list for an hour as it read it once.',
    file: 'src/domain/credentials/buildStatusList.ts',
    before: 'const KEPT_MS = 4000;',
    after: 'const KEPT_MS = 3_600_000;',
  },
];
