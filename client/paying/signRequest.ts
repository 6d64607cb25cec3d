/** Requests to the merchant of one purchase, signed by the node's key or the agent's own (RFC 9421). */
import { signatureField } from '../../protocol/httpSignatures/requestSignature.ts';
import { jwkOfDid, thumbprint } from '../../protocol/jwk/jwk.ts';
import type { Agent } from '../identity.ts';
import type { Operations } from '../operations.ts';
import { digestOf } from './requestHop.ts';

type Call = Operations['signHttpRequest'];

/** The request as it will be sent, and the purchase that it is part of. */
export interface RequestToSign extends Omit<Call['input'], 'bodyDigest' | 'key'> {
  /** Exactly as it will be sent. */
  readonly body?: string | Uint8Array<ArrayBuffer>;
}

interface SigningNode {
  signHttpRequest(input: Call['input']): Promise<Call['output']>;
}

/**
 * @param agent whose key signs; the node's signs where it is undefined
 * @returns the headers to send the request with, once, until its signature ends after at most eight minutes
 * @throws CountersignError where the node refuses, and Error where it has the agent sign anything else than this request
 */
export async function signRequest(
  node: SigningNode,
  agent: Agent | undefined,
  { body, ...asked }: RequestToSign,
): Promise<Readonly<Record<string, string>>> {
  const bodyDigest = body === undefined ? {} : { bodyDigest: await digestOf(await new Blob([body]).arrayBuffer()) };
  const given = { ...asked, ...bodyDigest };
  if (agent === undefined) return (await node.signHttpRequest(given)).headers;
  const { headers, base = '' } = await node.signHttpRequest({ ...given, key: 'agent' });
  const label = requireOwnBase(agent, asked.url, base, headers['Signature-Input'] ?? '');
  const signature = agent.signer.sign(new TextEncoder().encode(base));
  return { ...headers, Signature: signatureField(label, signature) };
}

/** A covered part of a request, a line each: nothing else that an agent signs begins so. */
const LINE = /^"(@method|@authority|@path|@query|content-digest|signature-agent)"(;key="[a-z0-9]+")?: [ -~]*$/;

/** A node that is not trusted must not have the agent sign something else by this way. @returns the label */
function requireOwnBase(agent: Agent, url: string, base: string, input: string): string {
  const [, label, params] = /^([a-z0-9]+)=(\(.*)$/.exec(input) ?? [];
  const lines = base.split('\n');
  const last = lines.pop();
  const keyid = thumbprint(agent.suite, jwkOfDid(agent.did));
  const isOwn =
    label !== undefined &&
    last === `"@signature-params": ${params}` &&
    last.includes(`;keyid="${keyid}"`) &&
    lines.every((line) => LINE.test(line)) &&
    lines.includes(`"@authority": ${new URL(url).host}`);
  if (!isOwn) throw new Error('The node asks for the signature of something else than this request.');
  return label;
}
