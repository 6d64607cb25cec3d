/** A message: proven, translated into the spelling of 1.0, parsed as an exchange, and given to the core. */

import { z } from 'zod';
import type { A2aVersion } from '../../../../protocol/a2a/a2aVersion.ts';
import { besideIn, besideMembers, namedExchange, otherParts, schemaOf } from '../../../../protocol/a2a/dataParts.ts';
import { type Exchange, WORDS } from '../../../../protocol/a2a/exchangePart.ts';
import { currentMessage, currentPush } from '../../../../protocol/a2a/formerDialect.ts';
import { normalForm } from '../../../../protocol/a2a/normalForm.ts';
import { checkMessageProof } from '../../../../protocol/a2a/proofExtension.ts';
import { type AgentMessage, PushConfig, type Task, TaskMessage } from '../../../../protocol/a2a/task.ts';
import { hashOf } from '../../../../protocol/credential/canonical.ts';
import { Fault } from '../../../../protocol/wire/fault.ts';
import type { RequestCredential } from '../../../core/callerOf.ts';
import { requireBody, tryParse } from '../../../core/serveRequest.ts';
import { reply, steps } from '../../../usecase/steps.ts';
import { parseInput } from '../../../usecase/useCase.ts';
import type { SentMessage } from '../tasks/sendTask.ts';
import { answerQuestion } from './answerQuestion.ts';
import { StandardFault } from './faults.ts';
import type { StandardCall, StandardRequest } from './standardRequest.ts';
import { type SentView, taskCore, taskMessageSteps } from './takeTask.ts';
import { taskExtensions } from './versions.ts';
import { within } from './within.ts';

/** A message that named nothing to be done gets one back. */
type SendResult = SentView | { readonly message: AgentMessage };

const HistoryLength = z.int().min(0).max(1000).nullish();

const Configuration = z.looseObject({
  historyLength: HistoryLength,
  returnImmediately: z.boolean().nullish(),
  taskPushNotificationConfig: PushConfig.nullish(),
});

const Params = z.looseObject({ message: TaskMessage, configuration: Configuration.nullish() });

interface SendParameters {
  readonly message: TaskMessage;
  /** As it came, which is what was signed. */
  readonly raw: Readonly<Record<string, unknown>>;
  readonly historyLength: number | undefined;
  readonly returnImmediately: boolean;
  readonly push: SentMessage['push'];
}

/** @throws Fault BAD_REQUEST that names what is wrong */
export function parseSend({ params }: StandardCall, dialect: A2aVersion): SendParameters {
  const raw = dialect === '0.3' ? currentMessage(params['message']) : params['message'];
  const { message, configuration } = parseInput(Params, {
    message: withoutNulls(raw),
    configuration: withoutNulls(
      dialect === '0.3' ? currentConfiguration(params['configuration']) : params['configuration'],
    ),
  });
  const push = configuration?.taskPushNotificationConfig ?? undefined;
  return {
    message,
    raw: raw as SendParameters['raw'],
    historyLength: configuration?.historyLength ?? undefined,
    returnImmediately: configuration?.returnImmediately === true,
    push: push && { ...push, former: dialect === '0.3' },
  };
}

/** What 0.3 says of an answer, as 1.0 does: it blocks unless it is told not to. */
function currentConfiguration(given: unknown): unknown {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given;
  const { blocking, pushNotificationConfig, ...rest } = given as Readonly<Record<string, unknown>>;
  const push = pushNotificationConfig == null ? undefined : currentPush(pushNotificationConfig);
  return { ...rest, returnImmediately: blocking === false, taskPushNotificationConfig: push };
}

/** Some libraries write absent members as null. The data of a part is its sender's own. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) =>
      member === null ? [] : [[name, name === 'data' || name === 'metadata' ? member : withoutNulls(member)]],
    ),
  );
}

interface Arrival {
  readonly request: StandardRequest;
  readonly given: SendParameters;
  /** Whether its sender follows what becomes of it, and so does not wait. */
  readonly follows: boolean;
}

/** The steps of a message, from its parameters to the task as it stands then, through the gate and the core. */
export const sendPipeline = steps<Arrival, SendResult>()
  .find('prove the sender', ({ request, given }) => {
    const { credential, signed } = proveSender(request, given.raw);
    const prover = signed?.did ?? (credential.kind === 'proof' ? credential.proof.did : undefined);
    return { credential, signed, prover };
  })
  .find('answer a question', async ({ request, given, ...asker }) => {
    const message = await answerQuestion(request, asker, given.message);
    return message === undefined ? {} : reply<SendResult>({ message });
  })
  .find('parse the exchange', async ({ request, given: { message }, credential, prover }) => {
    const parsed = tryParse(() => readExchange(message, prover));
    const exchange = (parsed.input as { readonly value: Exchange } | undefined)?.value;
    if (parsed.fault === undefined && exchange === undefined) {
      return reply(await answerWords(request, credential, message));
    }
    return { parsed, exchange };
  })
  .core(taskMessageSteps, async ({ request, given, follows, credential, signed, prover, parsed, exchange }) => {
    const { message, raw, push } = given;
    const { messageId, taskId, contextId } = message;
    const hash = hashOf(request.gate.suite, normalForm(raw));
    const returnImmediately = given.returnImmediately || follows;
    const others = otherParts(message);
    const attached = others.length === 0 ? undefined : { messageId, parts: others };
    const extensions = taskExtensions(request.http);
    const value = { message, taskId, contextId, prover, extensions, exchange, attached, returnImmediately, push };
    const asked = { address: request.meter.address, credential, messageId, follows, hash, signed };
    const input = parsed.fault === undefined ? { input: { value } } : {};
    const coreReply = await taskCore(request.gate).call('takeTaskMessage', { ...asked, ...input });
    return { text: requireBody(parsed, request.meter.settle(coreReply)) };
  })
  .finish('reply', ({ text }) => JSON.parse(String(text)) as SentView);

