/** Schemas that documents call by name, so that each shape is described once and linked to. */
import type { z } from 'zod';
import { AgentRecord, AgentSummary } from '../../../protocol/agent.ts';
import { Approval, ApprovalLink, ApprovalState } from '../../../protocol/approval.ts';
import { ApprovalDecision } from '../../../protocol/approvals/approvalDecision.ts';
import { CartItem, CartRequest, CartResult, PurchaseRefusal, RailDecision } from '../../../protocol/cart.ts';
import { Proof } from '../../../protocol/credential/proof.ts';
import { Credential } from '../../../protocol/credential/vc.ts';
import { EvidenceEvent } from '../../../protocol/evidence/chain.ts';
import { EvidenceBundle, EvidenceExport, Verification } from '../../../protocol/evidence/query.ts';
import { HttpPaymentRequest, HttpPaymentResult, SettlementReport } from '../../../protocol/httpPayment.ts';
import { Instrument } from '../../../protocol/instrument.ts';
import {
  Attestation,
  IntentRecord,
  IntentRequest,
  IntentResult,
  IntentSummary,
  RefusalResult,
  VendorHints,
} from '../../../protocol/intent.ts';
import { Merchant } from '../../../protocol/merchant.ts';
import { Attention, AttentionItem } from '../../../protocol/overview/needsPerson.ts';
import { NodeHealth } from '../../../protocol/overview/nodeHealth.ts';
import { AssertionCredential, Passkey, RegistrationCredential } from '../../../protocol/passkey.ts';
import {
  Dispute,
  DisputeRecord,
  Payment,
  PaymentRecord,
  PaymentRequest,
  PaymentResult,
  RailResponse,
} from '../../../protocol/payment.ts';
import { LimitState } from '../../../protocol/policy/limitUse.ts';
import { CreatePolicy, Policy, Simulation } from '../../../protocol/policy/record.ts';
import { Rules } from '../../../protocol/policy/rules.ts';
import { VelocityLimit } from '../../../protocol/policy/values/spendingLimit.ts';
import { TimeWindow } from '../../../protocol/policy/values/timeWindow.ts';
import { HpProof } from '../../../protocol/presence.ts';
import { Principal } from '../../../protocol/principal.ts';
import { SearchHit, SearchResult } from '../../../protocol/searching.ts';
import { Session, SessionRequest } from '../../../protocol/session.ts';
import { Spend, SpendEntry } from '../../../protocol/spend.ts';
import { WebhookEvent } from '../../../protocol/webhook/event.ts';
import { CreateWebhook, NewWebhook, Webhook, WebhookLog } from '../../../protocol/webhook/subscription.ts';
import { AgentCard } from '../../../protocol/wire/agentCard.ts';
import { ErrorBody, Problem } from '../../../protocol/wire/errorBody.ts';

export type NamedSchemas = Readonly<Record<string, z.ZodType>>;

/** What is sent to the node. */
export const namedInputs: NamedSchemas = {
  IntentRequest,
  VendorHints,
  CartRequest,
  CartItem,
  PaymentRequest,
  HttpPaymentRequest,
  SettlementReport,
  CreatePolicy,
  Rules,
  TimeWindow,
  VelocityLimit,
  SessionRequest,
  RegistrationCredential,
  AssertionCredential,
  CreateWebhook,
  ApprovalDecision,
};

/** What the node answers. */
export const namedOutputs: NamedSchemas = {
  ErrorBody,
  Problem,
  AgentCard,
  Credential,
  Proof,
  HpProof,
  Refusal: RefusalResult,
  PurchaseRefusal,
  IntentResult,
  Attestation,
  IntentSummary,
  IntentRecord,
  CartResult,
  RailDecision,
  ApprovalLink,
  Approval,
  ApprovalState,
  ApprovalDecision,
  Passkey,
  PaymentResult,
  RailResponse,
  HttpPaymentResult,
  Payment,
  PaymentRecord,
  NodeHealth,
  SearchResult,
  SearchHit,
  Attention,
  AttentionItem,
  Dispute,
  DisputeRecord,
  Spend,
  SpendEntry,
  Policy,
  Simulation,
  AgentSummary,
  LimitState,
  Agent: AgentRecord,
  VelocityLimit,
  Merchant,
  Instrument,
  Principal,
  EvidenceEvent,
  EvidenceExport,
  EvidenceBundle,
  Verification,
  Session,
  Webhook,
  NewWebhook,
  WebhookLog,
  WebhookEvent,
};
