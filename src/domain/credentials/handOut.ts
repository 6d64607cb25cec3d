/** Hands a mandate out in the forms that other libraries verify, in the commit that answers. */
import { hashOf, hashText } from '../../../protocol/credential/canonical.ts';
import type { CredentialFormats, SecuredForms } from '../../../protocol/credential/credentialFormats.ts';
import { secureDocument } from '../../../protocol/credential/dataIntegrity.ts';
import { mandateDocument } from '../../../protocol/credential/mandateDocument.ts';
import { credentialStatus } from '../../../protocol/credential/statusList.ts';
import type { Credential } from '../../../protocol/credential/vc.ts';
import { secureAsJwt } from '../../../protocol/credential/vcJwt.ts';
import { captureEndsAt } from '../../../protocol/payment.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import type { PaymentRow } from '../../store/statements/purchases/payments.ts';
import { findOpenList } from '../../store/statements/purchases/statusLists.ts';
import type { Script } from '../../store/store.ts';
import type { Deps, EventDeps } from '../../usecase/deps.ts';
import type { Run } from '../../usecase/useCase.ts';
import { buildStatusList, keptStatusList } from './buildStatusList.ts';
import { type ReadDeps, readStatusList } from './readStatusList.ts';
import { MOST_ENTRIES, type PlacedMandate, placeOf, type StatusEntry, takePlace } from './statusPlaces.ts';

type SigningDeps = Pick<Deps, 'issuer' | 'settings' | 'suite'>;
/** What it takes to hand a mandate out. */
export type FormDeps = EventDeps & Pick<Deps, 'memory' | 'newToken' | 'sealer' | 'store'>;

/** A mandate's row, as far as its forms need it. */
interface MandateRow {
  readonly tenant_id: string;
  readonly transaction_id: string;
  readonly mandate_id: string;
  readonly agent_did: string;
}

/**
 * Hands out a mandate that is made in this commit.
 * @param recorded what is recorded of it, which gains its place and the hashes of its forms
 * @param now milliseconds since the epoch
 */
export function* issueForms(
  deps: FormDeps,
  row: MandateRow,
  { credential, expiresAt, formats }: StoredForms,
  recorded: object,
  now: number,
): Script<SecuredForms> {
  const place = yield* takePlace(deps, { ...placed(row, expiresAt), isOver: false }, now);
  const forms = yield* handOut(deps, JSON.parse(credential), place, formats, now);
  Object.assign(recorded, formFacts(deps, forms, place));
  return forms;
}

interface StoredForms {
  /** The text that is stored: a token has its members in the order of their document, and is signed again from the text. */
  readonly credential: string;
  /** When the mandate ends, in milliseconds since the epoch. */
  readonly expiresAt: number;
  readonly formats: CredentialFormats;
}

/** The forms that a payment was asked in, for its answer; undefined where it was asked for none. */
export function* paidForms(deps: FormDeps, payment: PaymentRow, now: number): Script<SecuredForms | undefined> {
  if (payment.credential_formats === null) return undefined;
  const formats = JSON.parse(payment.credential_formats) as CredentialFormats;
  const isOver = payment.status === 'FAILED' || payment.status === 'CANCELED';
  const place = yield* placeOf(deps, { ...placed(payment, captureEndsAt(payment.created_at)), isOver }, now);
  return yield* handOut(deps, JSON.parse(payment.credential), { ...place, isOver }, formats, now);
}

/** @param expiresAt milliseconds since the epoch */
export function placed(row: MandateRow, expiresAt: number): Omit<PlacedMandate, 'isOver'> {
  const { tenant_id: tenantId, transaction_id: transactionId, mandate_id: id, agent_did: agentDid } = row;
  return { tenantId, transactionId, id, agentDid, expiresAt };
}

type SecuredMandate = NonNullable<SecuredForms['vc' | 'vc+jwt']>;

/**
 * A mandate as a document or a token, signed by the node's present key: signing again gives the same bytes until that key changes.
 * @param now milliseconds since the epoch @param validFrom where it is not as it is today
 */
export function securedAs(
  { suite, issuer, settings }: SigningDeps,
  credential: Credential,
  { list, idx }: StatusEntry,
  as: 'vc' | 'vc+jwt',
  now: number,
  validFrom?: string,
): SecuredMandate {
  const status = credentialStatus(settings.baseUrl, list, idx);
  const document = mandateDocument(credential, issuer.did, settings.baseUrl, status, validFrom);
  if (as === 'vc') {
    const created = credential.issuer === issuer.did ? document.validFrom : new Date(now).toISOString();
    return secureDocument(suite, issuer, document, created);
  }
  const { agentDid } = document.credentialSubject as { readonly agentDid?: string };
  return secureAsJwt(issuer, document, agentDid);
}