interface Sender {
  readonly credential: RequestCredential;
  readonly signed: { readonly did: string; readonly created: string } | undefined;
}

/** Proven by the credential of the request, by the message's own proof, or by both. @throws Fault UNAUTHORIZED, UNVERIFIED */
function proveSender(request: StandardRequest, raw: SendParameters['raw']): Sender {
  const { suite, settings } = request.gate;
  const credential = request.credential();
  const check = checkMessageProof(suite, raw, { to: settings.did });
  if (check !== undefined && !check.ok)
    throw new Fault('UNVERIFIED', `The message's proof does not hold: ${check.reason}`);
  const signed = check && { did: check.from, created: check.created };
  if (credential !== undefined) return { credential, signed };
  if (signed !== undefined) return { credential: { kind: 'signature', did: signed.did }, signed };
  throw new Fault(
    'UNAUTHORIZED',
    'Send a credential: "Authorization: Bearer <API key or token>", X-DID-Proof, or the did-proof extension in the message.',
  );
}

const MEDIA = /^(application\/json|text\/plain)\s*(;.*)?$/i;

/** @returns undefined where no part asks for anything @throws Fault BAD_REQUEST, StandardFault for parts that are not read here */
function readExchange(message: TaskMessage, prover: string | undefined): Exchange | undefined {
  for (const { raw, url, mediaType } of message.parts) {
    if (raw !== undefined || url !== undefined)
      throw new StandardFault('contentType', 'Files are not read here; send data parts.');
    if (mediaType !== undefined && mediaType !== '' && !MEDIA.test(mediaType)) {
      throw new StandardFault('contentType', `Parts are application/json or text/plain here, not "${mediaType}".`);
    }
  }
  const continues = message.taskId !== undefined;
  const named = namedExchange(message);
  if (named === undefined) return continues ? WORDS : undefined;
  const beside = besideIn(message);
  for (const [name, value] of Object.entries(beside)) {
    within(name, () => parseInput(besideMembers.get(name) as z.ZodType, value));
  }
  const schema = schemaOf(named, { continues, prover, beside });
  return within(named.path, () => parseInput(schema, named.body));
}

const WHAT_IS_READ =
  'This node reads data parts, each with one member: {"countersign.purchase": {"intent": {"agentDid", "principalDid", ' +
  '"request": {"maxAmount", "currency"}}}} buys in one task; {"countersign.intent": …}, {"countersign.cart": {"intentVc", ' +
  '"cartVc"}} and {"countersign.payment": {"approvalToken"}} are the steps of a purchase, each in a task of its own; ' +
  '{"countersign.httpPayment": {"agentDid", "url", "challenges"}} pays what a server asks for by HTTP; ' +
  '{"countersign.external": {"reserve": {"agentDid", "merchant", "amount", "currency", "channel"}}} reserves for a payment elsewhere; ' +
  '{"countersign.acpSession": {"agentDid", "merchantDomain", "session"}} pays a checkout session of ACP; ' +
  '{"countersign.limits": {}} is answered with what is left of your limits, and {"countersign.httpSignature": {"mandateId" or "intentId", ' +
  '"method", "url", "profile"}} with the headers of a signed request.';

/** Nothing was asked for, so there is no task; the caller is identified and charged all the same. */
async function answerWords(
  request: StandardRequest,
  credential: RequestCredential,
  message: TaskMessage,
): Promise<SendResult> {
  const { newId } = request.gate;
  request.meter.settle(await taskCore(request.gate).call('takeFollower', request.meter.address, credential));
  const contextId = message.contextId ?? newId('ctx_');
  return { message: { messageId: newId('msg_'), contextId, role: 'ROLE_AGENT', parts: [{ text: WHAT_IS_READ }] } };
}

/** @param historyLength how many of its messages are shown */
export function trimmed(task: Task, historyLength: number | null | undefined): Task {
  if (historyLength == null || task.history === undefined) return task;
  const { history, ...rest } = task;
  const shown = historyLength === 0 ? [] : history.slice(-historyLength);
  return shown.length === 0 ? rest : { ...rest, history: shown };
}
