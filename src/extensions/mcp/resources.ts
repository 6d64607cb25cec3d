/** Resources: what a host may put before a model without a call of a tool. */
import { ProtocolError, type ReadResourceResult, ResourceNotFoundError } from '@modelcontextprotocol/server';
import { Fault } from '../../../protocol/wire/fault.ts';
import { inertText } from '../../../protocol/wire/plainText.ts';
import type { Desk } from '../tool.ts';

const JSON_TYPE = 'application/json';

export const RESOURCES = [
  {
    uri: 'countersign://policy/current',
    name: 'current-policy',
    title: 'The current policy',
    description: 'The rules by which purchases are judged now.',
    mimeType: JSON_TYPE,
  },
  {
    uri: 'countersign://errors',
    name: 'errors',
    title: 'Errors and reasons',
    description: 'Every error and reason code, with its cause and remedy.',
    mimeType: 'text/markdown',
  },
] as const;

export const TEMPLATES = [
  {
    uriTemplate: 'countersign://purchases/{transactionId}',
    name: 'purchase',
    title: 'A purchase',
    description: 'Everything that was recorded of a transaction.',
    mimeType: JSON_TYPE,
  },
  {
    uriTemplate: 'countersign://agents/{did}',
    name: 'agent',
    title: 'An agent',
    description: 'An agent as it is registered here.',
    mimeType: JSON_TYPE,
  },
] as const;

const PURCHASE = /^countersign:\/\/purchases\/([^/?#]+)$/;
const AGENT = /^countersign:\/\/agents\/([^/?#]+)$/;

/**
 * @param readAsset reads a text that comes with this program
 * @throws ProtocolError for an address behind which there is nothing
 */
export async function readResource(
  desk: Desk,
  uri: string,
  readAsset: (name: string) => string,
): Promise<ReadResourceResult> {
  if (uri === 'countersign://errors') {
    return { contents: [{ uri, mimeType: 'text/markdown', text: readAsset('docs/reference/errors.md') }] };
  }
  try {
    const record = await recordAt(desk, uri);
    if (record === undefined) throw new ResourceNotFoundError(uri);
    return { contents: [{ uri, mimeType: JSON_TYPE, text: JSON.stringify(record) }] };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    if (error.mapping.http === 404) throw new ResourceNotFoundError(uri);
    throw new ProtocolError(error.mapping.jsonrpc, error.message);
  }
}

async function recordAt(desk: Desk, uri: string): Promise<object | undefined> {
  if (uri === 'countersign://policy/current') return desk.ask('currentPolicy', {});
  const transactionId = PURCHASE.exec(uri)?.[1];
  if (transactionId !== undefined) return desk.ask('evidenceBundle', { transactionId: decoded(transactionId) });
  const did = AGENT.exec(uri)?.[1];
  if (did === undefined) return undefined;
  const agent = await desk.ask('getAgent', { did: decoded(did) });
  return { ...agent, displayName: inertText(agent.displayName), description: inertText(agent.description) };
}

/** As it came, where it is not escaped as an address has to be. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
