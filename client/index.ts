/** The package countersign-client: what a program, a page or an agent needs to talk to a node. Runs wherever fetch does. */
export { MANDATES_CONTEXT } from '../protocol/credential/mandatesContext.ts';
export { type A2aClient, type ConnectOptions, connect, type Mandate } from './a2a.ts';
export { type Change, followChanges } from './changes.ts';
export type { ClientCredential as Credential } from './credential.ts';
export { makeDidProof, type ProofRequest } from './didProof.ts';
export { CountersignError } from './error.ts';
export { followTask, type TaskUpdate } from './followTask.ts';
export { type Agent, agentOf, type MessageContent, makeAgent, signMessage } from './identity.ts';
export type * from './operations.ts';
export { type MppPayment, type MppPayOptions, mppPay } from './paying/mppPay.ts';
export {
  type ExternalReceipt,
  NotPaid,
  type PaymentReservation,
  ReservationRefused,
} from './paying/payExternally.ts';
export type { HttpPaymentRefusal, PayFetchOptions } from './paying/payer.ts';
export { payFetch } from './paying/payFetch.ts';
export { type RequestToSign, signRequest } from './paying/signRequest.ts';
export { type X402Payment, x402Scheme } from './paying/x402Scheme.ts';
export { type PaymentReceipt, type ReceiptExpectations, verifyPaymentReceipt } from './receipts.ts';
export { each } from './records.ts';
export type { CallOptions, ClientOptions } from './request.ts';
export { type Client, countersign } from './rest.ts';
export {
  type CartOptions,
  type MandateExpectation,
  type Offer,
  type PaymentSubject,
  signCart,
  verifyPaymentMandate,
} from './selling.ts';
export {
  type CsvName,
  followReplay,
  type ReplayLine,
  streamBackup,
  streamCsv,
  streamDisputePack,
  streamEvidence,
} from './stream.ts';
export type { Abortable, TransportOptions } from './transport.ts';
export { type ApprovalTrustOptions, verifyApproval } from './verifyDecision.ts';
export { verifyWebhook } from './verifyWebhook.ts';
