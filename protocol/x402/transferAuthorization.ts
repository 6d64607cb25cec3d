/** The signed transfer by which a wallet pays (EIP-3009) as data: what is signed (EIP-712), and the payment that carries it. */
import type { JsonObject } from '../sdjwt/sdJwt.ts';
import { isObject } from '../sdjwt/sdJwt.ts';
import { checksumAddress } from './evmAddress.ts';
import { headerText, type PaymentRequired, type X402Refusal } from './paymentRequired.ts';
import type { PaymentRequirement } from './paymentRequirement.ts';

/** As x402 carries it: every member is text. */
export interface TransferAuthorization {
  /** Addresses with their checksum. */
  readonly from: string;
  readonly to: string;
  /** Digits, in the token’s smallest unit. */
  readonly value: string;
  /** Seconds since the epoch. */
  readonly validAfter: string;
  readonly validBefore: string;
  /** 32 bytes, `0x…`. */
  readonly nonce: string;
}

/** What a wallet signs, as libraries take it (`signTypedData`). */
interface TransferTypedData {
  readonly domain: {
    readonly name: string;
    readonly version: string;
    readonly chainId: number;
    readonly verifyingContract: string;
  };
  readonly types: typeof TYPES;
  readonly primaryType: 'TransferWithAuthorization';
  readonly message: TransferAuthorization;
}

/** Members of what is signed, in the order in which EIP-3009 has them. */
const MEMBERS = {
  from: 'address',
  to: 'address',
  value: 'uint256',
  validAfter: 'uint256',
  validBefore: 'uint256',
  nonce: 'bytes32',
} satisfies Record<keyof TransferAuthorization, string>;

const TYPES = { TransferWithAuthorization: Object.entries(MEMBERS).map(([name, type]) => ({ name, type })) };

interface TransferTerms {
  readonly requirement: Pick<PaymentRequirement, 'amount' | 'payTo'> & {
    readonly asset: Pick<PaymentRequirement['asset'], 'address' | 'name' | 'network' | 'version'>;
  };
  /** The wallet, in lower case. */
  readonly from: string;
  /** `0x…`, 32 bytes: see bindingNonce. */
  readonly nonce: string;
  /** Seconds since the epoch. */
  readonly validBefore: number;
}

/** What pays an offer. It is valid from the start of time, as the stock client signs it. */
export function authorizationOf({ requirement, from, nonce, validBefore }: TransferTerms): {
  readonly authorization: TransferAuthorization;
  readonly typedData: TransferTypedData;
} {
  const { asset, payTo, amount } = requirement;
  const authorization = {
    from: checksumAddress(from),
    to: checksumAddress(payTo),
    value: amount,
    validAfter: '0',
    validBefore: String(validBefore),
    nonce,
  };
  const domain = {
    name: asset.name,
    version: asset.version,
    chainId: Number(asset.network.slice('eip155:'.length)),
    verifyingContract: checksumAddress(asset.address),
  };
  return {
    authorization,
    typedData: { domain, types: TYPES, primaryType: 'TransferWithAuthorization', message: authorization },
  };
}

/** What a client sends: PAYMENT-SIGNATURE (x402 version 2). */
interface PaymentPayload {
  readonly x402Version: 2;
  readonly payload: { readonly authorization: TransferAuthorization; readonly signature: string };
  readonly resource?: { readonly url: string };
  readonly accepted: JsonObject;
  readonly extensions?: JsonObject;
}

interface SignedTransfer {
  readonly authorization: TransferAuthorization;
  /** 65 bytes, `0x…`. */
  readonly signature: string;
}

/**
 * The payment that answers an offer. Of what the server sent it repeats the offer, the address of the resource, and the one
 * extension that waits for an answer: a header has little room.
 * @param paymentId the payment, `pm_…`
 */
export function paymentPayloadOf(
  { resourceUrl, extensions }: Pick<PaymentRequired, 'extensions' | 'resourceUrl'>,
  { received }: Pick<PaymentRequirement, 'received'>,
  { authorization, signature }: SignedTransfer,
  paymentId: string,
): PaymentPayload {
  const answers = extensionAnswers(extensions, paymentId);
  return {
    x402Version: 2,
    payload: { authorization, signature },
    ...(resourceUrl === undefined ? {} : { resource: { url: resourceUrl } }),
    accepted: received,
    ...(answers === undefined ? {} : { extensions: answers }),
  };
}

/** The extension that waits for an answer. */
export const PAYMENT_IDENTIFIER = 'payment-identifier';

/** The id by which a server may know a payment again (payment-identifier). What it declared comes back unchanged. */
function extensionAnswers(extensions: JsonObject, paymentId: string): JsonObject | undefined {
  const declared = extensions[PAYMENT_IDENTIFIER];
  if (!isObject(declared) || !/^[A-Za-z0-9_-]{16,128}$/.test(paymentId)) return undefined;
  const info = isObject(declared['info']) ? declared['info'] : { required: false };
  return { [PAYMENT_IDENTIFIER]: { info: { ...info, id: paymentId } } };
}

/** Node answers 431 to more than about 15,600 characters of headers. */
const MOST_HEADER_CHARACTERS = 15_500;

/**
 * The header that pays.
 * @returns the refusal where it is too long for servers to read
 */
export function paymentHeaderOf(
  payload: PaymentPayload,
): { readonly name: string; readonly value: string } | X402Refusal {
  const value = headerText(payload);
  if (value.length <= MOST_HEADER_CHARACTERS) return { name: 'PAYMENT-SIGNATURE', value };
  const length = `PAYMENT-SIGNATURE would have ${value.length} characters, and servers read ${MOST_HEADER_CHARACTERS}`;
  return { code: 'RAIL_UNAVAILABLE', message: `The offer is too long to be paid: ${length}.` };
}

/** Whether the header would be too long, before anything is signed. @param validBefore seconds since the epoch */
export function lengthRefusal(
  required: PaymentRequired,
  requirement: PaymentRequirement,
  paymentId: string,
  validBefore: number,
): X402Refusal | undefined {
  const terms = { requirement, from: `0x${'0'.repeat(40)}`, nonce: `0x${'0'.repeat(64)}`, validBefore };
  const { authorization } = authorizationOf(terms);
  const header = paymentHeaderOf(
    paymentPayloadOf(required, requirement, { authorization, signature: `0x${'0'.repeat(130)}` }, paymentId),
  );
  return 'code' in header ? header : undefined;
}
