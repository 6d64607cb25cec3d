/** Shows a mandate that the node issued, in the form that its reader's libraries verify. */
import { z } from 'zod';
import type { Credential } from '../../../protocol/credential/vc.ts';
import { captureEndsAt } from '../../../protocol/payment.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { anyObject } from '../../../protocol/wire/json.ts';
import { actsFor, type Caller } from '../../access/caller.ts';
import { type FormDeps, placed, securedAs } from '../../domain/credentials/handOut.ts';
import { findPlace, type PlacedMandate, placeOf } from '../../domain/credentials/statusPlaces.ts';
import { loadGovernance } from '../../domain/principals/governance.ts';
import { findIntent, type IntentRow } from '../../store/statements/purchases/intents.ts';
import { findPayment, type PaymentRow } from '../../store/statements/purchases/payments.ts';
import { findAgent } from '../../store/statements/registry/agents.ts';
import type { Script } from '../../store/store.ts';
import type { Deps } from '../../usecase/deps.ts';
import { inSteps, useCase } from '../../usecase/useCase.ts';

const ShowCredential = z.object({
  id: z.string().max(100).describe('Of an intent (`intent_…`) or of a payment’s mandate (`pm_…`).'),
  as: z
    .enum(['vc', 'vc+jwt'], 'must be vc, or vc+jwt, whose plus is %2B in an address')
    .optional()
    .describe(
      'vc: a document of the data model 2.0 with a proof of eddsa-jcs-2022. vc+jwt: the same document as a signed token. Without it, the form in which it was issued.',
    ),
});
type ShowCredential = z.output<typeof ShowCredential>;

const Shown = z.union([anyObject(), z.string()]);

export const showCredential = useCase({
  summary: 'Shows the mandate of an intent or a payment, as it was issued or in a form that other libraries verify.',
  input: ShowCredential,
  output: Shown,
  permission: 'read',
  showsOwn: true,
  media: ['application/vc', 'application/vc+jwt'],
  faults: ['NOT_FOUND'],
  run: inSteps<ShowCredential, z.infer<typeof Shown>>(async (deps, caller, { id, as }) => {
    const { credential, place: known } = await deps.store.read(() => load(deps, caller, id));
    if (as === undefined) return credential;
    // It is handed out for the first time, or for the first time by this key: its place is on disk before it is shown.
    const place = known ?? (await deps.store.write(caller.tenantId, (now) => give(deps, caller, id, now)));
    return securedAs(deps, credential, place, as, deps.clock());
  }),
});

function* load(deps: Pick<Deps, 'issuer'>, caller: Caller, id: string) {
  const row = yield* loadRow(caller, id);
  const place = yield* findPlace(deps, { tenantId: caller.tenantId, id });
  return { credential: JSON.parse(row.credential) as Credential, place };
}

function* give(deps: FormDeps, caller: Caller, id: string, now: number) {
  const row = yield* loadRow(caller, id);
  return yield* placeOf(deps, yield* placedMandate(row, now), now);
}

type MandateRow = IntentRow | PaymentRow;

/** @throws Fault NOT_FOUND, also for one of another agent than the caller acts for */
function* loadRow(caller: Caller, id: string): Script<MandateRow> {
  const found = id.startsWith('pm_') ? yield* findPayment(caller.tenantId, id) : yield* findIntent(caller.tenantId, id);
  if (found === undefined || !actsFor(caller, found.agent_did)) {
    throw new Fault('NOT_FOUND', `There is no credential ${id}; ids begin with intent_ or pm_.`);
  }
  return found;
}

/** A mandate that was issued before, with whether it still holds. An intent whose time has passed says so by its dates. */
function* placedMandate(row: MandateRow, now: number): Script<PlacedMandate> {
  const agent = yield* findAgent(row.tenant_id, row.agent_did);
  const isRevoked = agent?.status === 'REVOKED';
  if ('rail' in row) {
    const { status } = row;
    const isOver = status === 'FAILED' || status === 'CANCELED';
    const isWaiting = status === 'PENDING' || status === 'UNKNOWN';
    return { ...placed(row, captureEndsAt(row.created_at)), isOver: isOver || (isWaiting && isRevoked) };
  }
  // The row's own time is over as soon as the intent is ended.
  const validUntil = Date.parse(String((JSON.parse(row.credential) as Credential).expirationDate));
  const isEnded = (row.status === 'EXPIRED' || row.expires_at <= now) && validUntil > now;
  const { delegated } = yield* loadGovernance(row.tenant_id, row);
  return { ...placed(row, validUntil), isOver: row.status === 'USED' || isEnded || isRevoked || !delegated };
}
