/** The options of commands, of the schemas of their operations. Written by scripts/client.mjs; do not edit. */

/** A member of an operation's input, as a command line gives it. */
export interface MemberOption {
  readonly member: string;
  /** Of the option, without its dashes. */
  readonly name: string;
  readonly kind: 'agent' | 'principal' | 'choice' | 'choices' | 'moment' | 'day' | 'count' | 'amount' | 'flag' | 'text';
  readonly text: string;
  /** Of a closed list. */
  readonly values?: readonly string[];
  /** What the operation's values begin with, which a person leaves out. */
  readonly prefix?: string;
}

export const commandOptions = {
  listAgents: [
    {"member":"status","name":"status","kind":"choice","text":"the state it is in","values":["ACTIVE","REVOKED","SUSPENDED"]},
  ],
  listLimits: [
    {"member":"status","name":"status","kind":"choice","text":"the state it is in","values":["ACTIVE","REVOKED","SUSPENDED"]},
  ],
  listPayments: [
    {"member":"status","name":"status","kind":"choice","text":"the state it is in","values":["PENDING","UNKNOWN","AUTHORIZED","CAPTURED","PARTIALLY_REFUNDED","REFUNDED","DISPUTED","FAILED","CANCELED"]},
    {"member":"agentDid","name":"agent","kind":"agent","text":"the agent, by its DID or name"},
    {"member":"merchant","name":"merchant","kind":"text","text":"the merchant’s domain"},
    {"member":"from","name":"from","kind":"moment","text":"from this moment on"},
    {"member":"to","name":"to","kind":"moment","text":"up to this moment"},
    {"member":"min","name":"min","kind":"amount","text":"at least so much, in units of currency; without it, in units of each one’s own currency"},
    {"member":"max","name":"max","kind":"amount","text":"at most so much, as min"},
    {"member":"currency","name":"currency","kind":"text","text":"ISO 4217 code in upper case"},
    {"member":"sort","name":"sort","kind":"choice","text":"which come first; the newest ones, unless it is said","values":["newest","oldest","largest","smallest"]},
  ],
  listDisputes: [
    {"member":"status","name":"status","kind":"choice","text":"inquiry: the bank asks, and takes no money so far; won and lost as the merchant sees it","values":["needs_response","under_review","won","lost","inquiry","inquiry_closed"]},
    {"member":"agentDid","name":"agent","kind":"agent","text":"the agent, by its DID or name"},
  ],
  capturePayment: [
    {"member":"amount","name":"amount","kind":"amount","text":"an amount in units of the currency: 42.5 is 42.50 USD"},
  ],
  refundPayment: [
    {"member":"amount","name":"amount","kind":"amount","text":"an amount in units of the currency: 42.5 is 42.50 USD"},
  ],
  settlePayment: [
    {"member":"status","name":"status","kind":"choice","text":"whether the money was taken; CANCELED frees it","values":["CAPTURED","CANCELED"]},
    {"member":"amount","name":"amount","kind":"amount","text":"what was taken; all that was authorized when absent"},
    {"member":"note","name":"note","kind":"text","text":"how the owner knows; it stands in the evidence"},
  ],
  submitDispute: [
    {"member":"note","name":"note","kind":"text","text":"what was submitted, and where; it stands in the evidence"},
  ],
  reserveExternally: [
    {"member":"agentDid","name":"agent","kind":"agent","text":"the agent, by its DID or name"},
    {"member":"principalDid","name":"principal","kind":"principal","text":"whose money it is; the agent’s own when absent, by its DID or name"},
    {"member":"delegationId","name":"delegation","kind":"text","text":"the delegation, dlg_…, whose open mandate must allow the purchase beside the policy"},
    {"member":"merchant","name":"merchant","kind":"text","text":"the domain of who is paid, as the agent knows it"},
    {"member":"amount","name":"amount","kind":"amount","text":"the most that is paid, with tax and shipping"},
    {"member":"currency","name":"currency","kind":"text","text":"ISO 4217 code in upper case"},
    {"member":"url","name":"page","kind":"text","text":"where it is bought"},
    {"member":"channel","name":"channel","kind":"choice","text":"by what it is paid","values":["card","wallet","bank","invoice","other"]},
    {"member":"payee","name":"payee","kind":"text","text":"who is paid, as the registry of merchants has it: a profile at a rail, or an account"},
    {"member":"reference","name":"reference","kind":"text","text":"what the merchant calls the order, where it has a name before it is paid"},
    {"member":"tops","name":"tops","kind":"text","text":"the reservation that was too small, where this is the rest of it"},
    {"member":"mcc","name":"mcc","kind":"text","text":"merchant category code of four digits (ISO 18245)"},
    {"member":"country","name":"country","kind":"text","text":"where the merchant is, ISO 3166-1 alpha-2"},
    {"member":"expiresIn","name":"expires-in","kind":"count","text":"for how many seconds the amount is reserved; 900 when absent"},
    {"member":"enforcement","name":"enforcement","kind":"choice","text":"proxy where the payment cannot be made without this answer, as behind the guard; asked when absent","values":["asked","proxy"]},
    {"member":"approvalId","name":"approval","kind":"text","text":"the approval that the refusal of the same purchase named, once a person has granted it"},
  ],
  validateAcpSession: [
    {"member":"agentDid","name":"agent","kind":"agent","text":"the agent, by its DID or name"},
    {"member":"principalDid","name":"principal","kind":"principal","text":"whose money it is; the agent’s own when absent, by its DID or name"},
    {"member":"delegationId","name":"delegation","kind":"text","text":"the delegation, dlg_…, whose open mandate must allow the purchase beside the policy"},
    {"member":"intentId","name":"intent","kind":"text","text":"the intent that it is bought by, which names the merchant; one is made of the session when absent"},
    {"member":"merchantDomain","name":"merchant","kind":"text","text":"the domain of the shop that the session came from"},
    {"member":"instrument","name":"instrument","kind":"text","text":"what is paid with; the usual payment method when absent"},
    {"member":"replaces","name":"replaces","kind":"text","text":"the payment of the first try, where that came to nothing"},
    {"member":"approvalId","name":"approval","kind":"text","text":"the approval that the refusal of the same purchase named, once a person has granted it"},
  ],
  releaseReservation: [
    {"member":"reason","name":"reason","kind":"choice","text":"why it was not paid","values":["not_paid","declined","abandoned"]},
  ],
  listApprovals: [
    {"member":"status","name":"status","kind":"choice","text":"where the request stands","values":["pending","approved","denied","expired"]},
    {"member":"agentDid","name":"agent","kind":"agent","text":"the agent, by its DID or name"},
    {"member":"merchant","name":"merchant","kind":"text","text":"the merchant’s domain"},
    {"member":"from","name":"from","kind":"moment","text":"from this moment on"},
    {"member":"to","name":"to","kind":"moment","text":"up to this moment"},
  ],
  listTaskRecords: [
    {"member":"state","name":"state","kind":"choice","text":"the state it is in","values":["submitted","working","completed","failed","canceled","input_required","rejected","auth_required"],"prefix":"TASK_STATE_"},
    {"member":"agentDid","name":"agent","kind":"agent","text":"the agent, by its DID or name"},
    {"member":"contextId","name":"context","kind":"text","text":"the session a message belongs to, chosen by the agent"},
  ],
  listDecisions: [
    {"member":"agentDid","name":"agent","kind":"agent","text":"the agent, by its DID or name"},
    {"member":"merchant","name":"merchant","kind":"text","text":"the merchant’s domain"},
    {"member":"outcome","name":"outcome","kind":"choice","text":"approval: nothing but a person’s touch was missing","values":["allowed","refused","approval"]},
    {"member":"reasonCode","name":"reason","kind":"choice","text":"a reason against it","values":["AMOUNT_OVER_CAP","CURRENCY_NOT_ALLOWED","MERCHANT_NOT_ALLOWED","MERCHANT_DENIED","MCC_DENIED","VELOCITY_EXCEEDED","SPENDING_LIMIT_EXCEEDED","TIME_WINDOW_VIOLATED","GEO_RESTRICTED","ANOMALY_DETECTED","CART_EXCEEDS_INTENT","MERCHANT_MISMATCH","INTENT_EXPIRED","APPROVAL_TOKEN_EXPIRED","AGENT_REVOKED","HP_REQUIRED","HP_INVALID","AGENT_SUSPENDED","AGENT_NOT_DELEGATED","INTENT_USED","CART_EXPIRED","CART_USED","MERCHANT_UNVERIFIED","RAIL_UNAVAILABLE","DUPLICATE_SUSPECTED","MANDATE_INVALID","MANDATE_USED","MANDATE_REVOKED","CHECKOUT_MISMATCH","CONSTRAINT_VIOLATED","CONSTRAINT_UNRESOLVED"]},
    {"member":"from","name":"from","kind":"moment","text":"from this moment on"},
    {"member":"to","name":"to","kind":"moment","text":"up to this moment"},
    {"member":"min","name":"min","kind":"amount","text":"at least so much, in units of currency; without it, in units of each one’s own currency"},
    {"member":"max","name":"max","kind":"amount","text":"at most so much, as min"},
    {"member":"currency","name":"currency","kind":"text","text":"ISO 4217 code in upper case"},
    {"member":"sort","name":"sort","kind":"choice","text":"which come first; the newest ones, unless it is said","values":["newest","oldest","largest","smallest"]},
  ],
  listDelegations: [
    {"member":"agentDid","name":"agent","kind":"agent","text":"the agent, by its DID or name"},
  ],
  searchEvidence: [
    {"member":"eventType","name":"type","kind":"text","text":"what happened, such as INTENT_ISSUED"},
    {"member":"actorDid","name":"actor","kind":"agent","text":"who acted: the agent, or the issuer for the operator, by its DID or name"},
    {"member":"contextId","name":"context","kind":"text","text":"the session a message belongs to, chosen by the agent"},
    {"member":"from","name":"from","kind":"moment","text":"from this moment on"},
    {"member":"to","name":"to","kind":"moment","text":"up to this moment"},
  ],
  exportEvidence: [
    {"member":"last","name":"last","kind":"count","text":"only so many of the newest events"},
    {"member":"from","name":"from","kind":"moment","text":"from this moment on"},
    {"member":"to","name":"to","kind":"moment","text":"up to this moment"},
    {"member":"actorDid","name":"actor","kind":"agent","text":"who acted: the agent, or the issuer for the operator, by its DID or name"},
  ],
  createApiKey: [
    {"member":"name","name":"name","kind":"text","text":"a name for people"},
    {"member":"permissions","name":"permissions","kind":"choices","text":"what the key may do: any of read, write and admin","values":["read","write","admin"]},
    {"member":"tier","name":"tier","kind":"choice","text":"which rate limit holds","values":["free","pro","enterprise"]},
  ],
  showSpend: [
    {"member":"from","name":"from","kind":"day","text":"the first day: 2026-11-01"},
    {"member":"to","name":"to","kind":"day","text":"the last day; it is included"},
    {"member":"timezone","name":"timezone","kind":"text","text":"in which days begin at midnight, such as Europe/Berlin; UTC when absent"},
    {"member":"by","name":"by","kind":"choice","text":"what the sums are divided by, besides the currency","values":["agent","merchant","day","month","principal","category"]},
    {"member":"currency","name":"currency","kind":"text","text":"ISO 4217 code in upper case"},
    {"member":"principalDid","name":"principal","kind":"principal","text":"only what was spent of this principal’s money, by its DID or name"},
  ],
  createInvitation: [
    {"member":"role","name":"role","kind":"choice","text":"what they may do; VIEWER where it is not given","values":["OWNER","ADMIN","MEMBER","VIEWER"]},
    {"member":"name","name":"name","kind":"text","text":"what to call them; they may choose another name"},
    {"member":"userId","name":"user","kind":"text","text":"a user who is to get a new passkey, and keeps their role"},
    {"member":"ttlSeconds","name":"ttl-seconds","kind":"count","text":"how long the link works"},
  ],
  addMandateIssuer: [
    {"member":"name","name":"name","kind":"text","text":"what people call it"},
    {"member":"kind","name":"kind","kind":"choice","text":"who signs: an agent’s provider, a credential of the person, or the issuer of the person’s card","values":["agent-provider","user-credential","card-issuer"]},
    {"member":"x5cRoot","name":"x5c-root","kind":"text","text":"the certificate to which the x5c of its mandates must lead: PEM, or DER as base64"},
    {"member":"principalDid","name":"principal","kind":"principal","text":"whose credential it is: what it signs itself counts as the touch of that governed principal, and of no other one, by its DID or name"},
  ],
} as const satisfies Readonly<Record<string, readonly MemberOption[]>>;
