/** Examples of the gateway's methods, told by the examples of the use cases behind them. */
import type { MandateType } from '../../../protocol/wire/mandateType.ts';
import { RESULT_OF } from '../../../protocol/wire/message.ts';

interface OperationExample {
  readonly input: Readonly<Record<string, unknown>>;
  readonly output?: unknown;
}

/** The use cases that methods reach. */
export type StoryOf = Readonly<
  Record<'issueIntent' | 'validateCart' | 'mandatePayment' | 'createSession' | 'getSession', OperationExample>
>;

const AT = '2026-11-21T07:47:41.449Z';
const SENDER = 'did:key:z6Mkon3Necd6NkkyfoGoHxid2znGc59LU3K7mubaRcFbLfLX';

/** A mandate and its result; the proofs stand for what a sender's key would make of it. */
export function exchange(type: MandateType, nodeDid: string, told: OperationExample): object {
  const message = { id: `example-${type}`, type, from: SENDER, to: nodeDid, created: AT, body: told.input };
  const result = {
    id: 'msg_01m7yh6hs0a1b2c3d4e5f6g7h8',
    type: RESULT_OF[type],
    from: nodeDid,
    to: SENDER,
    created: AT,
    inReplyTo: message.id,
    body: told.output,
  };
  return pairing(
    type,
    { message: { ...message, proof: proofOf(SENDER) } },
    { message: { ...result, proof: proofOf(nodeDid) } },
  );
}

export function pairing(name: string, params: Readonly<Record<string, unknown>>, result: unknown): object {
  return {
    name,
    params: Object.entries(params).map(([member, value]) => ({ name: member, value })),
    result: { name: 'result', value: result },
  };
}

function proofOf(did: string): object {
  return {
    type: 'Ed25519Signature2020',
    created: AT,
    verificationMethod: `${did}#${did.slice('did:key:'.length)}`,
    proofPurpose: 'authentication',
    jws: 'eyJhbGciOiJFZERTQSIsImI2NCI6ZmFsc2UsImNyaXQiOlsiYjY0Il19..dwQvFlhRIeyaQrqvvniOi1I3IL-9CrLiqgkP5Hn7Q8H8hpVcCWiksxInzL9ZsJOuyZUxZZa2JQXpssQfgEfICg',
  };
}
