/** Shows a mandate that the node issued, in the form that its reader's libraries verify. */
import { z } from 'zod';
import { secureDocument } from '../../../protocol/credential/dataIntegrity.ts';
import { mandateDocument } from '../../../protocol/credential/mandateDocument.ts';
import type { Credential } from '../../../protocol/credential/vc.ts';
import { secureAsJwt } from '../../../protocol/credential/vcJwt.ts';
import { anyObject } from '../../../protocol/wire/anyObject.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { actsFor, type Caller } from '../../access/caller.ts';
import { findIntent } from '../../store/statements/purchases/intents.ts';
import { findPayment } from '../../store/statements/purchases/payments.ts';
import type { Script } from '../../store/store.ts';
import type { Deps } from '../../usecase/deps.ts';
import { inOneRead, useCase } from '../../usecase/useCase.ts';

const ShowCredential = z.object({
  id: z.string().max(100).describe('Of an intent (`intent_…`) or of a payment’s mandate (`pm_…`).'),
  as: z
    .enum(['vc', 'vc+jwt'])
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
  run: inOneRead<ShowCredential, z.infer<typeof Shown>>(function* (deps, caller, { id, as }, now) {
    const credential = yield* loadCredential(caller, id);
    return as === undefined ? credential : secured(deps, credential, as, now);
  }),
});

/** @throws Fault NOT_FOUND, also for one of another agent than the caller acts for */
function* loadCredential(caller: Caller, id: string): Script<Credential> {
  const found = id.startsWith('pm_') ? yield* findPayment(caller.tenantId, id) : yield* findIntent(caller.tenantId, id);
  if (found === undefined || !actsFor(caller, found.agent_did)) {
    throw new Fault('NOT_FOUND', `There is no credential ${id}; ids begin with intent_ or pm_.`);
  }
  return JSON.parse(found.credential) as Credential;
}

/** Signed as it is handed out, by the node's present key: signing again gives the same bytes until that key changes. */
function secured(
  { suite, issuer, settings }: Pick<Deps, 'suite' | 'issuer' | 'settings'>,
  credential: Credential,
  as: 'vc' | 'vc+jwt',
  now: number,
): z.infer<typeof Shown> {
  const document = mandateDocument(credential, issuer.did, settings.baseUrl);
  if (as === 'vc') {
    const created = credential.issuer === issuer.did ? document.validFrom : new Date(now).toISOString();
    return secureDocument(suite, issuer, document, created);
  }
  const { agentDid } = document.credentialSubject as { readonly agentDid?: string };
  return secureAsJwt(issuer, document, agentDid);
}