/**
 * @param place with whether the mandate has ended, which a list of before does not say
 * @param now milliseconds since the epoch
 * @returns the forms that were asked for
 */
function* handOut(
  deps: SigningDeps & Pick<Deps, 'memory' | 'sealer'>,
  credential: Credential,
  place: StatusEntry & { readonly isOver?: boolean },
  formats: CredentialFormats,
  now: number,
): Script<SecuredForms> {
  const secured = (as: 'vc' | 'vc+jwt') =>
    formats.includes(as) ? securedAs(deps, credential, place, as, now) : undefined;
  return compact({
    vc: secured('vc') as SecuredForms['vc'],
    'vc+jwt': secured('vc+jwt') as string | undefined,
    status: formats.includes('status') ? yield* listAsToken(deps, place, now) : undefined,
  });
}

function* listAsToken(
  deps: SigningDeps & Pick<Deps, 'memory' | 'sealer'>,
  { list, isOver = false }: Pick<StatusEntry, 'list'> & { readonly isOver?: boolean },
  now: number,
): Script<string> {
  const kept = isOver ? undefined : keptStatusList(deps, list, now);
  // What this commit has changed in the list may be rolled back, so it is not kept for others.
  const built = kept ?? (yield* buildStatusList(deps, list, now));
  if (typeof built === 'string') throw new Fault('UNAVAILABLE', 'The status list cannot be signed.');
  return built['vc+jwt'];
}

/** What the evidence says of the forms: their hashes, and the mandate's place. */
function formFacts(
  { suite }: Pick<Deps, 'suite'>,
  { vc, 'vc+jwt': token }: SecuredForms,
  { list, idx }: StatusEntry,
): Readonly<Record<string, unknown>> {
  const formats = compact({
    vc: vc && hashOf(suite, vc),
    'vc+jwt': token && hashText(suite, token),
  });
  return { formats, status: { list, idx } };
}

/**
 * The forms that were handed out with a mandate, signed once more.
 * @param facts what the evidence says of them
 * @returns those that have the recorded hashes; undefined where there are none
 */
export function formsAgain(
  deps: SigningDeps,
  credential: Credential,
  facts: Readonly<Record<string, unknown>> | undefined,
): Pick<SecuredForms, 'vc' | 'vc+jwt'> | undefined {
  const { formats, status } = (facts ?? {}) as {
    readonly formats?: Readonly<Record<string, string>>;
    status?: StatusEntry;
  };
  if (formats === undefined || status === undefined || credential.issuer !== deps.issuer.did) return undefined;
  const again = (as: 'vc' | 'vc+jwt') => {
    if (formats[as] === undefined) return undefined;
    // Forms were once dated as their credential is, and those of then are handed out again as they were.
    const forms = [undefined, credential.issuanceDate].map((from) => securedAs(deps, credential, status, as, 0, from));
    const hashedAs = (form: SecuredMandate) =>
      typeof form === 'string' ? hashText(deps.suite, form) : hashOf(deps.suite, form);
    return forms.find((form) => hashedAs(form) === formats[as]);
  };
  const forms = compact({ vc: again('vc'), 'vc+jwt': again('vc+jwt') });
  return Object.keys(forms).length === 0 ? undefined : (forms as Pick<SecuredForms, 'vc' | 'vc+jwt'>);
}

/**
 * A use case that may hand a mandate out with the list in which it has a place: that list is read before the commit. To derive one of
 * many places takes a tenth of a second, for which other purchases would wait; a new place changes nothing in it.
 */
export function withOpenList<Input extends AskedForms, Output, Own extends Deps>(
  run: Run<Input, Output, Own>,
): Run<Input, Output, Own> {
  return (deps, call, input) =>
    input.credentialFormats?.includes('status') === true
      ? readOpenList(deps).then(() => run(deps, call, input))
      : run(deps, call, input);
}

interface AskedForms {
  readonly credentialFormats?: readonly string[] | undefined;
}

async function readOpenList(deps: ReadDeps): Promise<void> {
  const list = await deps.store.read(() => findOpenList(deps.issuer.did, MOST_ENTRIES));
  if (list !== undefined) await readStatusList(deps, list);
}
