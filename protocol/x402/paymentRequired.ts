/** What a resource that must be paid for asks by x402 version 2 (PAYMENT-REQUIRED), and JSON in the headers of x402. */
import { fromBase64url, toBase64 } from '../credential/encodings.ts';
import { isObject, type JsonObject } from '../sdjwt/sdJwt.ts';
import { Fault } from '../wire/fault.ts';
import { decodeUtf8, parseJson } from '../wire/json.ts';

/** Characters of a header that is read, and of offers in it. */
const MOST_CHARACTERS = 65_536;
const MOST_OFFERS = 100;

export interface PaymentRequired {
  /** Of the resource, as the server calls it. It says nothing about who is paid. */
  readonly resourceUrl: string | undefined;
  /** What it can be paid with, as received and in that order. */
  readonly accepts: readonly JsonObject[];
  /** By name. */
  readonly extensions: JsonObject;
}

export interface X402Refusal {
  /** A fault of the request, or the reason that an agent is refused for. */
  readonly code: 'BAD_REQUEST' | 'RAIL_UNAVAILABLE';
  /** One sentence or two for the agent. */
  readonly message: string;
}

/** @param received the value of PAYMENT-REQUIRED, or the same as an object (MCP, A2A) */
export function readPaymentRequired(
  received: string | object,
): { readonly required: PaymentRequired } | { readonly refused: X402Refusal } {
  const document = typeof received === 'string' ? headerObject(received) : received;
  if (typeof document === 'string') return malformed(document);
  if (!isObject(document)) return malformed('is no JSON object.');
  const { x402Version: version, resource, accepts, extensions = {} } = document;
  if (version === 1) {
    return unavailable(
      'Version 1 of x402 is not paid; the resource would have to ask by version 2 (PAYMENT-REQUIRED).',
    );
  }
  if (typeof version !== 'number') return malformed('has no x402Version.');
  if (version !== 2) return unavailable(`Version ${version} of x402 is not known; this node pays version 2.`);
  if (!Array.isArray(accepts) || accepts.length === 0 || accepts.length > MOST_OFFERS || !accepts.every(isObject)) {
    return malformed(`must have a list of 1 to ${MOST_OFFERS} offers (accepts).`);
  }
  if (resource !== undefined && !isObject(resource)) return malformed('has a resource that is no object.');
  const url = resource?.['url'];
  if (url !== undefined && typeof url !== 'string') return malformed('has a resource whose url is no text.');
  if (!isObject(extensions)) return malformed('has extensions that are no object.');
  return { required: { resourceUrl: url, accepts, extensions } };
}

/**
 * The JSON object of a header of x402.
 * @param text base64, with or without padding; the stock client and server read no base64url
 * @returns the object, or why it is none, as the end of a sentence that begins with the header
 */
export function headerObject(text: string): JsonObject | string {
  if (text.length > MOST_CHARACTERS) return `has more than ${MOST_CHARACTERS} characters.`;
  if (/[-_]/.test(text)) return 'is base64url; x402 has base64.';
  const bytes = fromBase64url(
    text
      .replace(/={1,2}$/, '')
      .replaceAll('+', '-')
      .replaceAll('/', '_'),
  );
  if (bytes === undefined) return 'is no base64.';
  try {
    const value = parseJson(decodeUtf8(bytes));
    return isObject(value) ? value : 'is no JSON object in base64.';
  } catch (error) {
    if (error instanceof Fault) return 'is no JSON object in base64.';
    throw error;
  }
}

/** The value of a header of x402. */
export function headerText(value: object): string {
  return toBase64(new TextEncoder().encode(JSON.stringify(value)));
}

function malformed(reason: string): { readonly refused: X402Refusal } {
  return { refused: { code: 'BAD_REQUEST', message: `The payment that is required (PAYMENT-REQUIRED) ${reason}` } };
}

function unavailable(message: string): { readonly refused: X402Refusal } {
  return { refused: { code: 'RAIL_UNAVAILABLE', message } };
}
