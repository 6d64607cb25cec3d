/**
 * Every operation of the facade, its types and where its members travel. Written by scripts/client.mjs from the routes
 * and schemas of the node; do not edit.
 */

export type IntentRequest = {
  /** The agent, as did:key of its Ed25519 key. */
  readonly agentDid: string;
  /** Whose money it is: a person or company (the principal), as did:key. */
  readonly principalDid: string;
  /** What is asked for. */
  readonly request: {
    /** The most that may be spent, in units of the currency: 42.5 is 42.50 USD. */
    readonly maxAmount: number;
    /** ISO 4217 code in upper case. */
    readonly currency: string;
    /** What is known of the merchant beforehand. A cart from another domain is rejected. */
    readonly vendorHints?: VendorHints;
    /** What is to be bought, as the agent says it. It is kept and shown; only confirmCart decides. */
    readonly shopping?: {
      /** What is to be bought, in words. */
      readonly description?: string;
      /** The articles that are meant. */
      readonly skus?: readonly string[];
      /** Whether it must be possible to give it back. */
      readonly refundable?: boolean;
      /** Whether a person confirms the cart, regardless of the policy. */
      readonly confirmCart?: boolean;
    };
  };
  /** When it ends. */
  readonly expiresAt?: string;
  /** Hands the mandate out in more forms, in `credentials`: vc (VCDM 2.0 with eddsa-jcs-2022), vc+jwt (VC-JOSE-COSE), and status, the status list that it is in. verdict adds the decision as a signed JWT, in `verdict`, also to a refusal. */
  readonly credentialFormats?: readonly ('vc' | 'vc+jwt' | 'status' | 'verdict')[];
  /** The delegation, `dlg_…`, whose open mandate must allow the purchase beside the policy. */
  readonly delegationId?: string;
  /** The same key with the same body gets the same answer for 24 hours, instead of a second effect. */
  readonly idempotencyKey?: string;
};

export type VendorHints = {
  /** The merchant’s domain. */
  readonly domain?: string;
  /** The only merchants that a cart may come from: domains, or names as merchants sign them. */
  readonly merchants?: readonly string[];
  /** Merchant category code of four digits (ISO 18245). */
  readonly mcc?: string;
  /** Where the merchant is, ISO 3166-1 alpha-2. */
  readonly country?: string;
};

export type CartRequest = {
  /** The signed intent: a W3C Verifiable Credential. */
  readonly intentVc: Readonly<Record<string, unknown>>;
  /** The merchant’s signed cart: a W3C Verifiable Credential. */
  readonly cartVc: Readonly<Record<string, unknown>>;
  /** The signed statement that the person was present. */
  readonly hpProof?: Readonly<Record<string, unknown>>;
  /** What will be paid with, for the person who approves; the usual payment method when absent. */
  readonly instrument?: string;
  /** verdict: the decision as a signed JWT, in `verdict`, also where the cart is refused. */
  readonly credentialFormats?: readonly 'verdict'[];
  /** The same key with the same body gets the same answer for 24 hours, instead of a second effect. */
  readonly idempotencyKey?: string;
};

export type CartItem = {
  /** A name for people. */
  readonly name: string;
  /** Price of one, in units of the currency. */
  readonly price: number;
  /** How many. */
  readonly quantity: number;
  readonly [name: string]: unknown;
};

export type PaymentRequest = {
  /** Exchanged once for a payment mandate, `apt_…`. */
  readonly approvalToken: string;
  /** A signature of the user for high-value payments. */
  readonly userAuthorization?: string;
  /** The payment method: one registered for the agent, or for whose money it is; in the sandbox also a test card, such as pm_card_visa or pm_card_visa_chargeDeclined. */
  readonly instrument?: string;
  /** Hands the mandate out in more forms, in `credentials`: vc (VCDM 2.0 with eddsa-jcs-2022), vc+jwt (VC-JOSE-COSE), and status, the status list that it is in. */
  readonly credentialFormats?: readonly ('vc' | 'vc+jwt' | 'status')[];
  /** For whom the mandates of a checkout of UCP are made. */
  readonly ucp?: {
    /** Who the checkout mandate is for; the domain of the business when absent. */
    readonly audience?: string;
    /** Who the payment mandate is for; as `audience` when absent. */
    readonly paymentAudience?: string;
    /** The nonce of both, where the business gave one; else random. */
    readonly nonce?: string;
  };
  /** The same key with the same body gets the same answer for 24 hours, instead of a second effect. */
  readonly idempotencyKey?: string;
};

export type HttpPaymentRequest = {
  /** The agent, as did:key of its Ed25519 key. */
  readonly agentDid: string;
  /** Whose money it is; the agent’s own when absent. */
  readonly principalDid?: string;
  /** The delegation, `dlg_…`, whose open mandate must allow the purchase beside the policy. */
  readonly delegationId?: string;
  /** What was requested: its host is the merchant. Of several hops the one that answered 402. */
  readonly url?: string;
  /** By which it was requested; GET when absent. */
  readonly method?: string;
  /** Of the request’s body, `sha-256=…` (RFC 9530 or 3230). */
  readonly bodyDigest?: string;
  /** Values of WWW-Authenticate as they were received, or the challenges of an answer by MCP. */
  readonly challenges?: readonly (string | Readonly<Record<string, unknown>>)[];
  /** The value of PAYMENT-REQUIRED, or what it holds. */
  readonly paymentRequired?: string | Readonly<Record<string, unknown>>;
  /** Which of the accepted payments a client has chosen, as it was received; the first that can be paid when absent. */
  readonly accepted?: Readonly<Record<string, unknown>>;
  /** The tool of an MCP server that asked for it. */
  readonly toolName?: string;
  /** What is paid with; the usual payment method when absent. */
  readonly instrument?: string;
  /** The payment of the first try, where that came to nothing. */
  readonly replaces?: string;
  /** The approval that the refusal of the same purchase named, once a person has granted it. */
  readonly approvalId?: string;
  /** The same key with the same body gets the same answer for 24 hours, instead of a second effect. */
  readonly idempotencyKey?: string;
};

export type SettlementReport = {
  /** The mandate: `intent_…` for an intent, `pm_…` for a payment. */
  readonly mandateId?: string;
  /** Names the challenge of this ceremony; good for one use within 300 seconds. */
  readonly challengeId?: string;
  /** A value that is signed along, so that what is signed serves once. */
  readonly nonce?: string;
  /** The value of Payment-Receipt, or what it holds. */
  readonly receipt?: string | Readonly<Record<string, unknown>>;
  /** The value of PAYMENT-RESPONSE, or what it holds. */
  readonly paymentResponse?: string | Readonly<Record<string, unknown>>;
  /** Where the server asked once more: what it asked for. */
  readonly paymentRequired?: string | Readonly<Record<string, unknown>>;
  /** The problem details of a 402 that came in place of what was bought, or an error of ACP. */
  readonly problem?: Readonly<Record<string, unknown>>;
  /** Of acp: the session that the shop answered, with its order. */
  readonly session?: Readonly<Record<string, unknown>>;
  /** Of acp: the order, where the shop told of it alone. */
  readonly order?: Readonly<Record<string, unknown>>;
  /** Of the answer by HTTP. */
  readonly status?: number;
};

export type CreatePolicy = {
  /** A name for people. */
  readonly name: string;
  /** The rules. A rule that is not known is refused. */
  readonly rules: Rules;
  /** Whether it becomes the current policy at once. */
  readonly activate?: boolean;
  /** The version that is current as far as the caller knows; null where none is. Where another one is, nothing is written. */
  readonly ifCurrent?: {
    /** The id of this record. */
    readonly id: string;
    /** Which version this is. */
    readonly version: number;
  } | null;
  /** The ETag with which it was read, as the header If-Match has it. Where it is another one by now, nothing is changed. */
  readonly ifMatch?: string;
  /** The same key with the same body gets the same answer for 24 hours, instead of a second effect. */
  readonly idempotencyKey?: string;
};

export type Rules = {
  /** Which version this is. */
  readonly version: '2.0';
  /** How much, in which currency, for what. */
  readonly spend?: {
    /** Most that an agent may spend alone in one purchase. */
    readonly amount_cap?: number;
    /** Most in one purchase with a person present; amount_cap when absent. */
    readonly presence_cap?: number;
    /** ISO 4217 code in upper case. */
    readonly currency?: string;
    /** Categories of merchants that are allowed, by their code. */
    readonly categories?: readonly ('groceries' | 'alcohol' | 'tobacco' | 'restaurants' | 'bars' | 'general_merchandise' | 'household' | 'home_improvement' | 'electronics' | 'clothing' | 'jewelry' | 'books' | 'music' | 'toys' | 'hobbies' | 'gifts' | 'art_and_antiques' | 'second_hand' | 'sporting_goods' | 'office_supplies' | 'beauty' | 'pharmacy' | 'health' | 'pets' | 'software' | 'digital_goods' | 'subscriptions' | 'telecom' | 'utilities' | 'fuel' | 'vehicles' | 'transport' | 'airlines' | 'car_rental' | 'lodging' | 'travel' | 'shipping' | 'entertainment' | 'sports_and_fitness' | 'education' | 'childcare' | 'personal_services' | 'dating' | 'repairs' | 'business_services' | 'professional_services' | 'real_estate' | 'insurance' | 'financial' | 'money_transfer' | 'gambling' | 'adult' | 'charity' | 'memberships' | 'government')[];
    /** Refuses purchases whose category is not known. */
    readonly categories_strict?: boolean;
  };
  /** The merchant’s domain. */
  readonly merchant?: {
    /** Domains that are allowed; `*.example.com` means the subdomains. Empty: all. */
    readonly allow_list?: readonly string[];
    /** Domains that are denied, their subdomains included. */
    readonly deny_list?: readonly string[];
    /** Merchant category codes that are allowed. */
    readonly mcc_allow?: readonly string[];
    /** Merchant category codes that are denied. */
    readonly mcc_deny?: readonly string[];
    /** Whether a payee may be paid that is bound to no domain, where a server asks for money by HTTP. */
    readonly allow_unbound_payees?: boolean;
  };
  /** When, where, and with whom present. */
  readonly context?: {
    /** optional: by the rules below. required: always. never: what needs a person is denied. */
    readonly presence?: 'optional' | 'required' | 'never';
    /** An amount above it needs a person. */
    readonly presence_threshold?: number;
    /** Whether the first purchase at a merchant needs a person. */
    readonly presence_new_merchant?: boolean;
    /** How many different people must approve, in one step or several by amount. */
    readonly approval?: {
      /** How many different people must approve. */
      readonly people: number;
      /** Purchases above this amount; every purchase when absent. */
      readonly above?: number;
      /** The roles of users who may approve, and who alone count then; when absent OWNER and ADMIN, and beside them once the passkey holder of the agent, or of the person or company whose money it is. */
      readonly roles?: readonly ('OWNER' | 'ADMIN' | 'MEMBER')[];
      /** Whether the approval of the user who owns the agent does not count, nor that of the agent’s passkey holder. */
      readonly not_owner_of_agent?: boolean;
    } | readonly {
      /** How many different people must approve. */
      readonly people: number;
      /** Purchases above this amount; every purchase when absent. */
      readonly above?: number;
      /** The roles of users who may approve, and who alone count then; when absent OWNER and ADMIN, and beside them once the passkey holder of the agent, or of the person or company whose money it is. */
      readonly roles?: readonly ('OWNER' | 'ADMIN' | 'MEMBER')[];
      /** Whether the approval of the user who owns the agent does not count, nor that of the agent’s passkey holder. */
      readonly not_owner_of_agent?: boolean;
    }[];
    /** How long people have to approve a purchase, from 1m to 7d; 15m when absent. */
    readonly approval_ttl?: string;
    /** What a presence proof must be bound to. */
    readonly presence_binding?: 'cart' | 'any' | 'agent';
    /** Whether the link to an approval is enough to deny it, without a passkey. */
    readonly deny_by_link?: boolean;
    /** When purchases are allowed; outside all of them they are not. */
    readonly time_windows?: readonly TimeWindow[];
    /** Countries, ISO 3166-1 alpha-2. */
    readonly geo?: {
      /** Those that are allowed; all when absent or empty. */
      readonly allow?: readonly string[];
      /** Those that are denied. */
      readonly deny?: readonly string[];
    };
  };
  /** How often, how much in a time, how unusual. */
  readonly risk?: {
    /** How many purchases, or how much, within a sliding window. */
    readonly velocity_limit?: {
      /** How many within the window. */
      readonly max_transactions?: number;
      /** How much within the window. */
      readonly max_amount?: number;
      /** How long the sliding window is, such as 24h. */
      readonly time_window: string;
      /** Whose purchases count together: one agent’s, or all of the tenant’s. */
      readonly scope?: 'agent' | 'policy';
    };
    /** How many purchases, or how much, in periods: up to 20 limits, of which each holds. */
    readonly limits?: readonly {
      /** How refusals and lists name it. */
      readonly name: string;
      /** How many purchases. */
      readonly max_transactions?: number;
      /** How much in all. */
      readonly max_amount?: number;
      /** Purchases in it alone count; the policy’s currency when absent; without either, max_amount holds for each currency by itself. */
      readonly currency?: string;
      /** day, week, month, quarter or year of the calendar; or a sliding duration such as 24h. */
      readonly window: string;
      /** In which a period of the calendar begins at midnight; UTC when absent. */
      readonly timezone?: string;
      /** Whose purchases count together: one agent’s (agent), those with the money of the same person or company (principal), or all of the tenant’s (policy). */
      readonly scope?: 'agent' | 'principal' | 'policy';
      /** Purchases there alone count: example.com, or *.example.com, or a list of both that count together. */
      readonly merchant?: string | readonly string[];
      /** Purchases of this category alone count. */
      readonly category?: 'groceries' | 'alcohol' | 'tobacco' | 'restaurants' | 'bars' | 'general_merchandise' | 'household' | 'home_improvement' | 'electronics' | 'clothing' | 'jewelry' | 'books' | 'music' | 'toys' | 'hobbies' | 'gifts' | 'art_and_antiques' | 'second_hand' | 'sporting_goods' | 'office_supplies' | 'beauty' | 'pharmacy' | 'health' | 'pets' | 'software' | 'digital_goods' | 'subscriptions' | 'telecom' | 'utilities' | 'fuel' | 'vehicles' | 'transport' | 'airlines' | 'car_rental' | 'lodging' | 'travel' | 'shipping' | 'entertainment' | 'sports_and_fitness' | 'education' | 'childcare' | 'personal_services' | 'dating' | 'repairs' | 'business_services' | 'professional_services' | 'real_estate' | 'insurance' | 'financial' | 'money_transfer' | 'gambling' | 'adult' | 'charity' | 'memberships' | 'government';
      /** Over it: deny, or let a person approve. */
      readonly action?: 'deny' | 'presence';
    }[];
    /** What to do about an amount far above what the agent paid before. */
    readonly anomaly?: {
      /** Payments there must be before it is judged. */
      readonly min_history: number;
      /** Standard deviations above the mean. */
      readonly max_deviation: number;
      /** Deny it, or ask for a person. */
      readonly action: 'deny' | 'presence';
    };
    /** What to do about a purchase that was made before: same payer, merchant, total and items. */
    readonly duplicate?: {
      /** How long the same purchase counts, such as 10m. */
      readonly window: string;
      /** Deny it, or ask for a person. */
      readonly action: 'deny' | 'presence';
      /** Purchases of at most so much are not looked at; 0 when absent. */
      readonly above?: number;
      /** So many of the same are allowed within the window; 1 when absent. */
      readonly max?: number;
    };
  };
  /** Which payment rails, in which order. */
  readonly rails?: {
    /** Those that are allowed; when absent or empty all, but for EXTERNAL_RAIL, which must be named. */
    readonly allow?: readonly string[];
    /** The order in which they are tried. */
    readonly priorities?: readonly string[];
  };
  readonly external?: {
    /** Who may say that a reserved payment was not made, which frees its amount. */
    readonly release?: 'owner' | 'agent';
    /** What becomes of a reservation at its end, where it was not told what came of it. */
    readonly on_expiry?: 'hold' | 'release';
    /** What must be told of a payment that was made elsewhere. */
    readonly evidence?: 'none' | 'reference' | 'hash';
  };
  readonly mandates?: {
    /** Whether the last mandate of a chain must have a nonce that the node gave to its agent. */
    readonly require_nonce?: boolean;
  };
};

export type TimeWindow = {
  /** Days on which the window opens; every day when absent. */
  readonly days?: readonly ('mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat' | 'sun')[];
  /** From this moment on. */
  readonly from: string;
  /** Up to this moment. */
  readonly to: string;
  /** IANA time zone. */
  readonly timezone: string;
};

export type VelocityLimitInput = {
  /** How many purchases within the window. */
  readonly maxTransactions?: number;
  /** The most that may be spent, in units of the currency: 42.5 is 42.50 USD. */
  readonly maxAmount?: number;
  /** How long the sliding window is: a whole number and s, m, h or d, such as 24h. */
  readonly timeWindow?: string;
  /** In place of those of risk.limits that each agent has to itself; an empty list for none. */
  readonly limits?: readonly {
    /** How refusals and lists name it. */
    readonly name: string;
    /** How many purchases within the window. */
    readonly maxTransactions?: number;
    /** The most that may be spent, in units of the currency: 42.5 is 42.50 USD. */
    readonly maxAmount?: number;
    /** Counts purchases in this currency alone; the policy’s when absent. */
    readonly currency?: string;
    /** day, week, month, quarter or year of the calendar, or a duration such as 24h that slides. */
    readonly window: string;
    /** In which a period of the calendar begins at midnight; UTC when absent. */
    readonly timezone?: string;
    readonly scope?: 'agent';
    /** The merchant’s domain. */
    readonly merchant?: string | readonly string[];
    readonly category?: 'groceries' | 'alcohol' | 'tobacco' | 'restaurants' | 'bars' | 'general_merchandise' | 'household' | 'home_improvement' | 'electronics' | 'clothing' | 'jewelry' | 'books' | 'music' | 'toys' | 'hobbies' | 'gifts' | 'art_and_antiques' | 'second_hand' | 'sporting_goods' | 'office_supplies' | 'beauty' | 'pharmacy' | 'health' | 'pets' | 'software' | 'digital_goods' | 'subscriptions' | 'telecom' | 'utilities' | 'fuel' | 'vehicles' | 'transport' | 'airlines' | 'car_rental' | 'lodging' | 'travel' | 'shipping' | 'entertainment' | 'sports_and_fitness' | 'education' | 'childcare' | 'personal_services' | 'dating' | 'repairs' | 'business_services' | 'professional_services' | 'real_estate' | 'insurance' | 'financial' | 'money_transfer' | 'gambling' | 'adult' | 'charity' | 'memberships' | 'government';
    readonly action?: 'deny' | 'presence';
  }[];
};

export type SessionRequest = {
  /** The session a message belongs to, chosen by the agent. */
  readonly contextId: string;
  /** The agent, as did:key of its Ed25519 key. */
  readonly agentDid: string;
  /** The person the session is with, as did:key. */
  readonly userDid: string;
};

export type RegistrationCredential = {
  /** The id of this record. */
  readonly id: string;
  /** The same as id. */
  readonly rawId: string;
  /** What kind of document this is. */
  readonly type: 'public-key';
  /** What the authenticator answered. */
  readonly response: {
    /** What the browser signed over: challenge, origin, kind of ceremony. */
    readonly clientDataJSON: string;
    /** The new passkey’s public key, in CBOR. */
    readonly attestationObject: string;
    /** How the browser reaches the authenticator. */
    readonly transports?: readonly string[];
  };
};

export type AssertionCredential = {
  /** The id of this record. */
  readonly id: string;
  /** The same as id. */
  readonly rawId: string;
  /** What kind of document this is. */
  readonly type: 'public-key';
  /** What the authenticator answered. */
  readonly response: {
    /** What the browser signed over: challenge, origin, kind of ceremony. */
    readonly clientDataJSON: string;
    /** What the authenticator vouches for: site, user verified, count. */
    readonly authenticatorData: string;
    /** Over authenticatorData and the hash of clientDataJSON. */
    readonly signature: string;
    /** The account that the passkey belongs to. */
    readonly userHandle?: string | null;
  };
};

export type CreateWebhook = {
  /** Where events are posted to; https, and public in production. */
  readonly url: string;
  /** Which events are posted there. */
  readonly events: readonly ('payment.authorized' | 'payment.captured' | 'payment.failed' | 'payment.refunded' | 'payment.refund_failed' | 'payment.disputed' | 'payment.dispute_closed' | 'intent.issued' | 'intent.denied' | 'intent.expired' | 'cart.validated' | 'cart.rejected' | 'approval.requested' | 'approval.approved' | 'approval.denied' | 'approval.expired' | 'agent.created' | 'agent.revoked' | 'agent.suspended' | 'agent.reactivated' | 'policy.updated' | 'policy.violation')[];
  /** Signs every delivery; one is made when none is given. Shown in this answer only. */
  readonly secret?: string;
  /** The same key with the same body gets the same answer for 24 hours, instead of a second effect. */
  readonly idempotencyKey?: string;
};

export type ApprovalDecisionInput = {
  /** Of the request. */
  readonly id: string;
  /** withdrawn: the agent asks no more. An approved one has every member of the touch. */
  readonly outcome: 'approved' | 'denied' | 'expired' | 'withdrawn';
  readonly decidedAt: string;
  /** Of a denial without a touch: by the holder of the link, or by a user or key of the node. */
  readonly by?: 'link' | 'operator';
  /** What the passkey signed the hash of, every member of it. */
  readonly binding?: {
    /** The agent that asks. */
    readonly agentDid: string;
    /** Whose money would be spent. */
    readonly principalDid?: string;
    /** The intent, `intent_…`. */
    readonly intentId?: string;
    /** SHA-256 of the canonical JSON of the cart without its proof. */
    readonly cartHash?: string;
    /** The same, of an action that is no cart. */
    readonly documentHash?: string;
    /** In units of the currency. */
    readonly amount?: number;
    /** ISO 4217 code in upper case. */
    readonly currency?: string;
    /** The merchant’s domain. */
    readonly merchant?: string;
    /** What would be paid with; the usual payment method when absent. */
    readonly instrument?: string;
    /** What the person decided. */
    readonly decision: 'approve' | 'deny';
  };
  /** The 32 random bytes of the challenge. */
  readonly random?: string;
  /** The public key of the passkey (RFC 7517). */
  readonly key?: {
    /** What kind of key it is: EC, OKP or RSA. */
    readonly kty: 'EC' | 'OKP' | 'RSA';
    /** Which key it is; a signature must name it where it is given. */
    readonly kid?: string;
    /** ES256, ES384, ES512, EdDSA (or Ed25519, which is read as EdDSA) or RS256, as the key is. */
    readonly alg?: string;
    /** What the key is for: sig. */
    readonly use?: string;
    /** What the key may be used for: verify. */
    readonly key_ops?: readonly string[];
    readonly [name: string]: unknown;
  };
  /** The host name passkeys are made for. */
  readonly rpId?: string;
  /** Where the person decided. */
  readonly origin?: string;
  /** What the authenticator and its browser made, base64url. */
  readonly assertion?: {
    /** The passkey that was touched. */
    readonly credentialId: string;
    /** What the authenticator vouches for: site, user verified, count. */
    readonly authenticatorData: string;
    /** What the browser signed over: challenge, origin, kind of ceremony. */
    readonly clientDataJSON: string;
    /** Over authenticatorData and the hash of clientDataJSON. */
    readonly signature: string;
  };
  /** The node’s credential PasskeyEnrolment, which says whose purchases the key approves since when. */
  readonly enrolment?: Readonly<Record<string, unknown>>;
};

export type ErrorBody = {
  /** What went wrong. */
  readonly error: {
    /** A stable code for programs. */
    readonly code: string;
    /** One sentence for a person. */
    readonly message: string;
    /** Names this request in the logs; also in the header X-Request-Id. */
    readonly requestId: string;
    /** Where the code is explained, with its remedy. */
    readonly docs: string;
    /** The facts behind each reason, by its code; over HTTP errors, the members at fault. */
    readonly details?: readonly {
      /** The member at fault. */
      readonly path: string;
      /** One sentence for a person. */
      readonly message: string;
    }[];
  };
};

export type Problem = {
  /** Where the code is explained, with its remedy. */
  readonly type: string;
  /** The code in words. */
  readonly title: string;
  /** The state it is in. */
  readonly status: number;
  readonly detail: string;
  /** A stable code for programs. */
  readonly code: string;
  /** Names this request in the logs; also in the header X-Request-Id. */
  readonly requestId: string;
  readonly errors?: readonly {
    /** The member at fault. */
    readonly path: string;
    /** One sentence for a person. */
    readonly message: string;
  }[];
};

export type AgentCard = {
  /** JSON-LD contexts; the first is that of the credentials data model. */
  readonly '@context': string;
  /** Type in the vocabulary of the context. */
  readonly '@type': string;
  /** A did:key: `did:key:z6Mk…`. */
  readonly did: string;
  /** A name for people. */
  readonly name: string;
  /** Which version this is. */
  readonly version: string;
  /** What it is for. */
  readonly description: string;
  /** The base address. */
  readonly url: string;
  /** Who runs it. */
  readonly provider: {
    /** Type in the vocabulary of the context. */
    readonly '@type': string;
    /** A name for people. */
    readonly name: string;
  };
  /** What it can do. */
  readonly capabilities: readonly string[];
  /** Protocols it speaks. */
  readonly protocols: readonly string[];
  /** Where to reach it. */
  readonly endpoints: {
    /** Address of the A2A gateway. */
    readonly a2a: string;
    /** Address of the agent card. */
    readonly discovery: string;
  };
  /** How callers prove who they are. */
  readonly authentication: {
    /** Ways to authenticate. */
    readonly methods: readonly string[];
  };
  readonly skills: readonly {
    /** The id of this record. */
    readonly id: string;
    /** A name for people. */
    readonly name: string;
    /** What it is for. */
    readonly description: string;
    readonly tags: readonly string[];
    readonly examples: readonly string[];
  }[];
  readonly defaultInputModes: readonly string[];
  readonly defaultOutputModes: readonly string[];
  readonly protocolVersion: string;
  readonly preferredTransport: string;
  readonly additionalInterfaces: readonly {
    /** The base address. */
    readonly url: string;
    readonly transport: string;
  }[];
  readonly supportedInterfaces: readonly {
    /** The base address. */
    readonly url: string;
    readonly protocolBinding: string;
    readonly protocolVersion: string;
  }[];
};

export type Credential = {
  /** JSON-LD contexts; the first is that of the credentials data model. */
  readonly '@context': readonly string[];
  /** The id of this record. */
  readonly id?: string;
  /** What kind of document this is. */
  readonly type: readonly string[];
  /** The DID that signed this, or whose chain this is. */
  readonly issuer: string;
  /** When it was issued. */
  readonly issuanceDate: string;
  /** When it ends. */
  readonly expirationDate?: string;
  /** What is claimed. */
  readonly credentialSubject: Readonly<Record<string, unknown>>;
  /** Ed25519Signature2020 with a detached JWS (RFC 7515, RFC 7797). */
  readonly proof: Proof;
  readonly [name: string]: unknown;
};

export type Proof = {
  /** What kind of document this is. */
  readonly type: 'Ed25519Signature2020';
  /** When it was signed. */
  readonly created: string;
  /** The key that signed. */
  readonly verificationMethod: string;
  /** assertionMethod for credentials, authentication for messages. */
  readonly proofPurpose: 'assertionMethod' | 'authentication';
  /** The detached JWS: header, nothing, signature. */
  readonly jws: string;
};

export type HpProof = {
  /** What kind of document this is. */
  readonly type: 'HumanPresenceProof';
  /** The id of this record. */
  readonly id: string;
  /** The DID that signed this, or whose chain this is. */
  readonly issuer: string;
  /** The agent, as did:key of its Ed25519 key. */
  readonly agentDid: string;
  /** The governed principal whose passkey it was. */
  readonly principalDid?: string;
  /** What the person was shown that would be paid with. */
  readonly instrument?: string;
  /** The intent, `intent_…`. */
  readonly intentId?: string;
  /** SHA-256 of the canonical cart without its proof, `sha256:…`; of a cart mandate, of `{contents, merchant}` with its domain. */
  readonly cartHash?: string;
  /** The passkey; of several people, that of the last one. */
  readonly credentialId: string;
  /** DID of the person; of several people, that of the last one. */
  readonly approvedBy?: string;
  /** user: a passkey that this user enrolled. agent, principal: one that a link or a key enrolled, so that the person is the passkey holder of that agent or principal, and no user. */
  readonly passkeyOf?: 'user' | 'agent' | 'principal';
  /** Where the policy asks several people: each one’s touch, this one last. */
  readonly approvals?: readonly {
    /** Of the HP_VERIFIED event that has the touch. */
    readonly hpId: string;
    /** DID of the person. */
    readonly by: string;
    /** user: a passkey that this user enrolled. agent, principal: one that a link or a key enrolled, so that the person is the passkey holder of that agent or principal, and no user. */
    readonly passkeyOf?: 'user' | 'agent' | 'principal';
  }[];
  /** When the person was present. */
  readonly verifiedAt: string;
  /** When it ends. */
  readonly expiresAt: string;
  /** Ed25519Signature2020 with a detached JWS (RFC 7515, RFC 7797). */
  readonly proof: Proof;
  readonly [name: string]: unknown;
};

export type Refusal = {
  /** Whether the policy allows it. */
  readonly allowed: false;
  /** Every reason against it, in a fixed order. */
  readonly reasonCodes: readonly ('AMOUNT_OVER_CAP' | 'CURRENCY_NOT_ALLOWED' | 'MERCHANT_NOT_ALLOWED' | 'MERCHANT_DENIED' | 'MCC_DENIED' | 'VELOCITY_EXCEEDED' | 'SPENDING_LIMIT_EXCEEDED' | 'TIME_WINDOW_VIOLATED' | 'GEO_RESTRICTED' | 'ANOMALY_DETECTED' | 'CART_EXCEEDS_INTENT' | 'MERCHANT_MISMATCH' | 'INTENT_EXPIRED' | 'APPROVAL_TOKEN_EXPIRED' | 'AGENT_REVOKED' | 'HP_REQUIRED' | 'HP_INVALID' | 'AGENT_SUSPENDED' | 'AGENT_NOT_DELEGATED' | 'INTENT_USED' | 'CART_EXPIRED' | 'CART_USED' | 'MERCHANT_UNVERIFIED' | 'RAIL_UNAVAILABLE' | 'DUPLICATE_SUSPECTED' | 'MANDATE_INVALID' | 'MANDATE_USED' | 'MANDATE_REVOKED' | 'CHECKOUT_MISMATCH' | 'CONSTRAINT_VIOLATED' | 'CONSTRAINT_UNRESOLVED')[];
  /** The facts behind each reason, by its code; over HTTP errors, the members at fault. */
  readonly details: Readonly<Record<string, {
    /** What was asked for. */
    readonly requested?: number;
    /** What the rule allows. */
    readonly limit?: number;
    /** Of a limit over time: what it counts besides this. */
    readonly used?: number;
    /** The limit less what is asked; negative where that is over it. */
    readonly left?: number;
    /** Until its period of the calendar ends. */
    readonly resetsInSeconds?: number;
    /** ISO 4217 code in upper case. */
    readonly currency?: string;
    /** How the Universal Commerce Protocol calls it, where it does. */
    readonly ucp?: string;
    /** One sentence for a person. */
    readonly message: string;
  }>>;
  /** Every limit over time that refuses it; absent where none does. */
  readonly limits?: readonly LimitState[];
  /** The decision as a JWT that the node’s key set verifies, where credentialFormats named verdict. */
  readonly verdict?: string;
};

export type PurchaseRefusal = {
  /** Whether the policy allows it. */
  readonly allowed: false;
  /** Every reason against it, in a fixed order. */
  readonly reasonCodes: readonly ('AMOUNT_OVER_CAP' | 'CURRENCY_NOT_ALLOWED' | 'MERCHANT_NOT_ALLOWED' | 'MERCHANT_DENIED' | 'MCC_DENIED' | 'VELOCITY_EXCEEDED' | 'SPENDING_LIMIT_EXCEEDED' | 'TIME_WINDOW_VIOLATED' | 'GEO_RESTRICTED' | 'ANOMALY_DETECTED' | 'CART_EXCEEDS_INTENT' | 'MERCHANT_MISMATCH' | 'INTENT_EXPIRED' | 'APPROVAL_TOKEN_EXPIRED' | 'AGENT_REVOKED' | 'HP_REQUIRED' | 'HP_INVALID' | 'AGENT_SUSPENDED' | 'AGENT_NOT_DELEGATED' | 'INTENT_USED' | 'CART_EXPIRED' | 'CART_USED' | 'MERCHANT_UNVERIFIED' | 'RAIL_UNAVAILABLE' | 'DUPLICATE_SUSPECTED' | 'MANDATE_INVALID' | 'MANDATE_USED' | 'MANDATE_REVOKED' | 'CHECKOUT_MISMATCH' | 'CONSTRAINT_VIOLATED' | 'CONSTRAINT_UNRESOLVED')[];
  /** The facts behind each reason, by its code; over HTTP errors, the members at fault. */
  readonly details: Readonly<Record<string, {
    /** What was asked for. */
    readonly requested?: number;
    /** What the rule allows. */
    readonly limit?: number;
    /** Of a limit over time: what it counts besides this. */
    readonly used?: number;
    /** The limit less what is asked; negative where that is over it. */
    readonly left?: number;
    /** Until its period of the calendar ends. */
    readonly resetsInSeconds?: number;
    /** ISO 4217 code in upper case. */
    readonly currency?: string;
    /** How the Universal Commerce Protocol calls it, where it does. */
    readonly ucp?: string;
    /** One sentence for a person. */
    readonly message: string;
  }>>;
  /** Every limit over time that refuses it; absent where none does. */
  readonly limits?: readonly LimitState[];
  /** The decision as a JWT that the node’s key set verifies, where credentialFormats named verdict. */
  readonly verdict?: string;
  /** The payment that was made for the same before, for a caller who may read it. */
  readonly duplicateOf?: {
    /** The mandate: `intent_…` for an intent, `pm_…` for a payment. */
    readonly mandateId: string;
    /** The transaction that ties intent, cart, payment and evidence together, `txn_…`. */
    readonly transactionId: string;
    /** The state it is in. */
    readonly status: 'PENDING' | 'UNKNOWN' | 'AUTHORIZED' | 'CAPTURED' | 'PARTIALLY_REFUNDED' | 'DISPUTED';
    /** When it was made. */
    readonly createdAt: string;
    /** Where the result of that payment is; an agent that planned again takes this one. */
    readonly resultUrl: string;
  };
};

export type IntentResult = {
  /** Whether the policy allows it. */
  readonly allowed: true;
  /** The signed intent: a W3C Verifiable Credential. */
  readonly intentVc: Credential;
  /** Which policy this was judged by. */
  readonly attestation: Attestation;
  /** Whether the person must be present when the cart is validated. */
  readonly hpRequired: boolean;
  /** The limit over time of which the least share is left, after this; absent where none is set. */
  readonly remaining?: LimitState;
  /** The forms that credentialFormats named. */
  readonly credentials?: {
    readonly vc?: Readonly<Record<string, unknown>>;
    readonly 'vc+jwt'?: string;
    /** The status list as a token, for a merchant who does not fetch it. */
    readonly status?: string;
  };
  /** The decision as a JWT that the node’s key set verifies, where credentialFormats named verdict. */
  readonly verdict?: string;
} | Refusal;

export type Attestation = {
  /** The policy, `pol_…`. */
  readonly policyId: string;
  /** Which version of the policy was judged by. */
  readonly policyVersion: number;
  /** SHA-256 of the canonical rules (RFC 8785), `sha256:…`. */
  readonly policyHash: string;
};

export type IntentSummary = {
  /** The mandate: `intent_…` for an intent, `pm_…` for a payment. */
  readonly mandateId: string;
  /** The state it is in. */
  readonly status: 'ACTIVE' | 'USED' | 'EXPIRED';
  /** The agent, as did:key of its Ed25519 key. */
  readonly agentDid: string;
  /** The most that may be spent, in units of the currency: 42.5 is 42.50 USD. */
  readonly maxAmount: number;
  /** ISO 4217 code in upper case. */
  readonly currency: string;
  /** When it was made. */
  readonly createdAt: string;
  /** When it ends. */
  readonly expiresAt: string;
};

export type IntentRecord = {
  /** The mandate: `intent_…` for an intent, `pm_…` for a payment. */
  readonly mandateId: string;
  /** The state it is in. */
  readonly status: 'ACTIVE' | 'USED' | 'EXPIRED';
  /** The agent, as did:key of its Ed25519 key. */
  readonly agentDid: string;
  /** The most that may be spent, in units of the currency: 42.5 is 42.50 USD. */
  readonly maxAmount: number;
  /** ISO 4217 code in upper case. */
  readonly currency: string;
  /** When it was made. */
  readonly createdAt: string;
  /** When it ends. */
  readonly expiresAt: string;
  /** Whose money it is: a person or company (the principal), as did:key. */
  readonly principalDid: string;
  /** The merchant’s domain. */
  readonly merchantDomain?: string;
  /** The only merchants that a cart may come from, by domain or name. */
  readonly merchants?: readonly string[];
  /** What is to be bought, as the agent says it. It is kept and shown; only confirmCart decides. */
  readonly shopping?: {
    /** What is to be bought, in words. */
    readonly description?: string;
    /** The articles that are meant. */
    readonly skus?: readonly string[];
    /** Whether it must be possible to give it back. */
    readonly refundable?: boolean;
    /** Whether a person confirms the cart, regardless of the policy. */
    readonly confirmCart?: boolean;
  };
  readonly delegationId?: string;
  /** The transaction that ties intent, cart, payment and evidence together, `txn_…`. */
  readonly transactionId: string;
  /** Why it ended before its time: the approval of its cart was denied, its delegation was revoked, or its payment credential was given back. */
  readonly reason?: 'denied' | 'revoked' | 'withdrawn';
  /** The signed intent: a W3C Verifiable Credential. */
  readonly intentVc: Credential;
  /** Which policy this was judged by. */
  readonly attestation: Attestation;
};

export type CartResult = {
  /** Whether the policy allows it. */
  readonly allowed: true;
  /** Exchanged once for a payment mandate, `apt_…`. */
  readonly approvalToken: string;
  /** The approval token is good until then. */
  readonly approvalTokenExpiresAt: string;
  /** Which rail will be asked, and why. */
  readonly railDecision: RailDecision;
  /** SHA-256 of the canonical cart without its proof, `sha256:…`; of a cart mandate, of `{contents, merchant}` with its domain. */
  readonly cartHash: string;
  /** The decision as a JWT that the node’s key set verifies, where credentialFormats named verdict. */
  readonly verdict?: string;
} | {
  /** Whether the policy allows it. */
  readonly allowed: false;
  /** Every reason against it, in a fixed order. */
  readonly reasonCodes: readonly ('AMOUNT_OVER_CAP' | 'CURRENCY_NOT_ALLOWED' | 'MERCHANT_NOT_ALLOWED' | 'MERCHANT_DENIED' | 'MCC_DENIED' | 'VELOCITY_EXCEEDED' | 'SPENDING_LIMIT_EXCEEDED' | 'TIME_WINDOW_VIOLATED' | 'GEO_RESTRICTED' | 'ANOMALY_DETECTED' | 'CART_EXCEEDS_INTENT' | 'MERCHANT_MISMATCH' | 'INTENT_EXPIRED' | 'APPROVAL_TOKEN_EXPIRED' | 'AGENT_REVOKED' | 'HP_REQUIRED' | 'HP_INVALID' | 'AGENT_SUSPENDED' | 'AGENT_NOT_DELEGATED' | 'INTENT_USED' | 'CART_EXPIRED' | 'CART_USED' | 'MERCHANT_UNVERIFIED' | 'RAIL_UNAVAILABLE' | 'DUPLICATE_SUSPECTED' | 'MANDATE_INVALID' | 'MANDATE_USED' | 'MANDATE_REVOKED' | 'CHECKOUT_MISMATCH' | 'CONSTRAINT_VIOLATED' | 'CONSTRAINT_UNRESOLVED')[];
  /** The facts behind each reason, by its code; over HTTP errors, the members at fault. */
  readonly details: Readonly<Record<string, {
    /** What was asked for. */
    readonly requested?: number;
    /** What the rule allows. */
    readonly limit?: number;
    /** Of a limit over time: what it counts besides this. */
    readonly used?: number;
    /** The limit less what is asked; negative where that is over it. */
    readonly left?: number;
    /** Until its period of the calendar ends. */
    readonly resetsInSeconds?: number;
    /** ISO 4217 code in upper case. */
    readonly currency?: string;
    /** How the Universal Commerce Protocol calls it, where it does. */
    readonly ucp?: string;
    /** One sentence for a person. */
    readonly message: string;
  }>>;
  /** Every limit over time that refuses it; absent where none does. */
  readonly limits?: readonly LimitState[];
  /** The decision as a JWT that the node’s key set verifies, where credentialFormats named verdict. */
  readonly verdict?: string;
  /** The payment that was made for the same before, for a caller who may read it. */
  readonly duplicateOf?: {
    /** The mandate: `intent_…` for an intent, `pm_…` for a payment. */
    readonly mandateId: string;
    /** The transaction that ties intent, cart, payment and evidence together, `txn_…`. */
    readonly transactionId: string;
    /** The state it is in. */
    readonly status: 'PENDING' | 'UNKNOWN' | 'AUTHORIZED' | 'CAPTURED' | 'PARTIALLY_REFUNDED' | 'DISPUTED';
    /** When it was made. */
    readonly createdAt: string;
    /** Where the result of that payment is; an agent that planned again takes this one. */
    readonly resultUrl: string;
  };
  /** Where a person can approve this cart, when nothing else is in the way. */
  readonly approval?: ApprovalLink;
};

export type RailDecision = {
  /** The payment rail. */
  readonly rail: string;
  /** Why. */
  readonly reason: string;
  /** Whether the merchant has an account at the rail. */
  readonly merchantConnected: boolean;
  /** When it ends. */
  readonly expiresAt: string;
};

export type ApprovalLink = {
  /** The id of this record. */
  readonly id: string;
  /** The page where the person approves or denies; give it to them. Absent once there is nothing to decide. */
  readonly url?: string;
  /** When it ends. */
  readonly expiresAt: string;
  /** What ends at `expiresAt`: the intent, the cart, or the time that the policy gives people (context.approval_ttl). */
  readonly endsWith?: 'intent' | 'cart' | 'policy';
  /** Where the policy says how many people must approve. */
  readonly people?: {
    /** How many different people must approve. */
    readonly needed: number;
    /** Whose approval counts, the first one first. */
    readonly approved: readonly {
      /** DID of the person. */
      readonly by: string;
      /** user: a passkey that this user enrolled. agent, principal: one that a link or a key enrolled, so that the person is the passkey holder of that agent or principal, and no user. */
      readonly passkeyOf?: 'user' | 'agent' | 'principal';
      /** A name for people. */
      readonly name?: string;
      readonly at: string;
    }[];
  };
};

export type Approval = {
  /** The id of this record. */
  readonly id: string;
  /** The page where the person approves or denies; give it to them. Absent once there is nothing to decide. */
  readonly url?: string;
  /** When it ends. */
  readonly expiresAt: string;
  /** What ends at `expiresAt`: the intent, the cart, or the time that the policy gives people (context.approval_ttl). */
  readonly endsWith?: 'intent' | 'cart' | 'policy';
  /** Where the policy says how many people must approve. */
  readonly people?: {
    /** How many different people must approve. */
    readonly needed: number;
    /** Whose approval counts, the first one first. */
    readonly approved: readonly {
      /** DID of the person. */
      readonly by: string;
      /** user: a passkey that this user enrolled. agent, principal: one that a link or a key enrolled, so that the person is the passkey holder of that agent or principal, and no user. */
      readonly passkeyOf?: 'user' | 'agent' | 'principal';
      /** A name for people. */
      readonly name?: string;
      readonly at: string;
    }[];
  };
  /** Where the request stands. */
  readonly status: 'pending' | 'approved' | 'denied' | 'expired';
  /** The agent, as did:key of its Ed25519 key. */
  readonly agentDid: string;
  /** Whose money would be spent. */
  readonly principalDid: string;
  /** The intent, `intent_…`. */
  readonly intentId: string;
  /** The transaction that ties intent, cart, payment and evidence together, `txn_…`. */
  readonly transactionId: string;
  /** SHA-256 of the canonical cart without its proof, `sha256:…`; of a cart mandate, of `{contents, merchant}` with its domain. */
  readonly cartHash: string;
  /** The merchant’s domain. */
  readonly merchant: string;
  /** An amount in units of the currency: 42.5 is 42.50 USD. */
  readonly amount: number;
  /** ISO 4217 code in upper case. */
  readonly currency: string;
  /** Why a person is asked, one sentence for each rule. */
  readonly causes: readonly {
    /** Which rule asks for a person; merchant: the agent or the merchant does. */
    readonly cause: 'threshold' | 'new_merchant' | 'approval' | 'limit' | 'anomaly' | 'duplicate' | 'manual' | 'merchant';
    /** One sentence for a person. */
    readonly message: string;
  }[];
  /** When it was made. */
  readonly createdAt: string;
  /** When it was approved or denied. */
  readonly decidedAt?: string;
  /** For a person, while it is pending: whether a passkey that may be theirs approves it. */
  readonly canApprove?: boolean;
  /** What keeps the person who asks from approving it: the agent is suspended or revoked (activeAgent); the registered person or company whose money it is has not delegated to the agent (delegation), has no passkey (principalPasskey), or is another user, whose passkeys alone approve (principalUser); the agent has no passkey (agentPasskey), or only those of its owner, who is another user (agentOwner); only the passkey holder of that person or company, or of the agent, approves, by a passkey that a link or key of others enrolled (passkeyHolder). Where the policy asks several people: their role does not approve (role), or they own the agent (notOwner), have no passkey (ownPasskey), or have approved already, and others are to (others). */
  readonly missing?: 'activeAgent' | 'delegation' | 'principalPasskey' | 'principalUser' | 'agentPasskey' | 'agentOwner' | 'passkeyHolder' | 'role' | 'notOwner' | 'ownPasskey' | 'others';
  /** Where another person than the one who asks can approve it: their names, at most 5. */
  readonly approvers?: readonly string[];
  /** When the people who were asked are told once more; absent where they were, or one of them has answered. */
  readonly remindsAt?: string;
  /** Who was told of it since, as it was not decided, and when. */
  readonly escalatedTo?: readonly {
    readonly userId: string;
    /** A name for people. */
    readonly name?: string;
    readonly at: string;
  }[];
};

export type ApprovalState = {
  /** The id of this record. */
  readonly id: string;
  /** The page where the person approves or denies; give it to them. Absent once there is nothing to decide. */
  readonly url?: string;
  /** When it ends. */
  readonly expiresAt: string;
  /** What ends at `expiresAt`: the intent, the cart, or the time that the policy gives people (context.approval_ttl). */
  readonly endsWith?: 'intent' | 'cart' | 'policy';
  /** Where the policy says how many people must approve. */
  readonly people?: {
    /** How many different people must approve. */
    readonly needed: number;
    /** Whose approval counts, the first one first. */
    readonly approved: readonly {
      /** DID of the person. */
      readonly by: string;
      /** user: a passkey that this user enrolled. agent, principal: one that a link or a key enrolled, so that the person is the passkey holder of that agent or principal, and no user. */
      readonly passkeyOf?: 'user' | 'agent' | 'principal';
      /** A name for people. */
      readonly name?: string;
      readonly at: string;
    }[];
  };
  /** Where the request stands. */
  readonly status: 'pending' | 'approved' | 'denied' | 'expired';
  /** The agent, as did:key of its Ed25519 key. */
  readonly agentDid: string;
  /** Whose money would be spent. */
  readonly principalDid: string;
  /** The intent, `intent_…`. */
  readonly intentId: string;
  /** The transaction that ties intent, cart, payment and evidence together, `txn_…`. */
  readonly transactionId: string;
  /** SHA-256 of the canonical cart without its proof, `sha256:…`; of a cart mandate, of `{contents, merchant}` with its domain. */
  readonly cartHash: string;
  /** The merchant’s domain. */
  readonly merchant: string;
  /** An amount in units of the currency: 42.5 is 42.50 USD. */
  readonly amount: number;
  /** ISO 4217 code in upper case. */
  readonly currency: string;
  /** Why a person is asked, one sentence for each rule. */
  readonly causes: readonly {
    /** Which rule asks for a person; merchant: the agent or the merchant does. */
    readonly cause: 'threshold' | 'new_merchant' | 'approval' | 'limit' | 'anomaly' | 'duplicate' | 'manual' | 'merchant';
    /** One sentence for a person. */
    readonly message: string;
  }[];
  /** When it was made. */
  readonly createdAt: string;
  /** When it was approved or denied. */
  readonly decidedAt?: string;
  /** For a person, while it is pending: whether a passkey that may be theirs approves it. */
  readonly canApprove?: boolean;
  /** What keeps the person who asks from approving it: the agent is suspended or revoked (activeAgent); the registered person or company whose money it is has not delegated to the agent (delegation), has no passkey (principalPasskey), or is another user, whose passkeys alone approve (principalUser); the agent has no passkey (agentPasskey), or only those of its owner, who is another user (agentOwner); only the passkey holder of that person or company, or of the agent, approves, by a passkey that a link or key of others enrolled (passkeyHolder). Where the policy asks several people: their role does not approve (role), or they own the agent (notOwner), have no passkey (ownPasskey), or have approved already, and others are to (others). */
  readonly missing?: 'activeAgent' | 'delegation' | 'principalPasskey' | 'principalUser' | 'agentPasskey' | 'agentOwner' | 'passkeyHolder' | 'role' | 'notOwner' | 'ownPasskey' | 'others';
  /** Where another person than the one who asks can approve it: their names, at most 5. */
  readonly approvers?: readonly string[];
  /** When the people who were asked are told once more; absent where they were, or one of them has answered. */
  readonly remindsAt?: string;
  /** Who was told of it since, as it was not decided, and when. */
  readonly escalatedTo?: readonly {
    readonly userId: string;
    /** A name for people. */
    readonly name?: string;
    readonly at: string;
  }[];
  /** The signed statement that the person was present. */
  readonly hpProof?: HpProof;
  /** How it ended, where that was asked for: what a stranger verifies that a person approved it by. */
  readonly decision?: ApprovalDecision;
  /** Where several people approved: the decision of each, in their order; `decision` is the last one. */
  readonly decisions?: readonly ApprovalDecision[];
};

export type ApprovalDecision = {
  /** Of the request. */
  readonly id: string;
  /** withdrawn: the agent asks no more. An approved one has every member of the touch. */
  readonly outcome: 'approved' | 'denied' | 'expired' | 'withdrawn';
  readonly decidedAt: string;
  /** Of a denial without a touch: by the holder of the link, or by a user or key of the node. */
  readonly by?: 'link' | 'operator';
  /** What the passkey signed the hash of, every member of it. */
  readonly binding?: {
    /** The agent that asks. */
    readonly agentDid: string;
    /** Whose money would be spent. */
    readonly principalDid?: string;
    /** The intent, `intent_…`. */
    readonly intentId?: string;
    /** SHA-256 of the canonical JSON of the cart without its proof. */
    readonly cartHash?: string;
    /** The same, of an action that is no cart. */
    readonly documentHash?: string;
    /** In units of the currency. */
    readonly amount?: number;
    /** ISO 4217 code in upper case. */
    readonly currency?: string;
    /** The merchant’s domain. */
    readonly merchant?: string;
    /** What would be paid with; the usual payment method when absent. */
    readonly instrument?: string;
    /** What the person decided. */
    readonly decision: 'approve' | 'deny';
  };
  /** The 32 random bytes of the challenge. */
  readonly random?: string;
  /** The public key of the passkey (RFC 7517). */
  readonly key?: {
    /** What kind of key it is: EC, OKP or RSA. */
    readonly kty: 'EC';
    /** The curve of the key. */
    readonly crv: 'P-256' | 'P-384' | 'P-521';
    readonly x: string;
    readonly y: string;
    /** Which key it is; a signature must name it where it is given. */
    readonly kid?: string;
    /** ES256, ES384, ES512, EdDSA (or Ed25519, which is read as EdDSA) or RS256, as the key is. */
    readonly alg?: string;
    /** What the key is for: sig. */
    readonly use?: string;
    /** What the key may be used for: verify. */
    readonly key_ops?: readonly string[];
  } | {
    /** What kind of key it is: EC, OKP or RSA. */
    readonly kty: 'OKP';
    /** The curve of the key. */
    readonly crv: 'Ed25519';
    readonly x: string;
    /** Which key it is; a signature must name it where it is given. */
    readonly kid?: string;
    /** ES256, ES384, ES512, EdDSA (or Ed25519, which is read as EdDSA) or RS256, as the key is. */
    readonly alg?: string;
    /** What the key is for: sig. */
    readonly use?: string;
    /** What the key may be used for: verify. */
    readonly key_ops?: readonly string[];
  } | {
    /** What kind of key it is: EC, OKP or RSA. */
    readonly kty: 'RSA';
    readonly n: string;
    readonly e: string;
    /** Which key it is; a signature must name it where it is given. */
    readonly kid?: string;
    /** ES256, ES384, ES512, EdDSA (or Ed25519, which is read as EdDSA) or RS256, as the key is. */
    readonly alg?: string;
    /** What the key is for: sig. */
    readonly use?: string;
    /** What the key may be used for: verify. */
    readonly key_ops?: readonly string[];
  };
  /** The host name passkeys are made for. */
  readonly rpId?: string;
  /** Where the person decided. */
  readonly origin?: string;
  /** What the authenticator and its browser made, base64url. */
  readonly assertion?: {
    /** The passkey that was touched. */
    readonly credentialId: string;
    /** What the authenticator vouches for: site, user verified, count. */
    readonly authenticatorData: string;
    /** What the browser signed over: challenge, origin, kind of ceremony. */
    readonly clientDataJSON: string;
    /** Over authenticatorData and the hash of clientDataJSON. */
    readonly signature: string;
  };
  /** The node’s credential PasskeyEnrolment, which says whose purchases the key approves since when. */
  readonly enrolment?: Readonly<Record<string, unknown>>;
};

export type Passkey = {
  /** The id of this record. */
  readonly id: string;
  /** The agent, as did:key of its Ed25519 key. */
  readonly agentDid?: string;
  /** Whose money it is: a person or company (the principal), as did:key. */
  readonly principalDid?: string;
  /** The passkey that was touched. */
  readonly credentialId: string;
  /** What the person calls the device or passkey. */
  readonly deviceName: string;
  /** Whether the passkey’s provider keeps a copy and may have it on other devices. */
  readonly synced: boolean;
  /** When it was made. */
  readonly createdAt: string;
  /** When the key was last used, to the minute; null when never. */
  readonly lastUsedAt: string | null;
  /** Who made the link that it came by, or enrolled it; node: a command on the data folder. */
  readonly madeBy?: {
    /** What kind it is. */
    readonly kind: 'key' | 'node' | 'user';
    /** The id of this record. */
    readonly id: string;
  };
  /** The user who enrolled it, signed in: its touch is theirs. Absent where it is the passkey holder’s. */
  readonly userId?: string;
};

export type PaymentResult = {
  /** The signed payment mandate: a W3C Verifiable Credential. */
  readonly pmVc: Credential;
  /** What the rail answered. */
  readonly railResponse: RailResponse;
  /** The receipt, where the payment is by a chain of mandates and the rail has decided: a JWT. */
  readonly paymentReceipt?: string;
  /** The forms that credentialFormats named. */
  readonly credentials?: {
    readonly vc?: Readonly<Record<string, unknown>>;
    readonly 'vc+jwt'?: string;
    /** The status list as a token, for a merchant who does not fetch it. */
    readonly status?: string;
  };
  /** What a checkout of UCP is completed with, where the payment is for one and its money is held. */
  readonly ucp?: {
    /** For `ap2.checkout_mandate`: a chain of SD-JWTs with the whole checkout in it. */
    readonly checkoutMandate: string;
    /** For `payment.instruments[*].credential.token`: a chain of SD-JWTs. */
    readonly paymentMandate: string;
    /** The nonce of both. */
    readonly nonce: string;
    /** When it ends. */
    readonly expiresAt: string;
  };
} | PurchaseRefusal;

export type RailResponse = {
  /** The payment rail. */
  readonly rail: string;
  /** The payment at the rail. */
  readonly paymentIntentId?: string;
  /** The state it is in. */
  readonly status: string;
  /** What went wrong. */
  readonly error?: {
    /** A stable code for programs. */
    readonly code: string;
    /** One sentence for a person. */
    readonly message: string;
  };
};

export type HttpPaymentResult = {
  /** Whether the policy allows it. */
  readonly allowed: true;
  /** `mpp`, `x402` or `acp`. */
  readonly protocol: string;
  /** The mandate: `intent_…` for an intent, `pm_…` for a payment. */
  readonly mandateId: string;
  /** The intent, `intent_…`. */
  readonly intentId: string;
  /** The transaction that ties intent, cart, payment and evidence together, `txn_…`. */
  readonly transactionId: string;
  /** Names the challenge of this ceremony; good for one use within 300 seconds. */
  readonly challengeId?: string;
  readonly send: {
    /** The header to send the request with once more. */
    readonly header?: {
      /** A name for people. */
      readonly name: string;
      readonly value: string;
    };
    /** The member of `_meta`, for a tool of an MCP server. */
    readonly meta?: {
      /** The API key. It is shown this once. */
      readonly key: string;
      readonly value: Readonly<Record<string, unknown>>;
    };
    /** Members of the body to send. */
    readonly body?: Readonly<Record<string, unknown>>;
  };
  /** Of mpp: what the header holds. */
  readonly credential?: Readonly<Record<string, unknown>>;
  /** Of x402: what the header holds. */
  readonly paymentPayload?: Readonly<Record<string, unknown>>;
  /** Of acp: what the body holds. */
  readonly paymentData?: Readonly<Record<string, unknown>>;
  /** Until when it pays. */
  readonly expiresAt: string;
} | {
  /** Whether the policy allows it. */
  readonly allowed: false;
  /** Every reason against it, in a fixed order. */
  readonly reasonCodes: readonly ('AMOUNT_OVER_CAP' | 'CURRENCY_NOT_ALLOWED' | 'MERCHANT_NOT_ALLOWED' | 'MERCHANT_DENIED' | 'MCC_DENIED' | 'VELOCITY_EXCEEDED' | 'SPENDING_LIMIT_EXCEEDED' | 'TIME_WINDOW_VIOLATED' | 'GEO_RESTRICTED' | 'ANOMALY_DETECTED' | 'CART_EXCEEDS_INTENT' | 'MERCHANT_MISMATCH' | 'INTENT_EXPIRED' | 'APPROVAL_TOKEN_EXPIRED' | 'AGENT_REVOKED' | 'HP_REQUIRED' | 'HP_INVALID' | 'AGENT_SUSPENDED' | 'AGENT_NOT_DELEGATED' | 'INTENT_USED' | 'CART_EXPIRED' | 'CART_USED' | 'MERCHANT_UNVERIFIED' | 'RAIL_UNAVAILABLE' | 'DUPLICATE_SUSPECTED' | 'MANDATE_INVALID' | 'MANDATE_USED' | 'MANDATE_REVOKED' | 'CHECKOUT_MISMATCH' | 'CONSTRAINT_VIOLATED' | 'CONSTRAINT_UNRESOLVED')[];
  /** The facts behind each reason, by its code; over HTTP errors, the members at fault. */
  readonly details: Readonly<Record<string, {
    /** What was asked for. */
    readonly requested?: number;
    /** What the rule allows. */
    readonly limit?: number;
    /** Of a limit over time: what it counts besides this. */
    readonly used?: number;
    /** The limit less what is asked; negative where that is over it. */
    readonly left?: number;
    /** Until its period of the calendar ends. */
    readonly resetsInSeconds?: number;
    /** ISO 4217 code in upper case. */
    readonly currency?: string;
    /** How the Universal Commerce Protocol calls it, where it does. */
    readonly ucp?: string;
    /** One sentence for a person. */
    readonly message: string;
  }>>;
  /** Every limit over time that refuses it; absent where none does. */
  readonly limits?: readonly LimitState[];
  /** The decision as a JWT that the node’s key set verifies, where credentialFormats named verdict. */
  readonly verdict?: string;
  /** The payment that was made for the same before, for a caller who may read it. */
  readonly duplicateOf?: {
    /** The mandate: `intent_…` for an intent, `pm_…` for a payment. */
    readonly mandateId: string;
    /** The transaction that ties intent, cart, payment and evidence together, `txn_…`. */
    readonly transactionId: string;
    /** The state it is in. */
    readonly status: 'PENDING' | 'UNKNOWN' | 'AUTHORIZED' | 'CAPTURED' | 'PARTIALLY_REFUNDED' | 'DISPUTED';
    /** When it was made. */
    readonly createdAt: string;
    /** Where the result of that payment is; an agent that planned again takes this one. */
    readonly resultUrl: string;
  };
  /** Where a person can approve it, when nothing else is in the way. */
  readonly approval?: ApprovalLink;
  /** Where the shop asks its customer to go on: a page for the person. */
  readonly continueUrl?: string;
};

export type Payment = {
  /** The mandate: `intent_…` for an intent, `pm_…` for a payment. */
  readonly mandateId: string;
  /** The intent, `intent_…`. */
  readonly intentId: string;
  /** The transaction that ties intent, cart, payment and evidence together, `txn_…`. */
  readonly transactionId: string;
  /** The agent, as did:key of its Ed25519 key. */
  readonly agentDid: string;
  /** The state it is in. */
  readonly status: 'PENDING' | 'UNKNOWN' | 'AUTHORIZED' | 'CAPTURED' | 'PARTIALLY_REFUNDED' | 'REFUNDED' | 'DISPUTED' | 'FAILED' | 'CANCELED';
  /** An amount in units of the currency: 42.5 is 42.50 USD. */
  readonly amount: number;
  /** ISO 4217 code in upper case. */
  readonly currency: string;
  /** The merchant’s domain. */
  readonly merchant: string;
  /** What was bought, in a line: the first item of the cart, and how many others. Absent for payments of earlier versions. */
  readonly description?: string;
  /** The payment rail. */
  readonly rail: string;
  /** How much was taken so far. */
  readonly captured: number;
  /** How much was given back so far. */
  readonly refunded: number;
  /** The sum of its disputes that are open or lost. */
  readonly disputed: number;
  /** Its disputes and inquiries, the oldest first. */
  readonly disputes: readonly Dispute[];
  /** When it was made. */
  readonly createdAt: string;
  /** Present while a person has to look at this payment at the rail: since when, and why. */
  readonly attention?: {
    readonly since: string;
    /** Why. */
    readonly reason: string;
  };
};

export type PaymentRecord = {
  /** The mandate: `intent_…` for an intent, `pm_…` for a payment. */
  readonly mandateId: string;
  /** The intent, `intent_…`. */
  readonly intentId: string;
  /** The transaction that ties intent, cart, payment and evidence together, `txn_…`. */
  readonly transactionId: string;
  /** The agent, as did:key of its Ed25519 key. */
  readonly agentDid: string;
  /** The state it is in. */
  readonly status: 'PENDING' | 'UNKNOWN' | 'AUTHORIZED' | 'CAPTURED' | 'PARTIALLY_REFUNDED' | 'REFUNDED' | 'DISPUTED' | 'FAILED' | 'CANCELED';
  /** An amount in units of the currency: 42.5 is 42.50 USD. */
  readonly amount: number;
  /** ISO 4217 code in upper case. */
  readonly currency: string;
  /** The merchant’s domain. */
  readonly merchant: string;
  /** What was bought, in a line: the first item of the cart, and how many others. Absent for payments of earlier versions. */
  readonly description?: string;
  /** The payment rail. */
  readonly rail: string;
  /** How much was taken so far. */
  readonly captured: number;
  /** How much was given back so far. */
  readonly refunded: number;
  /** The sum of its disputes that are open or lost. */
  readonly disputed: number;
  /** Its disputes and inquiries, the oldest first. */
  readonly disputes: readonly Dispute[];
  /** When it was made. */
  readonly createdAt: string;
  /** Present while a person has to look at this payment at the rail: since when, and why. */
  readonly attention?: {
    readonly since: string;
    /** Why. */
    readonly reason: string;
  };
  /** The payment at the rail. */
  readonly railTransactionId?: string;
  /** What went wrong. */
  readonly error?: {
    /** A stable code for programs. */
    readonly code: string;
    /** One sentence for a person. */
    readonly message: string;
  };
  /** The signed payment mandate: a W3C Verifiable Credential. */
  readonly pmVc: Credential;
  /** The receipt, where the payment is by a chain of mandates and the rail has decided: a JWT. */
  readonly paymentReceipt?: string;
  /** What a checkout of UCP is completed with; for a caller who may pay for the agent. */
  readonly ucp?: {
    /** For `ap2.checkout_mandate`: a chain of SD-JWTs with the whole checkout in it. */
    readonly checkoutMandate: string;
    /** For `payment.instruments[*].credential.token`: a chain of SD-JWTs. */
    readonly paymentMandate: string;
    /** The nonce of both. */
    readonly nonce: string;
    /** When it ends. */
    readonly expiresAt: string;
  };
};

export type NodeHealth = {
  /** False where a check found a fault; a warning alone leaves it true. */
  readonly healthy: boolean;
  /** Of this program. */
  readonly version: string;
  readonly environment: 'sandbox' | 'production';
  readonly engine: 'sqlite' | 'postgres';
  /** The DID that signed this, or whose chain this is. */
  readonly issuer: string;
  /** When the last backup of the data folder was made, where one is known. */
  readonly lastBackupAt?: string;
  /** What payments can be made through; without one nothing can be bought. */
  readonly rails: readonly {
    /** The name that policies and mandates use; the first one is used where a policy names none. */
    readonly name: string;
    /** False for the sandbox’s own rail. */
    readonly movesMoney: boolean;
    readonly partialCapture: boolean;
    readonly partialRefund: boolean;
    /** Whether the node can give it what answers a dispute. */
    readonly takesEvidence: boolean;
  }[];
  readonly checks: readonly {
    /** What was looked at, as `countersign doctor` calls it. */
    readonly check: string;
    readonly level: 'ok' | 'warning' | 'fault';
    /** One sentence for a person. */
    readonly message: string;
    /** What removes it; absent where nothing is wrong. */
    readonly remedy?: string;
  }[];
};

export type SearchResult = {
  /** What was found, kind by kind. */
  readonly hits: readonly SearchHit[];
};

export type SearchHit = {
  /** What kind it is. */
  readonly kind: 'agent' | 'payment' | 'intent' | 'merchant' | 'principal' | 'webhook';
  /** The DID of an agent, or of whose money it is; the domain of a merchant, else the id. */
  readonly id: string;
  /** What it is, for a person. */
  readonly label: string;
  /** Of a payment and an intent: what its decisions and its evidence are asked for by. */
  readonly transactionId?: string;
  /** Its status, where it has one. */
  readonly status?: string;
};

export type Attention = {
  /** The most urgent first: what ends soonest, then what is undecided; at most 20 of each kind. */
  readonly items: readonly AttentionItem[];
  /** How many there are of each kind; 1000 for that many or more. */
  readonly counts: {
    /** For a person: those that they can decide, of the newest 200. */
    readonly approval: number;
    /** What became of the payment. */
    readonly payment: number;
    readonly dispute: number;
    /** Guards with a tool that a person has to look at. */
    readonly tools: number;
    readonly node: number;
    readonly webhook: number;
    /** Places of the person who asks at which nothing arrives. */
    readonly notifications: number;
    /** The agent that bought. */
    readonly agent: number;
    readonly backup: number;
  };
};

export type AttentionItem = {
  /** What kind it is. */
  readonly kind: 'approval' | 'payment' | 'dispute' | 'tools' | 'node' | 'webhook' | 'notifications' | 'agent' | 'backup';
  /** One sentence for a person. */
  readonly message: string;
  /** Since when, where that is known. */
  readonly since?: string;
  /** Until when a person can decide it. */
  readonly until?: string;
  /** Until when a dispute has to be answered at the rail. */
  readonly dueBy?: string;
  readonly approvalId?: string;
  readonly disputeId?: string;
  /** The mandate: `intent_…` for an intent, `pm_…` for a payment. */
  readonly mandateId?: string;
  /** The agent, as did:key of its Ed25519 key. */
  readonly agentDid?: string;
  readonly webhookId?: string;
  /** The guard whose tools a person has to look at. */
  readonly guardId?: string;
  /** Where a person decides it. */
  readonly url?: string;
};

export type Dispute = {
  /** The id of this record. */
  readonly id: string;
  /** The rail’s id of it, such as `dp_…` at Stripe. */
  readonly railDisputeId: string;
  /** An amount in units of the currency: 42.5 is 42.50 USD. */
  readonly amount: number;
  /** ISO 4217 code in upper case. */
  readonly currency: string;
  /** As the rail calls it, such as `fraudulent`. */
  readonly reason?: string;
  /** `inquiry`: the bank asks, and takes no money so far; `won` and `lost` as the merchant sees it. */
  readonly status: 'needs_response' | 'under_review' | 'won' | 'lost' | 'inquiry' | 'inquiry_closed';
  /** Until when the merchant can answer it at the rail, where the rail says that. */
  readonly dueBy?: string;
  readonly openedAt: string;
  readonly closedAt?: string;
};

export type DisputeRecord = {
  /** The id of this record. */
  readonly id: string;
  /** The rail’s id of it, such as `dp_…` at Stripe. */
  readonly railDisputeId: string;
  /** An amount in units of the currency: 42.5 is 42.50 USD. */
  readonly amount: number;
  /** ISO 4217 code in upper case. */
  readonly currency: string;
  /** As the rail calls it, such as `fraudulent`. */
  readonly reason?: string;
  /** `inquiry`: the bank asks, and takes no money so far; `won` and `lost` as the merchant sees it. */
  readonly status: 'needs_response' | 'under_review' | 'won' | 'lost' | 'inquiry' | 'inquiry_closed';
  /** Until when the merchant can answer it at the rail, where the rail says that. */
  readonly dueBy?: string;
  readonly openedAt: string;
  readonly closedAt?: string;
  /** The mandate: `intent_…` for an intent, `pm_…` for a payment. */
  readonly mandateId: string;
  /** The agent, as did:key of its Ed25519 key. */
  readonly agentDid: string;
};

export type Spend = {
  /** Of all payments in that time, one for each currency. */
  readonly totals: readonly {
    /** ISO 4217 code in upper case. */
    readonly currency: string;
    /** How many payments; those that failed or were canceled are not counted. */
    readonly payments: number;
    /** What was captured; refunds are not subtracted. */
    readonly paid: {
      /** In minor units of the currency; 9007199254740991 for more than that. */
      readonly minor: number;
      /** The same as decimal text, such as `42.50`; it is always exact. */
      readonly text: string;
    };
    /** What of it was refunded. */
    readonly refunded: {
      /** In minor units of the currency; 9007199254740991 for more than that. */
      readonly minor: number;
      /** The same as decimal text, such as `42.50`; it is always exact. */
      readonly text: string;
    };
    /** What was captured and not refunded. */
    readonly net: {
      /** In minor units of the currency; 9007199254740991 for more than that. */
      readonly minor: number;
      /** The same as decimal text, such as `42.50`; it is always exact. */
      readonly text: string;
    };
    /** What rails hold and is not captured yet, payments without an answer of their rail included. */
    readonly held: {
      /** In minor units of the currency; 9007199254740991 for more than that. */
      readonly minor: number;
      /** The same as decimal text, such as `42.50`; it is always exact. */
      readonly text: string;
    };
    /** The sum of disputes that are open or that the merchant has lost, each by its own amount. */
    readonly disputed: {
      /** In minor units of the currency; 9007199254740991 for more than that. */
      readonly minor: number;
      /** The same as decimal text, such as `42.50`; it is always exact. */
      readonly text: string;
    };
  }[];
  /** With `by`: for each currency the latest days or months, or else those of the largest sums; at most 400. */
  readonly entries: readonly SpendEntry[];
  /** Whether there are more entries than these. */
  readonly hasMore: boolean;
};

export type SpendEntry = {
  /** ISO 4217 code in upper case. */
  readonly currency: string;
  /** How many payments; those that failed or were canceled are not counted. */
  readonly payments: number;
  /** What was captured; refunds are not subtracted. */
  readonly paid: {
    /** In minor units of the currency; 9007199254740991 for more than that. */
    readonly minor: number;
    /** The same as decimal text, such as `42.50`; it is always exact. */
    readonly text: string;
  };
  /** What of it was refunded. */
  readonly refunded: {
    /** In minor units of the currency; 9007199254740991 for more than that. */
    readonly minor: number;
    /** The same as decimal text, such as `42.50`; it is always exact. */
    readonly text: string;
  };
  /** What was captured and not refunded. */
  readonly net: {
    /** In minor units of the currency; 9007199254740991 for more than that. */
    readonly minor: number;
    /** The same as decimal text, such as `42.50`; it is always exact. */
    readonly text: string;
  };
  /** What rails hold and is not captured yet, payments without an answer of their rail included. */
  readonly held: {
    /** In minor units of the currency; 9007199254740991 for more than that. */
    readonly minor: number;
    /** The same as decimal text, such as `42.50`; it is always exact. */
    readonly text: string;
  };
  /** The sum of disputes that are open or that the merchant has lost, each by its own amount. */
  readonly disputed: {
    /** In minor units of the currency; 9007199254740991 for more than that. */
    readonly minor: number;
    /** The same as decimal text, such as `42.50`; it is always exact. */
    readonly text: string;
  };
  /** The agent, where the sums are by agent. */
  readonly agentDid?: string;
  /** The merchant’s domain, where the sums are by merchant. */
  readonly merchant?: string;
  /** The day, where the sums are by day. */
  readonly day?: string;
  /** The month, such as `2026-11`, where the sums are by month. */
  readonly month?: string;
  /** Whose money, where the sums are by it. */
  readonly principalDid?: string;
  /** Where the sums are by category: its name, or the merchant category code of one without a name; absent for payments without a code. */
  readonly category?: string;
};

export type Policy = {
  /** The id of this record. */
  readonly id: string;
  /** Which version this is. */
  readonly version: number;
  /** A name for people. */
  readonly name: string;
  /** The rules. A rule that is not known is refused. */
  readonly rules: Readonly<Record<string, unknown>>;
  /** SHA-256 of the canonical rules (RFC 8785), `sha256:…`. */
  readonly hash: string;
  /** Whether purchases are judged by it now. */
  readonly isActive: boolean;
  /** When it was made. */
  readonly createdAt: string;
};

export type Simulation = {
  /** Whether the policy allows it. */
  readonly allowed: boolean;
  /** Every reason against it, in a fixed order. */
  readonly reasonCodes: readonly ('AMOUNT_OVER_CAP' | 'CURRENCY_NOT_ALLOWED' | 'MERCHANT_NOT_ALLOWED' | 'MERCHANT_DENIED' | 'MCC_DENIED' | 'VELOCITY_EXCEEDED' | 'SPENDING_LIMIT_EXCEEDED' | 'TIME_WINDOW_VIOLATED' | 'GEO_RESTRICTED' | 'ANOMALY_DETECTED' | 'CART_EXCEEDS_INTENT' | 'MERCHANT_MISMATCH' | 'INTENT_EXPIRED' | 'APPROVAL_TOKEN_EXPIRED' | 'AGENT_REVOKED' | 'HP_REQUIRED' | 'HP_INVALID' | 'AGENT_SUSPENDED' | 'AGENT_NOT_DELEGATED' | 'INTENT_USED' | 'CART_EXPIRED' | 'CART_USED' | 'MERCHANT_UNVERIFIED' | 'RAIL_UNAVAILABLE' | 'DUPLICATE_SUSPECTED' | 'MANDATE_INVALID' | 'MANDATE_USED' | 'MANDATE_REVOKED' | 'CHECKOUT_MISMATCH' | 'CONSTRAINT_VIOLATED' | 'CONSTRAINT_UNRESOLVED')[];
  /** The facts behind each reason, by its code; over HTTP errors, the members at fault. */
  readonly details: Readonly<Record<string, {
    /** What was asked for. */
    readonly requested?: number;
    /** What the rule allows. */
    readonly limit?: number;
    /** Of a limit over time: what it counts besides this. */
    readonly used?: number;
    /** The limit less what is asked; negative where that is over it. */
    readonly left?: number;
    /** Until its period of the calendar ends. */
    readonly resetsInSeconds?: number;
    /** ISO 4217 code in upper case. */
    readonly currency?: string;
    /** How the Universal Commerce Protocol calls it, where it does. */
    readonly ucp?: string;
    /** One sentence for a person. */
    readonly message: string;
  }>>;
  /** Every limit over time that refuses it; absent where none does. */
  readonly limits?: readonly LimitState[];
  /** Whether the person must be present when the cart is validated. */
  readonly hpRequired: boolean;
  /** The limit of which it would leave the least share; where it is allowed. */
  readonly remaining?: LimitState;
  /** When the policy was tried. */
  readonly evaluatedAt: string;
  /** What every rule said, those that passed too. */
  readonly trace: readonly {
    /** The reason code of a rule that can refuse; the cause of one that asks for a person. */
    readonly rule: string;
    /** A rule that is not set passes. */
    readonly outcome: 'passed' | 'refused' | 'person';
    /** One sentence for a person. */
    readonly message?: string;
  }[];
  /** As trace, with the figures of each rule. */
  readonly ruleTable: readonly {
    /** The reason code of a rule that can refuse; the cause of one that asks for a person. */
    readonly rule: string;
    /** notAsked: the rule is not set, or the request has nothing that it is about. */
    readonly outcome: 'passed' | 'failed' | 'person' | 'notAsked';
    /** The request’s value for this rule: an amount, a number of purchases, or a name. */
    readonly asked?: number | string;
    /** What the rule allows. */
    readonly limit?: number;
    /** The limit less what is asked; negative where that is over it. */
    readonly left?: number;
    /** Of amounts. Figures without one count purchases. */
    readonly currency?: string;
    /** One sentence for a person. */
    readonly sentence: string;
  }[];
  /** What would have passed; absent where it is allowed. */
  readonly counterfactual?: {
    /** Changes of which each alone is enough. */
    readonly alone: readonly {
      /** What is changed. */
      readonly change: 'amount' | 'presence' | 'time' | 'merchant' | 'category' | 'country';
      /** The largest amount that passes. */
      readonly amount?: number;
      /** ISO 4217 code in upper case. */
      readonly currency?: string;
      /** The earliest moment at which it passes, if nothing else is bought until then. */
      readonly from?: string;
      /** What the rule names: each of these passes. */
      readonly names?: readonly string[];
      /** In words, as what follows “it would pass”. */
      readonly how: string;
    }[];
    /** Where none alone is enough: changes that are together. Empty where nothing helps. */
    readonly together: readonly {
      /** What is changed. */
      readonly change: 'amount' | 'presence' | 'time' | 'merchant' | 'category' | 'country';
      /** The largest amount that passes. */
      readonly amount?: number;
      /** ISO 4217 code in upper case. */
      readonly currency?: string;
      /** The earliest moment at which it passes, if nothing else is bought until then. */
      readonly from?: string;
      /** What the rule names: each of these passes. */
      readonly names?: readonly string[];
      /** In words, as what follows “it would pass”. */
      readonly how: string;
    }[];
    /** All of it in one sentence. */
    readonly sentence: string;
  };
};

export type AgentSummary = {
  /** A did:key: `did:key:z6Mk…`. */
  readonly did: string;
  /** The state it is in. */
  readonly status: 'ACTIVE' | 'REVOKED' | 'SUSPENDED';
  /** A name for people. */
  readonly displayName: string;
  /** When it was made. */
  readonly createdAt: string;
  /** The user whose passkeys approve what it buys, besides its own. */
  readonly ownerUserId?: string;
};

export type LimitState = {
  /** velocity_limit: the one of risk.velocity_limit. */
  readonly name: string;
  /** What of it is limited: the sum, or how many. */
  readonly measure: 'amount' | 'purchases';
  /** What the rule allows. */
  readonly limit: number;
  /** What it counts: what is held or paid in its window. */
  readonly used: number;
  /** The limit less what is asked; negative where that is over it. */
  readonly left: number;
  /** Of amounts. */
  readonly currency?: string;
  readonly window: string;
  /** Of a period of the calendar. */
  readonly timezone?: string;
  /** Whose purchases count together: the agent’s, those with the same money (principal), or all. */
  readonly scope: 'agent' | 'principal' | 'policy';
  /** Purchases there alone count. */
  readonly merchant?: string;
  /** Purchases of it alone count. */
  readonly category?: string;
  /** What becomes of a purchase over it. */
  readonly action: 'deny' | 'presence';
  /** True for the agent’s own, in place of the policy’s for each agent. */
  readonly own?: true;
  readonly periodStart?: string;
  /** When the present period of the calendar ends. */
  readonly resetsAt?: string;
};

export type Agent = {
  /** A did:key: `did:key:z6Mk…`. */
  readonly did: string;
  /** The state it is in. */
  readonly status: 'ACTIVE' | 'REVOKED' | 'SUSPENDED';
  /** A name for people. */
  readonly displayName: string;
  /** When it was made. */
  readonly createdAt: string;
  /** The user whose passkeys approve what it buys, besides its own. */
  readonly ownerUserId?: string;
  /** What it is for. */
  readonly description: string;
  /** What it can do. */
  readonly capabilities: readonly string[];
  /** The Ed25519 public key: base58 of its 32 bytes, or multibase `z6Mk…`. */
  readonly publicKey: string;
  /** The agent’s own velocity limit, in place of the policy’s. */
  readonly velocity: VelocityLimit | null;
  /** The keys by which it closes mandates: those that were set, and those that it presented first; absent without one. */
  readonly mandateKeys?: readonly {
    /** What kind of key it is: EC, OKP or RSA. */
    readonly kty: string;
    readonly [name: string]: unknown;
  }[];
  /** When it was revoked. */
  readonly revokedAt?: string;
  /** Why. */
  readonly reason?: string;
};

export type VelocityLimit = {
  /** How many purchases within the window. */
  readonly maxTransactions?: number;
  /** The most that may be spent, in units of the currency: 42.5 is 42.50 USD. */
  readonly maxAmount?: number;
  /** How long the sliding window is: a whole number and s, m, h or d, such as 24h. */
  readonly timeWindow?: string;
  /** In place of those of risk.limits that each agent has to itself; an empty list for none. */
  readonly limits?: readonly {
    /** How refusals and lists name it. */
    readonly name: string;
    /** How many purchases within the window. */
    readonly maxTransactions?: number;
    /** The most that may be spent, in units of the currency: 42.5 is 42.50 USD. */
    readonly maxAmount?: number;
    /** Counts purchases in this currency alone; the policy’s when absent. */
    readonly currency?: string;
    /** day, week, month, quarter or year of the calendar, or a duration such as 24h that slides. */
    readonly window: string;
    /** In which a period of the calendar begins at midnight; UTC when absent. */
    readonly timezone?: string;
    readonly scope?: 'agent';
    /** The merchant’s domain. */
    readonly merchant?: string | readonly string[];
    readonly category?: 'groceries' | 'alcohol' | 'tobacco' | 'restaurants' | 'bars' | 'general_merchandise' | 'household' | 'home_improvement' | 'electronics' | 'clothing' | 'jewelry' | 'books' | 'music' | 'toys' | 'hobbies' | 'gifts' | 'art_and_antiques' | 'second_hand' | 'sporting_goods' | 'office_supplies' | 'beauty' | 'pharmacy' | 'health' | 'pets' | 'software' | 'digital_goods' | 'subscriptions' | 'telecom' | 'utilities' | 'fuel' | 'vehicles' | 'transport' | 'airlines' | 'car_rental' | 'lodging' | 'travel' | 'shipping' | 'entertainment' | 'sports_and_fitness' | 'education' | 'childcare' | 'personal_services' | 'dating' | 'repairs' | 'business_services' | 'professional_services' | 'real_estate' | 'insurance' | 'financial' | 'money_transfer' | 'gambling' | 'adult' | 'charity' | 'memberships' | 'government';
    readonly action?: 'deny' | 'presence';
  }[];
};

export type Merchant = {
  /** The id of this record. */
  readonly id: string;
  /** The merchant’s domain. */
  readonly domain: string;
  /** A did:key: `did:key:z6Mk…`. */
  readonly did?: string;
  /** A public key as a JSON Web Key (RFC 7517). */
  readonly jwk?: {
    /** What kind of key it is: EC, OKP or RSA. */
    readonly kty: string;
    readonly [name: string]: unknown;
  };
  /** Where a set of JSON Web Keys is. */
  readonly jwksUrl?: string;
  /** The account of the merchant at the payment rail. */
  readonly railAccountId?: string;
  /** The merchant as the network of the rail knows it; shared payment tokens name it. */
  readonly railProfileId?: string;
  readonly payTo?: readonly string[];
  /** Merchant category code of four digits (ISO 18245). */
  readonly mcc?: string;
  /** Where the merchant is, ISO 3166-1 alpha-2. */
  readonly country?: string;
  readonly signatureAgentForm?: 'string' | 'dictionary';
  /** When it was made. */
  readonly createdAt: string;
};

export type Instrument = {
  /** The id of this record. */
  readonly id: string;
  /** The agent, as did:key of its Ed25519 key. */
  readonly agentDid?: string;
  /** Whose money it is: a person or company (the principal), as did:key. */
  readonly principalDid?: string;
  /** The payment method by its name at the rail. */
  readonly paymentMethod: string;
  /** Whose it is, by the name at the rail. */
  readonly customer?: string;
  /** When it was made. */
  readonly createdAt: string;
};

export type Principal = {
  /** A did:key: `did:key:z6Mk…`. */
  readonly did: string;
  /** What the approval page calls it. */
  readonly name: string;
  /** The only agents that may spend its money. */
  readonly agents: readonly string[];
  /** When it was made. */
  readonly createdAt: string;
};

export type EvidenceEvent = {
  /** The id of this record. */
  readonly id: string;
  /** Place in the chain, from 1 on, without gaps. */
  readonly seq: number;
  /** What happened, such as INTENT_ISSUED. */
  readonly eventType: string;
  /** Who acted: the agent, or the issuer for the operator. */
  readonly actorDid: string;
  /** The facts of the event. */
  readonly data: Readonly<Record<string, unknown>>;
  /** hashCurr of the event before. */
  readonly hashPrev: string;
  /** SHA-256 over this event. */
  readonly hashCurr: string;
  /** When it was made. */
  readonly createdAt: string;
};

export type EvidenceExport = {
  /** Evidence, oldest first. */
  readonly events: readonly EvidenceEvent[];
  /** Whether every hash over the range holds. */
  readonly chainValid: boolean;
  /** First event of the range. */
  readonly fromSeq: number;
  /** Last event of the range. */
  readonly toSeq: number;
  /** The DID that signed this, or whose chain this is. */
  readonly issuer: string;
  /** The tenant, `tnt_…`. */
  readonly tenantId: string;
  /** The signed note over the chain up to the last event given; null where no event is, or the chain is broken. */
  readonly checkpoint: string | null;
};

export type EvidenceBundle = {
  /** The transaction that ties intent, cart, payment and evidence together, `txn_…`. */
  readonly transactionId: string;
  /** Evidence, oldest first. */
  readonly events: readonly EvidenceEvent[];
  /** Whether every hash over the range holds. */
  readonly chainValid: boolean;
  /** How the transaction stands. */
  readonly summary: {
    /** The agent that bought. */
    readonly agent: string;
    /** The merchant’s domain. */
    readonly merchant?: string;
    /** An amount in units of the currency: 42.5 is 42.50 USD. */
    readonly amount: number;
    /** ISO 4217 code in upper case. */
    readonly currency: string;
    /** The state it is in. */
    readonly status: string;
  };
};

export type Verification = {
  /** Whether every hash over the range holds. */
  readonly valid: boolean;
  /** First event of the range. */
  readonly fromSeq: number;
  /** Last event of the range. */
  readonly toSeq: number;
  /** How many events hold. */
  readonly eventsVerified: number;
  /** The DID that signed this, or whose chain this is. */
  readonly issuer: string;
  /** The tenant, `tnt_…`. */
  readonly tenantId: string;
  /** The signed note over the chain up to the last event given; null where no event is, or the chain is broken. */
  readonly checkpoint: string | null;
  /** The first event that does not hold. */
  readonly brokenAtSeq?: number;
  /** Why. */
  readonly reason?: string;
};

export type Session = {
  /** The session a message belongs to, chosen by the agent. */
  readonly contextId: string;
  /** The state it is in. */
  readonly status: 'ACTIVE' | 'COMPLETED' | 'EXPIRED';
  /** Messages carried so far. */
  readonly messageCount: number;
  /** The intent mandated in this session. */
  readonly intentMandateId: string | null;
  /** The payment mandated in this session. */
  readonly permitId: string | null;
  /** When it was made. */
  readonly createdAt: string;
  /** When it ends. */
  readonly expiresAt: string;
};

export type Webhook = {
  /** The id of this record. */
  readonly id: string;
  /** Where events are posted to; https, and public in production. */
  readonly url: string;
  /** Which events are posted there. */
  readonly events: readonly ('payment.authorized' | 'payment.captured' | 'payment.failed' | 'payment.refunded' | 'payment.refund_failed' | 'payment.disputed' | 'payment.dispute_closed' | 'intent.issued' | 'intent.denied' | 'intent.expired' | 'cart.validated' | 'cart.rejected' | 'approval.requested' | 'approval.approved' | 'approval.denied' | 'approval.expired' | 'agent.created' | 'agent.revoked' | 'agent.suspended' | 'agent.reactivated' | 'policy.updated' | 'policy.violation')[];
  /** The state it is in. */
  readonly status: 'ACTIVE' | 'DISABLED';
  /** When it was made. */
  readonly createdAt: string;
  /** paused: by its owner. gone, failing: by a node of an earlier version, which disabled such endpoints itself. */
  readonly disabledReason?: 'paused' | 'gone' | 'failing';
  /** Since when every attempt has failed. */
  readonly failingSince?: string;
  /** Nothing has arrived for five days: a person should look. The node goes on trying. */
  readonly attention?: 'failing';
  /** Until then the former secret signs as well. */
  readonly previousSecretUntil?: string;
};

export type NewWebhook = {
  /** The id of this record. */
  readonly id: string;
  /** Where events are posted to; https, and public in production. */
  readonly url: string;
  /** Which events are posted there. */
  readonly events: readonly ('payment.authorized' | 'payment.captured' | 'payment.failed' | 'payment.refunded' | 'payment.refund_failed' | 'payment.disputed' | 'payment.dispute_closed' | 'intent.issued' | 'intent.denied' | 'intent.expired' | 'cart.validated' | 'cart.rejected' | 'approval.requested' | 'approval.approved' | 'approval.denied' | 'approval.expired' | 'agent.created' | 'agent.revoked' | 'agent.suspended' | 'agent.reactivated' | 'policy.updated' | 'policy.violation')[];
  /** The state it is in. */
  readonly status: 'ACTIVE' | 'DISABLED';
  /** When it was made. */
  readonly createdAt: string;
  /** paused: by its owner. gone, failing: by a node of an earlier version, which disabled such endpoints itself. */
  readonly disabledReason?: 'paused' | 'gone' | 'failing';
  /** Since when every attempt has failed. */
  readonly failingSince?: string;
  /** Nothing has arrived for five days: a person should look. The node goes on trying. */
  readonly attention?: 'failing';
  /** Until then the former secret signs as well. */
  readonly previousSecretUntil?: string;
  /** Signs every delivery; one is made when none is given. Shown in this answer only. */
  readonly secret: string;
};

export type WebhookLog = {
  /** The id of this record. */
  readonly id: string;
  /** What happened, such as INTENT_ISSUED. */
  readonly eventType: string;
  /** Where events are posted to; https, and public in production. */
  readonly url: string;
  /** The HTTP status, or a mail server’s reply code; 0 where there was no answer. */
  readonly status: number;
  /** Milliseconds from the first step to the end of the answer. */
  readonly duration: number;
  /** When the attempt ended. */
  readonly deliveredAt: string;
  readonly webhookId: string;
  /** The id of the event, the same at each attempt. */
  readonly eventId: string;
  /** Which attempt this was, from 1 on. */
  readonly attempt: number;
  /** How the delivery stood after this attempt. */
  readonly outcome: 'delivered' | 'retrying' | 'failed';
  /** What kind of failure it was. secret: this node cannot read the secret, and posted nothing. settings: the node has no mail server. */
  readonly error?: 'blocked' | 'dns' | 'refused' | 'unreachable' | 'reset' | 'truncated' | 'timeout' | 'tls' | 'protocol' | 'network' | 'redirect' | 'status' | 'secret' | 'settings';
  /** The first 1 KiB of what was answered. */
  readonly answer?: string;
};

export type WebhookEvent = {
  /** The id of this record. */
  readonly id: string;
  /** What kind of document this is. */
  readonly type: 'payment.authorized' | 'payment.captured' | 'payment.failed' | 'payment.refunded' | 'payment.refund_failed' | 'payment.disputed' | 'payment.dispute_closed' | 'intent.issued' | 'intent.denied' | 'intent.expired' | 'cart.validated' | 'cart.rejected' | 'approval.requested' | 'approval.approved' | 'approval.denied' | 'approval.expired' | 'agent.created' | 'agent.revoked' | 'agent.suspended' | 'agent.reactivated' | 'policy.updated' | 'policy.violation';
  /** When it was signed. */
  readonly created: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** When, where, and with whom present. */
  readonly context: {
    /** The agent, as did:key of its Ed25519 key. */
    readonly agentDid?: string;
    /** Whose money it is: a person or company (the principal), as did:key. */
    readonly principalDid?: string;
    /** The intent, `intent_…`. */
    readonly intentId?: string;
  };
  /** Only on samples: nothing has happened. */
  readonly test?: true;
};

export type Spt = {
  /** The id of this record. */
  readonly id: string;
  /** The state it is in. */
  readonly status: 'ACTIVE' | 'USED' | 'EXPIRED' | 'REVOKED';
  /** The merchant’s domain. */
  readonly merchantDomain: string;
  /** An amount in units of the currency: 42.5 is 42.50 USD. */
  readonly amount: number;
  /** ISO 4217 code in upper case. */
  readonly currency: string;
  /** What it is for. */
  readonly mandate: {
    /** The intent, `intent_…`. */
    readonly intentId?: string;
    /** The hash of the cart, `sha256:…`. */
    readonly cartId?: string;
    /** The payment, `pm_…`. */
    readonly paymentId?: string;
  };
  /** When it was made. */
  readonly createdAt: string;
  /** When it ends. */
  readonly expiresAt: string;
  /** When the merchant made a payment with it. */
  readonly usedAt?: string;
  /** The token at the rail; none where the sandbox made it. */
  readonly railTokenId?: string;
  /** The payment at the rail. */
  readonly railTransactionId?: string;
};

export type SptOverview = {
  /** The sum of price × quantity, exactly. */
  readonly total: number;
  readonly active: number;
  readonly used: number;
  readonly expired: number;
  /** Whether it was given back. */
  readonly revoked: number;
  /** What the tokens were good for, by currency and state. */
  readonly amounts: Readonly<Record<string, {
    /** The sum of price × quantity, exactly. */
    readonly total: number;
    readonly active: number;
    readonly used: number;
    readonly expired: number;
    /** Whether it was given back. */
    readonly revoked: number;
  }>>;
};

export type StandardAgentCard = {
  readonly skills: readonly {
    /** The id of this record. */
    readonly id: string;
    /** A name for people. */
    readonly name: string;
    /** What it is for. */
    readonly description: string;
    readonly tags: readonly string[];
    readonly examples: readonly string[];
  }[];
  readonly defaultInputModes: readonly string[];
  readonly defaultOutputModes: readonly string[];
  /** A name for people. */
  readonly name: string;
  /** What it is for. */
  readonly description: string;
  /** Which version this is. */
  readonly version: string;
  readonly documentationUrl: string;
  /** Who runs it. */
  readonly provider: {
    readonly organization: string;
    /** The base address. */
    readonly url: string;
  };
  readonly supportedInterfaces: readonly {
    /** The base address. */
    readonly url: string;
    readonly protocolBinding: string;
    readonly protocolVersion: string;
  }[];
  /** What it can do. */
  readonly capabilities: {
    readonly streaming: boolean;
    readonly pushNotifications: boolean;
    readonly extendedAgentCard: boolean;
    readonly extensions: readonly {
      readonly uri: string;
      /** What it is for. */
      readonly description: string;
      readonly params?: Readonly<Record<string, string | readonly string[]>>;
    }[];
  };
  readonly securitySchemes: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly securityRequirements: readonly {
    readonly schemes: Readonly<Record<string, {
      readonly list: readonly string[];
    }>>;
  }[];
  readonly signatures: readonly {
    readonly protected: string;
    /** Over authenticatorData and the hash of clientDataJSON. */
    readonly signature: string;
  }[];
};

export type FormerAgentCard = {
  readonly skills: readonly {
    /** The id of this record. */
    readonly id: string;
    /** A name for people. */
    readonly name: string;
    /** What it is for. */
    readonly description: string;
    readonly tags: readonly string[];
    readonly examples: readonly string[];
  }[];
  readonly defaultInputModes: readonly string[];
  readonly defaultOutputModes: readonly string[];
  /** A name for people. */
  readonly name: string;
  /** What it is for. */
  readonly description: string;
  /** Which version this is. */
  readonly version: string;
  readonly documentationUrl: string;
  /** Who runs it. */
  readonly provider: {
    readonly organization: string;
    /** The base address. */
    readonly url: string;
  };
  readonly protocolVersion: string;
  readonly preferredTransport: string;
  readonly additionalInterfaces: readonly {
    /** The base address. */
    readonly url: string;
    readonly transport: string;
  }[];
  readonly supportedInterfaces: readonly {
    /** The base address. */
    readonly url: string;
    readonly protocolBinding: string;
    readonly protocolVersion: string;
  }[];
  /** The base address. */
  readonly url: string;
  /** What it can do. */
  readonly capabilities: {
    readonly streaming: boolean;
    readonly pushNotifications: boolean;
    readonly stateTransitionHistory: boolean;
    readonly extensions: readonly {
      readonly uri: string;
      /** What it is for. */
      readonly description: string;
      readonly params?: Readonly<Record<string, string | readonly string[]>>;
    }[];
  };
  readonly securitySchemes: Readonly<Record<string, {
    /** What kind of document this is. */
    readonly type: string;
    readonly [name: string]: unknown;
  }>>;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly supportsAuthenticatedExtendedCard: boolean;
};

export type Delegation = {
  /** The delegation, `dlg_…`. */
  readonly id: string;
  /** The agent, as did:key of its Ed25519 key. */
  readonly agentDid: string;
  /** Whose money it is: a person or company (the principal), as did:key. */
  readonly principalDid: string;
  /** What all of its mandates allow together. */
  readonly limits: {
    /** The most of one purchase. */
    readonly maxAmount?: number;
    /** ISO 4217 code in upper case. */
    readonly currency?: string;
    /** The domains of the disclosed payees; any merchant when absent. */
    readonly merchants?: readonly string[];
    /** The most of all purchases together. */
    readonly budget?: number;
    /** When it ends. */
    readonly expiresAt?: string;
    /** How often it may be used; once when absent. */
    readonly recurrence?: {
      readonly frequency: 'ON_DEMAND' | 'DAILY' | 'WEEKLY' | 'BIWEEKLY' | 'MONTHLY' | 'QUARTERLY' | 'ANNUALLY';
      /** One purchase in each day, ISO week, fortnight, month, quarter or year of the calendar, in UTC. */
      readonly reading: 'calendar-utc';
      readonly maxOccurrences?: number;
    };
  };
  /** The `sd_hash` of the last open mandate as it was registered. */
  readonly openHash: string;
  /** USED: it allows one purchase, which was made. EXHAUSTED: its budget or its number of purchases is spent. Both are ACTIVE again where nothing is paid. */
  readonly status: 'ACTIVE' | 'USED' | 'EXHAUSTED' | 'EXPIRED' | 'REVOKED';
  /** What the mandate was used for, by intents and by chains that close it. */
  readonly used: {
    /** Purchases, those that are only permitted yet, too. */
    readonly uses: number;
    /** What they come to; absent where the mandate names no currency. */
    readonly spent?: number;
  };
  /** Whether the agent may spend this money. While a registered person or company has not allowed it to, nothing passes by the mandate (AGENT_NOT_DELEGATED). */
  readonly delegated: boolean;
  /** When it was made. */
  readonly createdAt: string;
};

export type MandateIssuer = {
  /** The id of this record. */
  readonly id: string;
  /** A name for people. */
  readonly name: string;
  /** Who signs: an agent’s provider, a credential of the person, or the issuer of the person’s card. */
  readonly kind: 'agent-provider' | 'user-credential' | 'card-issuer';
  /** A public key as a JSON Web Key (RFC 7517). */
  readonly jwk?: {
    /** What kind of key it is: EC, OKP or RSA. */
    readonly kty: string;
    readonly [name: string]: unknown;
  };
  /** The certificate to which those of the signer lead. */
  readonly x5cRoot?: {
    /** Whom a certificate is of. */
    readonly subject: string;
    /** Of the certificate, in hexadecimal. */
    readonly sha256: string;
    readonly validUntil: string;
  };
  readonly leaf?: {
    readonly 'x5t#S256'?: string;
    /** Whom a certificate is of. */
    readonly subject?: string;
  };
  /** Whose money it is: a person or company (the principal), as did:key. */
  readonly principalDid?: string;
  /** When it was made. */
  readonly createdAt: string;
};

export type Wallet = {
  /** The id of this record. */
  readonly id: string;
  readonly network: string;
  /** With its checksum. */
  readonly address: string;
  /** The agent, as did:key of its Ed25519 key. */
  readonly agentDid?: string;
  /** Whose money it is: a person or company (the principal), as did:key. */
  readonly principalDid?: string;
  /** Where its chain is asked. */
  readonly rpcHost?: string;
  readonly assets: readonly {
    readonly asset: string;
    /** Of the contract’s EIP-712 domain. */
    readonly name: string;
    /** Of the contract’s EIP-712 domain, as text. */
    readonly version: string;
    readonly symbol: string;
    readonly decimals: number;
    /** Which money it counts as. */
    readonly currency: string;
  }[];
  /** When it was made. */
  readonly createdAt: string;
};

export type ReservationResult = {
  /** Whether the policy allows it. */
  readonly allowed: true;
  /** The mandate: `intent_…` for an intent, `pm_…` for a payment. */
  readonly mandateId: string;
  /** The intent, `intent_…`. */
  readonly intentId: string;
  /** The transaction that ties intent, cart, payment and evidence together, `txn_…`. */
  readonly transactionId: string;
  readonly reserved: number;
  /** ISO 4217 code in upper case. */
  readonly currency: string;
  /** Until when the amount is reserved. */
  readonly expiresAt: string;
  /** Until when it can be told that it was paid. */
  readonly commitUntil: string;
} | {
  /** Whether the policy allows it. */
  readonly allowed: false;
  /** Every reason against it, in a fixed order. */
  readonly reasonCodes: readonly ('AMOUNT_OVER_CAP' | 'CURRENCY_NOT_ALLOWED' | 'MERCHANT_NOT_ALLOWED' | 'MERCHANT_DENIED' | 'MCC_DENIED' | 'VELOCITY_EXCEEDED' | 'SPENDING_LIMIT_EXCEEDED' | 'TIME_WINDOW_VIOLATED' | 'GEO_RESTRICTED' | 'ANOMALY_DETECTED' | 'CART_EXCEEDS_INTENT' | 'MERCHANT_MISMATCH' | 'INTENT_EXPIRED' | 'APPROVAL_TOKEN_EXPIRED' | 'AGENT_REVOKED' | 'HP_REQUIRED' | 'HP_INVALID' | 'AGENT_SUSPENDED' | 'AGENT_NOT_DELEGATED' | 'INTENT_USED' | 'CART_EXPIRED' | 'CART_USED' | 'MERCHANT_UNVERIFIED' | 'RAIL_UNAVAILABLE' | 'DUPLICATE_SUSPECTED' | 'MANDATE_INVALID' | 'MANDATE_USED' | 'MANDATE_REVOKED' | 'CHECKOUT_MISMATCH' | 'CONSTRAINT_VIOLATED' | 'CONSTRAINT_UNRESOLVED')[];
  /** The facts behind each reason, by its code; over HTTP errors, the members at fault. */
  readonly details: Readonly<Record<string, {
    /** What was asked for. */
    readonly requested?: number;
    /** What the rule allows. */
    readonly limit?: number;
    /** Of a limit over time: what it counts besides this. */
    readonly used?: number;
    /** The limit less what is asked; negative where that is over it. */
    readonly left?: number;
    /** Until its period of the calendar ends. */
    readonly resetsInSeconds?: number;
    /** ISO 4217 code in upper case. */
    readonly currency?: string;
    /** How the Universal Commerce Protocol calls it, where it does. */
    readonly ucp?: string;
    /** One sentence for a person. */
    readonly message: string;
  }>>;
  /** Every limit over time that refuses it; absent where none does. */
  readonly limits?: readonly LimitState[];
  /** The decision as a JWT that the node’s key set verifies, where credentialFormats named verdict. */
  readonly verdict?: string;
  /** The payment that was made for the same before, for a caller who may read it. */
  readonly duplicateOf?: {
    /** The mandate: `intent_…` for an intent, `pm_…` for a payment. */
    readonly mandateId: string;
    /** The transaction that ties intent, cart, payment and evidence together, `txn_…`. */
    readonly transactionId: string;
    /** The state it is in. */
    readonly status: 'PENDING' | 'UNKNOWN' | 'AUTHORIZED' | 'CAPTURED' | 'PARTIALLY_REFUNDED' | 'DISPUTED';
    /** When it was made. */
    readonly createdAt: string;
    /** Where the result of that payment is; an agent that planned again takes this one. */
    readonly resultUrl: string;
  };
  /** Where a person can approve it, when nothing else is in the way. */
  readonly approval?: ApprovalLink;
};

export type HttpSignature = {
  /** To send with the request, by their names: Signature-Input, Signature, and Signature-Agent and Content-Digest where they are covered. */
  readonly headers: Readonly<Record<string, string>>;
  /** What the agent signs with its key (Ed25519), where it signs itself: Signature is then not among the headers. */
  readonly base?: string;
  /** The thumbprint of the key (RFC 7638). */
  readonly keyid: string;
  /** A value that is signed along, so that what is signed serves once. */
  readonly nonce: string;
  /** Until when it can be sent: at most eight minutes, and once. */
  readonly expiresAt: string;
};

export type Guard = {
  /** The id of this record. */
  readonly id: string;
  /** What the guard is called. */
  readonly name: string;
  /** The agent, as did:key of its Ed25519 key. */
  readonly agentDid: string;
  /** How many tools a person has to look at. */
  readonly waiting: number;
  /** When it was made. */
  readonly createdAt: string;
  /** When it told of its tools last. */
  readonly toldAt: string;
  readonly servers: readonly {
    /** A name for people. */
    readonly name: string;
    readonly tools: readonly {
      /** As its server names it. */
      readonly name: string;
      /** What its server calls it for people. */
      readonly title?: string;
      /** Whether it only reads, as far as the guard believes it. */
      readonly readOnly: boolean;
      /** What the rules do with a call: reserve its amount first, forward it, refuse it, or ask the person at the host. */
      readonly action: 'reserve' | 'forward' | 'refuse' | 'ask';
      /** The same in words, with each rule that may hold. */
      readonly rules?: string;
      /** SHA-256 of all that a model is told of it; where it is gone, of what was accepted. */
      readonly hash: string;
      /** How it differs from what a person accepted; absent where it does not. */
      readonly change?: 'added' | 'changed' | 'gone';
      /** All that a model is told of it, as the text (RFC 8785) whose hash `hash` is. A tool is accepted here only with it. */
      readonly definition?: string;
      /** Of a tool that changed: all that a model was told of it when it was accepted, as its guard keeps it. People are shown the difference. */
      readonly accepted?: string;
      /** A person accepted it as it is; the guard has not taken that up yet. */
      readonly acceptance?: {
        readonly at: string;
        /** Who; absent for the operator. */
        readonly userId?: string;
      };
      /** What its server tells models of it, where the guard told its definition. */
      readonly description?: string;
      /** Whether a person has to look: until then it is not called. */
      readonly waits: boolean;
    }[];
  }[];
};

/** What each operation takes and gives. */
export interface Operations {
  /** Asks permission to spend up to an amount. A refusal is an answer too, with every reason. */
  readonly issueIntent: {
    readonly input: IntentRequest;
    readonly output: IntentResult;
  };
  /** Lists intents, newest first. */
  readonly listIntents: {
    readonly input: {
      /** How many records to return, 1 to 200. */
      readonly limit?: number;
      /** The cursor of the page before, as it was returned; null on the last page. */
      readonly cursor?: string;
      /** The state it is in. */
      readonly status?: 'ACTIVE' | 'USED' | 'EXPIRED';
      /** The agent, as did:key of its Ed25519 key. */
      readonly agentDid?: string;
      /** The merchant that the intent names, by its domain. */
      readonly merchant?: string;
      /** From this moment on. */
      readonly from?: string;
      /** Up to this moment. */
      readonly to?: string;
      /** At least so much, in units of `currency`; without it, in units of each one’s own currency. */
      readonly min?: number;
      /** At most so much, as `min`. */
      readonly max?: number;
      /** ISO 4217 code in upper case. */
      readonly currency?: string;
    };
    readonly output: {
      /** The records of this page. */
      readonly data: readonly IntentSummary[];
      /** Whether there is another page. */
      readonly hasMore: boolean;
      /** Leads to the next page; null on the last. */
      readonly cursor: string | null;
      /** The rows of this page that are not in data, since the database has them damaged. */
      readonly damaged?: readonly {
        /** Where the row stands in its list, such as its id or its seq. */
        readonly place: string;
        /** One sentence for a person. */
        readonly message: string;
      }[];
    };
  };
  /** Shows one intent. */
  readonly getIntent: {
    readonly input: {
      /** The mandate: `intent_…` for an intent, `pm_…` for a payment. */
      readonly mandateId: string;
    };
    readonly output: IntentRecord;
  };
  /** Checks a merchant’s signed cart against an intent and the policy, and approves it for payment. */
  readonly validateCart: {
    readonly input: CartRequest;
    readonly output: CartResult;
  };
  /** Exchanges an approval token for a signed payment mandate and asks the rail to authorize the payment. */
  readonly mandatePayment: {
    readonly input: PaymentRequest;
    readonly output: PaymentResult;
  };
  /** Asks to pay what a server asked for by HTTP (402), and gets what to send it: by MPP or by x402, under one budget. */
  readonly authorizeHttpPayment: {
    readonly input: HttpPaymentRequest;
    readonly output: HttpPaymentResult;
  };
  /** Tells what became of a payment by HTTP, and shows the payment as it stands then. */
  readonly settleHttpPayment: {
    readonly input: SettlementReport;
    readonly output: Payment;
  };
  /** Lists payments, newest first, or as `sort` says. */
  readonly listPayments: {
    readonly input: {
      /** How many records to return, 1 to 200. */
      readonly limit?: number;
      /** The cursor of the page before, as it was returned; null on the last page. */
      readonly cursor?: string;
      /** The state it is in. */
      readonly status?: 'PENDING' | 'UNKNOWN' | 'AUTHORIZED' | 'CAPTURED' | 'PARTIALLY_REFUNDED' | 'REFUNDED' | 'DISPUTED' | 'FAILED' | 'CANCELED';
      /** The agent, as did:key of its Ed25519 key. */
      readonly agentDid?: string;
      /** The merchant’s domain. */
      readonly merchant?: string;
      /** From this moment on. */
      readonly from?: string;
      /** Up to this moment. */
      readonly to?: string;
      /** At least so much, in units of `currency`; without it, in units of each one’s own currency. */
      readonly min?: number;
      /** At most so much, as `min`. */
      readonly max?: number;
      /** ISO 4217 code in upper case. */
      readonly currency?: string;
      /** Which come first; the newest ones, unless it is said. By amount those of one `currency` are listed. */
      readonly sort?: 'newest' | 'oldest' | 'largest' | 'smallest';
    };
    readonly output: {
      /** The records of this page. */
      readonly data: readonly Payment[];
      /** Whether there is another page. */
      readonly hasMore: boolean;
      /** Leads to the next page; null on the last. */
      readonly cursor: string | null;
      /** The rows of this page that are not in data, since the database has them damaged. */
      readonly damaged?: readonly {
        /** Where the row stands in its list, such as its id or its seq. */
        readonly place: string;
        /** One sentence for a person. */
        readonly message: string;
      }[];
    };
  };
  /** Lists disputes of payments, and banks’ inquiries, newest first. */
  readonly listDisputes: {
    readonly input: {
      /** How many records to return, 1 to 200. */
      readonly limit?: number;
      /** The cursor of the page before, as it was returned; null on the last page. */
      readonly cursor?: string;
      /** `inquiry`: the bank asks, and takes no money so far; `won` and `lost` as the merchant sees it. */
      readonly status?: 'needs_response' | 'under_review' | 'won' | 'lost' | 'inquiry' | 'inquiry_closed';
      /** The agent, as did:key of its Ed25519 key. */
      readonly agentDid?: string;
    };
    readonly output: {
      /** The records of this page. */
      readonly data: readonly DisputeRecord[];
      /** Whether there is another page. */
      readonly hasMore: boolean;
      /** Leads to the next page; null on the last. */
      readonly cursor: string | null;
      /** The rows of this page that are not in data, since the database has them damaged. */
      readonly damaged?: readonly {
        /** Where the row stands in its list, such as its id or its seq. */
        readonly place: string;
        /** One sentence for a person. */
        readonly message: string;
      }[];
    };
  };
  /** Gives the rail what answers a dispute: laid down for a person to look at, or submitted to the bank. */
  readonly answerDispute: {
    readonly input: {
      /** The id of this record. */
      readonly id: string;
      /** Whether the bank gets it, which only an OWNER may say; else it is laid down at the rail, and can be changed there. */
      readonly submit?: boolean;
    };
    readonly output: DisputeRecord;
  };
  /** Records that evidence was submitted for a dispute: where, and what. */
  readonly submitDispute: {
    readonly input: {
      /** The id of this record. */
      readonly id: string;
      /** What was submitted, and where; it stands in the evidence. */
      readonly note: string;
    };
    readonly output: DisputeRecord;
  };
  /** Shows one payment with its mandate and, where a chain of mandates stands behind it, its receipt. */
  readonly getPayment: {
    readonly input: {
      /** The mandate: `intent_…` for an intent, `pm_…` for a payment. */
      readonly mandateId: string;
    };
    readonly output: PaymentRecord;
  };
  /** Downloads what answers the disputes of a payment: a zip archive with a page to print, and the same for programs. */
  readonly downloadDisputePack: {
    readonly input: {
      /** The mandate: `intent_…` for an intent, `pm_…` for a payment. */
      readonly mandateId: string;
    };
    readonly output: string | string;
  };
  /** Captures the authorized amount, or part of it. */
  readonly capturePayment: {
    readonly input: {
      /** The mandate: `intent_…` for an intent, `pm_…` for a payment. */
      readonly mandateId: string;
      /** The same key with the same body gets the same answer for 24 hours, instead of a second effect. */
      readonly idempotencyKey?: string;
      /** An amount in units of the currency: 42.5 is 42.50 USD. */
      readonly amount?: number;
    };
    readonly output: Payment;
  };
  /** Cancels an authorization and releases what it reserved. */
  readonly cancelPayment: {
    readonly input: {
      /** The mandate: `intent_…` for an intent, `pm_…` for a payment. */
      readonly mandateId: string;
      /** The same key with the same body gets the same answer for 24 hours, instead of a second effect. */
      readonly idempotencyKey?: string;
    };
    readonly output: Payment;
  };
  /** Refunds the captured amount, or part of it. */
  readonly refundPayment: {
    readonly input: {
      /** The mandate: `intent_…` for an intent, `pm_…` for a payment. */
      readonly mandateId: string;
      /** The same key with the same body gets the same answer for 24 hours, instead of a second effect. */
      readonly idempotencyKey?: string;
      /** An amount in units of the currency: 42.5 is 42.50 USD. */
      readonly amount?: number;
      /** Of a payment that was made elsewhere: what shows that money came back. A rail tells it itself. */
      readonly evidence?: {
        /** What shows that it was paid. */
        readonly kind: 'receipt' | 'order' | 'confirmation' | 'statement' | 'x402' | 'mpp' | 'none';
        /** SHA-256 of the document. The document itself never comes here. */
        readonly sha256?: string;
        /** What the merchant or the rail calls it, such as the number of an order. */
        readonly reference?: string;
        readonly occurredAt?: string;
        readonly note?: string;
      };
    };
    readonly output: Payment;
  };
  /** Asks the rail at once about a payment whose outcome is open, and answers how the payment stands then. */
  readonly reconcilePayment: {
    readonly input: {
      /** The mandate: `intent_…` for an intent, `pm_…` for a payment. */
      readonly mandateId: string;
    };
    readonly output: Payment;
  };
  /** Says how a payment ended that its merchant settles, where nothing can be asked about it any more. */
  readonly settlePayment: {
    readonly input: {
      /** The mandate: `intent_…` for an intent, `pm_…` for a payment. */
      readonly mandateId: string;
      /** Whether the money was taken; CANCELED frees it. One that has ended, and is left to a person, keeps its end. */
      readonly status: 'CAPTURED' | 'CANCELED';
      /** What was taken; all that was authorized when absent. */
      readonly amount?: number;
      /** How the owner knows; it stands in the evidence. */
      readonly note: string;
    };
    readonly output: Payment;
  };
  /** Shows the mandate of an intent or a payment, as it was issued or in a form that other libraries verify. */
  readonly showCredential: {
    readonly input: {
      /** Of an intent (`intent_…`) or of a payment’s mandate (`pm_…`). */
      readonly id: string;
      /** vc: a document of the data model 2.0 with a proof of eddsa-jcs-2022. vc+jwt: the same document as a signed token. Without it, the form in which it was issued. */
      readonly as?: 'vc' | 'vc+jwt';
    };
    readonly output: Readonly<Record<string, unknown>> | string;
  };
  /** Sums what was paid, what came back and what is held, by currency, and by agent, merchant, day, month, whose money it is, or category. */
  readonly showSpend: {
    readonly input: {
      /** The first day: `2026-11-01`. Without it, from the first payment on. */
      readonly from?: string;
      /** The last day; it is included. Without it, up to now. */
      readonly to?: string;
      /** In which days begin at midnight, such as `Europe/Berlin`; UTC when absent. */
      readonly timezone?: string;
      /** What the sums are divided by, besides the currency. By `principal` (whose money) or `category` each payment is read: give a time where there are many. */
      readonly by?: 'agent' | 'merchant' | 'day' | 'month' | 'principal' | 'category';
      /** ISO 4217 code in upper case. */
      readonly currency?: string;
      /** Whose money: only what was spent of it. */
      readonly principalDid?: string;
    };
    readonly output: Spend;
  };
  /** Exports what was paid, refunded and disputed in a month as a journal in double entry, newest first. */
  readonly exportJournal: {
    readonly input: {
      /** The month, such as `2026-11`. */
      readonly month: string;
      /** In which days begin at midnight, such as `Europe/Berlin`; UTC when absent. */
      readonly timezone?: string;
      /** `csv` has a line for each posting; `beancount` is text for Beancount, and for what reads that. */
      readonly format?: 'csv' | 'beancount';
    };
    readonly output: string | string;
  };
  /** Shows what needs a person: approvals, payments without an outcome, disputes, and what is wrong with the node. */
  readonly showAttention: {
    readonly input: Readonly<Record<string, unknown>>;
    readonly output: Attention;
  };
  /** Finds agents, payments, intents, merchants, webhooks and whose money it is by id, name, domain or amount. */
  readonly search: {
    readonly input: {
      /** An id or the beginning of one, a name, a domain, or an amount such as `42.50` or `42.50 USD`. */
      readonly q: string;
      /** How many of each kind, 1 to 20. */
      readonly limit?: number;
    };
    readonly output: SearchResult;
  };
  /** Shows what the node finds of its own health, each with a remedy where something is wrong. */
  readonly showHealth: {
    readonly input: Readonly<Record<string, unknown>>;
    readonly output: NodeHealth;
  };
  /** Shows who is told, one after the other, of an approval that is not decided. */
  readonly getEscalation: {
    readonly input: Readonly<Record<string, unknown>>;
    readonly output: {
      readonly people: readonly {
        readonly userId: string;
        /** A name for people. */
        readonly name?: string;
        /** At how many places the user is told; at 0 nothing reaches them. */
        readonly places: number;
      }[];
      readonly afterMinutes?: number;
    };
  };
  /** Sets who is told, one after the other, of an approval that is not decided. */
  readonly setEscalation: {
    readonly input: {
      /** The users who are told, one after the other; an empty list ends it. */
      readonly userIds: readonly string[];
      /** How long each time, at most: the next user is told when half of the time that is left has passed, or this many minutes. */
      readonly afterMinutes?: number;
    };
    readonly output: {
      readonly people: readonly {
        readonly userId: string;
        /** A name for people. */
        readonly name?: string;
        /** At how many places the user is told; at 0 nothing reaches them. */
        readonly places: number;
      }[];
      readonly afterMinutes?: number;
    };
  };
  /** Has a backup of the whole node made, without its keys, to be downloaded once it is READY. One that is being made goes on. */
  readonly startBackup: {
    readonly input: Readonly<Record<string, unknown>>;
    readonly output: {
      /** Of the newest backup that this node was asked for. READY: it can be downloaded. */
      readonly state: 'NONE' | 'RUNNING' | 'READY' | 'FAILED';
      /** Of one that is RUNNING or FAILED. */
      readonly startedAt?: string;
      /** How many pages of the database were copied, of how many; what comes after the copy is not counted. */
      readonly progress?: {
        readonly done: number;
        /** The sum of price × quantity, exactly. */
        readonly total: number;
      };
      /** Why it FAILED, and what to do. */
      readonly failure?: string;
      /** The one that can be downloaded, perhaps of an earlier time. */
      readonly archive?: {
        readonly fileName: string;
        /** When it was made. */
        readonly createdAt: string;
        /** Of the archive. */
        readonly bytes: number;
        /** Of the archive, in hexadecimal. */
        readonly sha256: string;
        /** Of evidence. */
        readonly events: number;
        /** Of all tables. */
        readonly rows: number;
        readonly schemaVersion: number;
      };
      /** When one was last made by a command, or downloaded whole. */
      readonly lastBackupAt?: string;
    };
  };
  /** Shows how far the newest backup is, and which one can be downloaded. */
  readonly showBackup: {
    readonly input: Readonly<Record<string, unknown>>;
    readonly output: {
      /** Of the newest backup that this node was asked for. READY: it can be downloaded. */
      readonly state: 'NONE' | 'RUNNING' | 'READY' | 'FAILED';
      /** Of one that is RUNNING or FAILED. */
      readonly startedAt?: string;
      /** How many pages of the database were copied, of how many; what comes after the copy is not counted. */
      readonly progress?: {
        readonly done: number;
        /** The sum of price × quantity, exactly. */
        readonly total: number;
      };
      /** Why it FAILED, and what to do. */
      readonly failure?: string;
      /** The one that can be downloaded, perhaps of an earlier time. */
      readonly archive?: {
        readonly fileName: string;
        /** When it was made. */
        readonly createdAt: string;
        /** Of the archive. */
        readonly bytes: number;
        /** Of the archive, in hexadecimal. */
        readonly sha256: string;
        /** Of evidence. */
        readonly events: number;
        /** Of all tables. */
        readonly rows: number;
        readonly schemaVersion: number;
      };
      /** When one was last made by a command, or downloaded whole. */
      readonly lastBackupAt?: string;
    };
  };
  /** Downloads the newest backup that is whole: a tar archive for `countersign restore`. */
  readonly downloadBackup: {
    readonly input: Readonly<Record<string, unknown>>;
    readonly output: string | string;
  };
  /** Shows the policy that purchases are judged by now. */
  readonly currentPolicy: {
    readonly input: Readonly<Record<string, unknown>>;
    readonly output: Policy;
  };
  /** Lists every version of every policy, newest first. */
  readonly listPolicies: {
    readonly input: {
      /** How many records to return, 1 to 200. */
      readonly limit?: number;
      /** The cursor of the page before, as it was returned; null on the last page. */
      readonly cursor?: string;
    };
    readonly output: {
      /** The records of this page. */
      readonly data: readonly Policy[];
      /** Whether there is another page. */
      readonly hasMore: boolean;
      /** Leads to the next page; null on the last. */
      readonly cursor: string | null;
      /** The rows of this page that are not in data, since the database has them damaged. */
      readonly damaged?: readonly {
        /** Where the row stands in its list, such as its id or its seq. */
        readonly place: string;
        /** One sentence for a person. */
        readonly message: string;
      }[];
    };
  };
  /** Judges recorded requests by a draft, or the current policy, and tells which decisions would be others. */
  readonly replayPolicy: {
    readonly input: {
      /** A draft; without one the current policy judges. */
      readonly rules?: Rules;
      /** Requests from this moment on are judged; 30 days before `at` when absent. */
      readonly since?: string;
      /** The replay ends at this moment; now when absent. */
      readonly at?: string;
      /** A history that every agent has before the first event that is read; none when absent. */
      readonly before?: {
        /** How many purchases there were within the velocity window. */
        readonly transactions?: number;
        /** What they come to, in units of the currency. */
        readonly spent?: number;
        readonly limits?: readonly {
          /** A name for people. */
          readonly name: string;
          /** How many purchases there were within the velocity window. */
          readonly transactions?: number;
          /** What they come to, in units of the currency. */
          readonly spent?: number;
        }[];
        /** Whether nothing was paid at this merchant before. */
        readonly newMerchant?: boolean;
        /** Amounts paid earlier, the latest first. */
        readonly paid?: readonly number[];
        /** How often the same was bought within the window of risk.duplicate. */
        readonly same?: number;
      };
      /** How many flips are told, the newest first. */
      readonly limit?: number;
    };
    readonly output: {
      /** From when on requests were judged. */
      readonly since: string;
      readonly at: string;
      /** False where the chain is longer than what one replay reads: what came before `since` is not known then. */
      readonly complete: boolean;
      readonly requests: number;
      readonly wereAllowed: number;
      /** How many requests, or how much, would be allowed. */
      readonly wouldBeAllowed: number;
      /** Of those that would be allowed. */
      readonly wouldNeedPresence: number;
      /** What intents were allowed up to, and would be, by currency. */
      readonly money: readonly {
        /** ISO 4217 code in upper case. */
        readonly currency: string;
        /** What intents were allowed up to. */
        readonly wasAllowed: number;
        /** How many requests, or how much, would be allowed. */
        readonly wouldBeAllowed: number;
      }[];
      /** Each limit of the draft by itself; a request over two of them is in the figures of both. */
      readonly limits: readonly {
        /** velocity_limit: the one of risk.velocity_limit. */
        readonly name: string;
        /** Whose purchases count together: the agent’s, those with the same money (principal), or all. */
        readonly scope: 'agent' | 'principal' | 'policy';
        readonly window: string;
        /** Of a period of the calendar. */
        readonly timezone?: string;
        /** What becomes of a purchase over it. */
        readonly action: 'deny' | 'presence';
        /** What was asked for that it counts, allowed or refused, in the last whole period before `at`; for a duration, in the one that ends then. Absent where part of the period lies before what was read. */
        readonly asked?: {
          readonly requests: number;
          /** What they asked for, by currency. */
          readonly money: readonly {
            /** ISO 4217 code in upper case. */
            readonly currency: string;
            /** An amount in units of the currency: 42.5 is 42.50 USD. */
            readonly amount: number;
          }[];
          /** From this moment on. */
          readonly from: string;
          /** The end, excluded. */
          readonly to: string;
          /** Who asked for the most, where each agent has the limit to itself. */
          readonly agentDid?: string;
          /** As agentDid, where agents that spend the same money share the limit. */
          readonly principalDid?: string;
        };
        /** Requests that it refuses, and that no rule but limits refuses. */
        readonly refused: {
          readonly requests: number;
          /** What they asked for, by currency. */
          readonly money: readonly {
            /** ISO 4217 code in upper case. */
            readonly currency: string;
            /** An amount in units of the currency: 42.5 is 42.50 USD. */
            readonly amount: number;
          }[];
        };
        /** Requests that it sends to a person. */
        readonly person: {
          readonly requests: number;
          /** What they asked for, by currency. */
          readonly money: readonly {
            /** ISO 4217 code in upper case. */
            readonly currency: string;
            /** An amount in units of the currency: 42.5 is 42.50 USD. */
            readonly amount: number;
          }[];
        };
      }[];
      /** How many decisions would be others. */
      readonly flipped: number;
      /** The newest of them first. `at` the time of the last one leads to older ones. */
      readonly flips: readonly {
        /** Place in the chain, from 1 on, without gaps. */
        readonly seq: number;
        /** When it was made. */
        readonly createdAt: string;
        /** The transaction that ties intent, cart, payment and evidence together, `txn_…`. */
        readonly transactionId: string;
        /** The agent, as did:key of its Ed25519 key. */
        readonly agentDid: string;
        /** An amount in units of the currency: 42.5 is 42.50 USD. */
        readonly amount: number;
        /** ISO 4217 code in upper case. */
        readonly currency: string;
        /** The merchant’s domain. */
        readonly merchantDomain?: string;
        readonly was: {
          /** Whether the policy allows it. */
          readonly allowed: boolean;
          /** Whether the person must be present when the cart is validated. */
          readonly hpRequired: boolean;
          /** Every reason against it, in a fixed order. */
          readonly reasonCodes: readonly string[];
        };
        readonly would: {
          /** Whether the policy allows it. */
          readonly allowed: boolean;
          /** Whether the person must be present when the cart is validated. */
          readonly hpRequired: boolean;
          /** Every reason against it, in a fixed order. */
          readonly reasonCodes: readonly string[];
        };
        /** The facts behind each reason, by its code; over HTTP errors, the members at fault. */
        readonly details?: Readonly<Record<string, {
          /** What was asked for. */
          readonly requested?: number;
          /** What the rule allows. */
          readonly limit?: number;
          /** Of a limit over time: what it counts besides this. */
          readonly used?: number;
          /** The limit less what is asked; negative where that is over it. */
          readonly left?: number;
          /** Until its period of the calendar ends. */
          readonly resetsInSeconds?: number;
          /** ISO 4217 code in upper case. */
          readonly currency?: string;
          /** How the Universal Commerce Protocol calls it, where it does. */
          readonly ucp?: string;
          /** One sentence for a person. */
          readonly message: string;
        }>>;
        readonly trace: readonly {
          /** The reason code of a rule that can refuse; the cause of one that asks for a person. */
          readonly rule: string;
          /** A rule that is not set passes. */
          readonly outcome: 'passed' | 'refused' | 'person';
          /** One sentence for a person. */
          readonly message?: string;
        }[];
      }[];
    };
  };
  /** Tries a request against a draft, or the current policy, and tells what every rule says of it. */
  readonly simulateDraft: {
    readonly input: {
      /** A draft; without one the current policy is tried. */
      readonly rules?: Rules;
      /** What is asked for. */
      readonly request: {
        /** An amount in units of the currency: 42.5 is 42.50 USD. */
        readonly amount: number;
        /** ISO 4217 code in upper case. */
        readonly currency: string;
        /** The merchant’s domain. */
        readonly merchantDomain?: string;
        /** Merchant category code of four digits (ISO 18245). */
        readonly mcc?: string;
        /** Where the merchant is, ISO 3166-1 alpha-2. */
        readonly country?: string;
        /** The agent, as did:key of its Ed25519 key. */
        readonly agentDid?: string;
        /** Whose money the agent would spend; beside agentDid. */
        readonly principalDid?: string;
      };
      /** The moment at which it is tried; now when absent. An agent’s history is as it is now. */
      readonly at?: string;
      /** A history to try it after, in place of an agent’s. */
      readonly before?: {
        /** How many purchases there were within the velocity window. */
        readonly transactions?: number;
        /** What they come to, in units of the currency. */
        readonly spent?: number;
        readonly limits?: readonly {
          /** A name for people. */
          readonly name: string;
          /** How many purchases there were within the velocity window. */
          readonly transactions?: number;
          /** What they come to, in units of the currency. */
          readonly spent?: number;
        }[];
        /** Whether nothing was paid at this merchant before. */
        readonly newMerchant?: boolean;
        /** Amounts paid earlier, the latest first. */
        readonly paid?: readonly number[];
        /** How often the same was bought within the window of risk.duplicate. */
        readonly same?: number;
      };
    };
    readonly output: Simulation;
  };
  /** Compares a draft with the current policy, or with another draft, and tells what becomes looser. */
  readonly comparePolicies: {
    readonly input: {
      /** The current policy’s rules when absent. */
      readonly former?: Rules;
      /** What it will be. */
      readonly next: Rules;
    };
    readonly output: {
      /** Whether something may pass that did not: the person who publishes it is asked for their passkey. */
      readonly looser: boolean;
      /** One entry for each rule that changes; none where both allow the same. */
      readonly changes: readonly {
        /** The rule, such as spend.amount_cap. */
        readonly path: string;
        /** What it was; absent where it was not set. */
        readonly former?: unknown;
        /** What it will be; absent where it will not be set. */
        readonly next?: unknown;
        /** looser: something may pass that did not; tighter: nothing may; other: neither. */
        readonly direction: 'looser' | 'tighter' | 'other';
        /** One sentence for a person. */
        readonly sentence: string;
      }[];
      /** Where the policy contradicts itself; it is taken all the same. */
      readonly warnings: readonly {
        /** The rule, such as context.presence_threshold. */
        readonly path: string;
        /** One sentence. */
        readonly message: string;
      }[];
      /** Each maximum of each limit of `next`, with what it would count now. */
      readonly limits: readonly {
        /** velocity_limit: the one of risk.velocity_limit. */
        readonly name: string;
        /** What of it is limited: the sum, or how many. */
        readonly measure: 'amount' | 'purchases';
        /** What the rule allows. */
        readonly limit: number;
        /** Of amounts. */
        readonly currency?: string;
        readonly window: string;
        /** Of a period of the calendar. */
        readonly timezone?: string;
        /** Whose purchases count together: the agent’s, those with the same money (principal), or all. */
        readonly scope: 'agent' | 'principal' | 'policy';
        /** Purchases there alone count. */
        readonly merchant?: string;
        /** Purchases of it alone count. */
        readonly category?: string;
        /** What becomes of a purchase over it. */
        readonly action: 'deny' | 'presence';
        readonly periodStart?: string;
        /** When the present period of the calendar ends. */
        readonly resetsAt?: string;
        /** Whether all whom it holds for were looked through; the 200 newest are, where there are more. */
        readonly isAll: boolean;
        /** Whether the other policy has no limit that says the same. */
        readonly isChanged: boolean;
        /** How many have nothing left of it, so that their next purchase is over it: 1 at most where all agents share it. */
        readonly usedUp: number;
        /** The five that have used most of it, of the 200 newest that may buy; no agent with limits of its own. */
        readonly most: readonly {
          /** The agent, or the person or company whose money it is; absent where all agents share it. */
          readonly did?: string;
          /** A name for people. */
          readonly name?: string;
          /** What it counts: what is held or paid in its window. */
          readonly used: number;
        }[];
      }[];
    };
  };
  /** Tells what the current policy would say of a purchase. Nothing is issued, counted or recorded. */
  readonly explainPolicy: {
    readonly input: {
      /** The smallest amount there is when absent. */
      readonly amount?: number;
      /** The policy’s own when absent. */
      readonly currency?: string;
      /** The merchant’s domain. */
      readonly merchantDomain?: string;
      /** Merchant category code of four digits (ISO 18245). */
      readonly mcc?: string;
      /** Where the merchant is, ISO 3166-1 alpha-2. */
      readonly country?: string;
      /** Whose money it would be; the agent stands for one that is not registered. */
      readonly principalDid?: string;
      /** Whose spending so far counts: the calling agent’s when absent, or a new agent’s. */
      readonly agentDid?: string;
    };
    readonly output: {
      /** Whether the policy allows it. */
      readonly allowed: boolean;
      /** Every reason against it, in a fixed order. */
      readonly reasonCodes: readonly ('AMOUNT_OVER_CAP' | 'CURRENCY_NOT_ALLOWED' | 'MERCHANT_NOT_ALLOWED' | 'MERCHANT_DENIED' | 'MCC_DENIED' | 'VELOCITY_EXCEEDED' | 'SPENDING_LIMIT_EXCEEDED' | 'TIME_WINDOW_VIOLATED' | 'GEO_RESTRICTED' | 'ANOMALY_DETECTED' | 'CART_EXCEEDS_INTENT' | 'MERCHANT_MISMATCH' | 'INTENT_EXPIRED' | 'APPROVAL_TOKEN_EXPIRED' | 'AGENT_REVOKED' | 'HP_REQUIRED' | 'HP_INVALID' | 'AGENT_SUSPENDED' | 'AGENT_NOT_DELEGATED' | 'INTENT_USED' | 'CART_EXPIRED' | 'CART_USED' | 'MERCHANT_UNVERIFIED' | 'RAIL_UNAVAILABLE' | 'DUPLICATE_SUSPECTED' | 'MANDATE_INVALID' | 'MANDATE_USED' | 'MANDATE_REVOKED' | 'CHECKOUT_MISMATCH' | 'CONSTRAINT_VIOLATED' | 'CONSTRAINT_UNRESOLVED')[];
      /** The facts behind each reason, by its code; over HTTP errors, the members at fault. */
      readonly details: Readonly<Record<string, {
        /** What was asked for. */
        readonly requested?: number;
        /** What the rule allows. */
        readonly limit?: number;
        /** Of a limit over time: what it counts besides this. */
        readonly used?: number;
        /** The limit less what is asked; negative where that is over it. */
        readonly left?: number;
        /** Until its period of the calendar ends. */
        readonly resetsInSeconds?: number;
        /** ISO 4217 code in upper case. */
        readonly currency?: string;
        /** How the Universal Commerce Protocol calls it, where it does. */
        readonly ucp?: string;
        /** One sentence for a person. */
        readonly message: string;
      }>>;
      /** Every limit over time that refuses it; absent where none does. */
      readonly limits?: readonly LimitState[];
      /** The limit of which it would leave the least share; where it is allowed. */
      readonly remaining?: LimitState;
      /** Whether a person would be asked at the cart. */
      readonly hpRequired: boolean;
      /** What it was judged by. */
      readonly policy: {
        /** A name for people. */
        readonly name: string;
        /** Which version this is. */
        readonly version: number;
        /** SHA-256 of the canonical rules (RFC 8785), `sha256:…`. */
        readonly hash: string;
      };
      /** Where the policy contradicts itself; it is taken all the same. */
      readonly warnings: readonly {
        /** The rule, such as context.presence_threshold. */
        readonly path: string;
        /** One sentence. */
        readonly message: string;
      }[];
      /** What every rule said, with its figures. */
      readonly ruleTable: readonly {
        /** The reason code of a rule that can refuse; the cause of one that asks for a person. */
        readonly rule: string;
        /** notAsked: the rule is not set, or the request has nothing that it is about. */
        readonly outcome: 'passed' | 'failed' | 'person' | 'notAsked';
        /** The request’s value for this rule: an amount, a number of purchases, or a name. */
        readonly asked?: number | string;
        /** What the rule allows. */
        readonly limit?: number;
        /** The limit less what is asked; negative where that is over it. */
        readonly left?: number;
        /** Of amounts. Figures without one count purchases. */
        readonly currency?: string;
        /** One sentence for a person. */
        readonly sentence: string;
      }[];
      /** What would have passed; absent where it is allowed. */
      readonly counterfactual?: {
        /** Changes of which each alone is enough. */
        readonly alone: readonly {
          /** What is changed. */
          readonly change: 'amount' | 'presence' | 'time' | 'merchant' | 'category' | 'country';
          /** The largest amount that passes. */
          readonly amount?: number;
          /** ISO 4217 code in upper case. */
          readonly currency?: string;
          /** The earliest moment at which it passes, if nothing else is bought until then. */
          readonly from?: string;
          /** What the rule names: each of these passes. */
          readonly names?: readonly string[];
          /** In words, as what follows “it would pass”. */
          readonly how: string;
        }[];
        /** Where none alone is enough: changes that are together. Empty where nothing helps. */
        readonly together: readonly {
          /** What is changed. */
          readonly change: 'amount' | 'presence' | 'time' | 'merchant' | 'category' | 'country';
          /** The largest amount that passes. */
          readonly amount?: number;
          /** ISO 4217 code in upper case. */
          readonly currency?: string;
          /** The earliest moment at which it passes, if nothing else is bought until then. */
          readonly from?: string;
          /** What the rule names: each of these passes. */
          readonly names?: readonly string[];
          /** In words, as what follows “it would pass”. */
          readonly how: string;
        }[];
        /** All of it in one sentence. */
        readonly sentence: string;
      };
    };
  };
  /** Creates a policy; it becomes the current one unless "activate" is false. */
  readonly createPolicy: {
    readonly input: CreatePolicy;
    readonly output: {
      /** The id of this record. */
      readonly id: string;
      /** Which version this is. */
      readonly version: number;
      /** A name for people. */
      readonly name: string;
      /** The rules. A rule that is not known is refused. */
      readonly rules: Readonly<Record<string, unknown>>;
      /** SHA-256 of the canonical rules (RFC 8785), `sha256:…`. */
      readonly hash: string;
      /** Whether purchases are judged by it now. */
      readonly isActive: boolean;
      /** When it was made. */
      readonly createdAt: string;
      /** Where the policy contradicts itself; it is taken all the same. */
      readonly warnings: readonly {
        /** The rule, such as context.presence_threshold. */
        readonly path: string;
        /** One sentence. */
        readonly message: string;
      }[];
    };
  };
  /** As a replay, over all requests of a time, and tells how far it is. It ends when its caller goes. */
  readonly replayDraft: {
    readonly input: {
      /** A draft; without one the current policy judges. */
      readonly rules?: Rules;
      /** Requests from this moment on are judged; 30 days before `at` when absent. */
      readonly since?: string;
      /** The replay ends at this moment; now when absent. */
      readonly at?: string;
      /** A history that every agent has before the first event that is read; none when absent. */
      readonly before?: {
        /** How many purchases there were within the velocity window. */
        readonly transactions?: number;
        /** What they come to, in units of the currency. */
        readonly spent?: number;
        readonly limits?: readonly {
          /** A name for people. */
          readonly name: string;
          /** How many purchases there were within the velocity window. */
          readonly transactions?: number;
          /** What they come to, in units of the currency. */
          readonly spent?: number;
        }[];
        /** Whether nothing was paid at this merchant before. */
        readonly newMerchant?: boolean;
        /** Amounts paid earlier, the latest first. */
        readonly paid?: readonly number[];
        /** How often the same was bought within the window of risk.duplicate. */
        readonly same?: number;
      };
      /** How many flips are told, the newest first. */
      readonly limit?: number;
      /** ndjson: a line {checked, of} from time to time, and {result} on the last; json: the result alone. */
      readonly format?: 'ndjson' | 'json';
    };
    readonly output: {
      /** From when on requests were judged. */
      readonly since: string;
      readonly at: string;
      /** False where the chain is longer than what one replay reads: what came before `since` is not known then. */
      readonly complete: boolean;
      readonly requests: number;
      readonly wereAllowed: number;
      /** How many requests, or how much, would be allowed. */
      readonly wouldBeAllowed: number;
      /** Of those that would be allowed. */
      readonly wouldNeedPresence: number;
      /** What intents were allowed up to, and would be, by currency. */
      readonly money: readonly {
        /** ISO 4217 code in upper case. */
        readonly currency: string;
        /** What intents were allowed up to. */
        readonly wasAllowed: number;
        /** How many requests, or how much, would be allowed. */
        readonly wouldBeAllowed: number;
      }[];
      /** Each limit of the draft by itself; a request over two of them is in the figures of both. */
      readonly limits: readonly {
        /** velocity_limit: the one of risk.velocity_limit. */
        readonly name: string;
        /** Whose purchases count together: the agent’s, those with the same money (principal), or all. */
        readonly scope: 'agent' | 'principal' | 'policy';
        readonly window: string;
        /** Of a period of the calendar. */
        readonly timezone?: string;
        /** What becomes of a purchase over it. */
        readonly action: 'deny' | 'presence';
        /** What was asked for that it counts, allowed or refused, in the last whole period before `at`; for a duration, in the one that ends then. Absent where part of the period lies before what was read. */
        readonly asked?: {
          readonly requests: number;
          /** What they asked for, by currency. */
          readonly money: readonly {
            /** ISO 4217 code in upper case. */
            readonly currency: string;
            /** An amount in units of the currency: 42.5 is 42.50 USD. */
            readonly amount: number;
          }[];
          /** From this moment on. */
          readonly from: string;
          /** The end, excluded. */
          readonly to: string;
          /** Who asked for the most, where each agent has the limit to itself. */
          readonly agentDid?: string;
          /** As agentDid, where agents that spend the same money share the limit. */
          readonly principalDid?: string;
        };
        /** Requests that it refuses, and that no rule but limits refuses. */
        readonly refused: {
          readonly requests: number;
          /** What they asked for, by currency. */
          readonly money: readonly {
            /** ISO 4217 code in upper case. */
            readonly currency: string;
            /** An amount in units of the currency: 42.5 is 42.50 USD. */
            readonly amount: number;
          }[];
        };
        /** Requests that it sends to a person. */
        readonly person: {
          readonly requests: number;
          /** What they asked for, by currency. */
          readonly money: readonly {
            /** ISO 4217 code in upper case. */
            readonly currency: string;
            /** An amount in units of the currency: 42.5 is 42.50 USD. */
            readonly amount: number;
          }[];
        };
      }[];
      /** How many decisions would be others. */
      readonly flipped: number;
      /** The newest of them first. `at` the time of the last one leads to older ones. */
      readonly flips: readonly {
        /** Place in the chain, from 1 on, without gaps. */
        readonly seq: number;
        /** When it was made. */
        readonly createdAt: string;
        /** The transaction that ties intent, cart, payment and evidence together, `txn_…`. */
        readonly transactionId: string;
        /** The agent, as did:key of its Ed25519 key. */
        readonly agentDid: string;
        /** An amount in units of the currency: 42.5 is 42.50 USD. */
        readonly amount: number;
        /** ISO 4217 code in upper case. */
        readonly currency: string;
        /** The merchant’s domain. */
        readonly merchantDomain?: string;
        readonly was: {
          /** Whether the policy allows it. */
          readonly allowed: boolean;
          /** Whether the person must be present when the cart is validated. */
          readonly hpRequired: boolean;
          /** Every reason against it, in a fixed order. */
          readonly reasonCodes: readonly string[];
        };
        readonly would: {
          /** Whether the policy allows it. */
          readonly allowed: boolean;
          /** Whether the person must be present when the cart is validated. */
          readonly hpRequired: boolean;
          /** Every reason against it, in a fixed order. */
          readonly reasonCodes: readonly string[];
        };
        /** The facts behind each reason, by its code; over HTTP errors, the members at fault. */
        readonly details?: Readonly<Record<string, {
          /** What was asked for. */
          readonly requested?: number;
          /** What the rule allows. */
          readonly limit?: number;
          /** Of a limit over time: what it counts besides this. */
          readonly used?: number;
          /** The limit less what is asked; negative where that is over it. */
          readonly left?: number;
          /** Until its period of the calendar ends. */
          readonly resetsInSeconds?: number;
          /** ISO 4217 code in upper case. */
          readonly currency?: string;
          /** How the Universal Commerce Protocol calls it, where it does. */
          readonly ucp?: string;
          /** One sentence for a person. */
          readonly message: string;
        }>>;
        readonly trace: readonly {
          /** The reason code of a rule that can refuse; the cause of one that asks for a person. */
          readonly rule: string;
          /** A rule that is not set passes. */
          readonly outcome: 'passed' | 'refused' | 'person';
          /** One sentence for a person. */
          readonly message?: string;
        }[];
      }[];
    } | string;
  };
  /** Writes the next version of a policy; it is current if the version before was. */
  readonly updatePolicy: {
    readonly input: {
      /** The id of this record. */
      readonly id: string;
      /** A name for people. */
      readonly name?: string;
      /** The rules. A rule that is not known is refused. */
      readonly rules?: Rules;
      /** The version that is current as far as the caller knows; null where none is. Where another one is, nothing is written. */
      readonly ifCurrent?: {
        /** The id of this record. */
        readonly id: string;
        /** Which version this is. */
        readonly version: number;
      } | null;
      /** The ETag with which it was read, as the header If-Match has it. Where it is another one by now, nothing is changed. */
      readonly ifMatch?: string;
      /** The same key with the same body gets the same answer for 24 hours, instead of a second effect. */
      readonly idempotencyKey?: string;
    };
    readonly output: {
      /** The id of this record. */
      readonly id: string;
      /** Which version this is. */
      readonly version: number;
      /** A name for people. */
      readonly name: string;
      /** The rules. A rule that is not known is refused. */
      readonly rules: Readonly<Record<string, unknown>>;
      /** SHA-256 of the canonical rules (RFC 8785), `sha256:…`. */
      readonly hash: string;
      /** Whether purchases are judged by it now. */
      readonly isActive: boolean;
      /** When it was made. */
      readonly createdAt: string;
      /** Where the policy contradicts itself; it is taken all the same. */
      readonly warnings: readonly {
        /** The rule, such as context.presence_threshold. */
        readonly path: string;
        /** One sentence. */
        readonly message: string;
      }[];
    };
  };
  /** Tries a request against a policy. Nothing is issued, counted or recorded. */
  readonly simulatePolicy: {
    readonly input: {
      /** The id of this record. */
      readonly id: string;
      /** What is asked for. */
      readonly request: {
        /** An amount in units of the currency: 42.5 is 42.50 USD. */
        readonly amount: number;
        /** ISO 4217 code in upper case. */
        readonly currency: string;
        /** The merchant’s domain. */
        readonly merchantDomain?: string;
        /** Merchant category code of four digits (ISO 18245). */
        readonly mcc?: string;
        /** Where the merchant is, ISO 3166-1 alpha-2. */
        readonly country?: string;
        /** The agent, as did:key of its Ed25519 key. */
        readonly agentDid?: string;
        /** Whose money the agent would spend; beside agentDid. */
        readonly principalDid?: string;
      };
    };
    readonly output: Simulation;
  };
  /** Lists every intent and cart that was judged, refused ones too, newest first, or as `sort` says. A page may be short of its limit, or empty, and have a cursor. */
  readonly listDecisions: {
    readonly input: {
      /** How many records to return, 1 to 200. */
      readonly limit?: number;
      /** The cursor of the page before, as it was returned; null on the last page. */
      readonly cursor?: string;
      /** The agent, as did:key of its Ed25519 key. */
      readonly agentDid?: string;
      /** The merchant’s domain. */
      readonly merchant?: string;
      /** approval: nothing but a person’s touch was missing. */
      readonly outcome?: 'allowed' | 'refused' | 'approval';
      /** A reason against it. */
      readonly reasonCode?: 'AMOUNT_OVER_CAP' | 'CURRENCY_NOT_ALLOWED' | 'MERCHANT_NOT_ALLOWED' | 'MERCHANT_DENIED' | 'MCC_DENIED' | 'VELOCITY_EXCEEDED' | 'SPENDING_LIMIT_EXCEEDED' | 'TIME_WINDOW_VIOLATED' | 'GEO_RESTRICTED' | 'ANOMALY_DETECTED' | 'CART_EXCEEDS_INTENT' | 'MERCHANT_MISMATCH' | 'INTENT_EXPIRED' | 'APPROVAL_TOKEN_EXPIRED' | 'AGENT_REVOKED' | 'HP_REQUIRED' | 'HP_INVALID' | 'AGENT_SUSPENDED' | 'AGENT_NOT_DELEGATED' | 'INTENT_USED' | 'CART_EXPIRED' | 'CART_USED' | 'MERCHANT_UNVERIFIED' | 'RAIL_UNAVAILABLE' | 'DUPLICATE_SUSPECTED' | 'MANDATE_INVALID' | 'MANDATE_USED' | 'MANDATE_REVOKED' | 'CHECKOUT_MISMATCH' | 'CONSTRAINT_VIOLATED' | 'CONSTRAINT_UNRESOLVED';
      /** From this moment on. */
      readonly from?: string;
      /** Up to this moment. */
      readonly to?: string;
      /** At least so much, in units of `currency`; without it, in units of each one’s own currency. */
      readonly min?: number;
      /** At most so much, as `min`. */
      readonly max?: number;
      /** ISO 4217 code in upper case. */
      readonly currency?: string;
      /** Which come first; the newest ones, unless it is said. By amount those of one `currency` are listed. */
      readonly sort?: 'newest' | 'oldest' | 'largest' | 'smallest';
    };
    readonly output: {
      /** The records of this page. */
      readonly data: readonly {
        /** The evidence event that records it. */
        readonly seq: number;
        /** When it was made. */
        readonly createdAt: string;
        /** payment: a cart that was refused when it was to be paid. */
        readonly kind: 'intent' | 'cart' | 'payment';
        /** approval: nothing but a person’s touch was missing. */
        readonly outcome: 'allowed' | 'refused' | 'approval';
        /** The transaction that ties intent, cart, payment and evidence together, `txn_…`. */
        readonly transactionId: string;
        /** The session a message belongs to, chosen by the agent. */
        readonly contextId?: string;
        /** The agent, as did:key of its Ed25519 key. */
        readonly agentDid: string;
        /** Whose money it is: a person or company (the principal), as did:key. */
        readonly principalDid: string;
        /** The intent, `intent_…`. */
        readonly intentId: string;
        /** SHA-256 of the canonical cart without its proof, `sha256:…`; of a cart mandate, of `{contents, merchant}` with its domain. */
        readonly cartHash?: string;
        /** An amount in units of the currency: 42.5 is 42.50 USD. */
        readonly amount: number;
        /** ISO 4217 code in upper case. */
        readonly currency: string;
        /** The merchant’s domain. */
        readonly merchant?: string;
        /** Whether a person has to confirm the cart; of an intent that is allowed. */
        readonly hpRequired?: boolean;
        /** Every reason against it, in a fixed order. */
        readonly reasonCodes: readonly ('AMOUNT_OVER_CAP' | 'CURRENCY_NOT_ALLOWED' | 'MERCHANT_NOT_ALLOWED' | 'MERCHANT_DENIED' | 'MCC_DENIED' | 'VELOCITY_EXCEEDED' | 'SPENDING_LIMIT_EXCEEDED' | 'TIME_WINDOW_VIOLATED' | 'GEO_RESTRICTED' | 'ANOMALY_DETECTED' | 'CART_EXCEEDS_INTENT' | 'MERCHANT_MISMATCH' | 'INTENT_EXPIRED' | 'APPROVAL_TOKEN_EXPIRED' | 'AGENT_REVOKED' | 'HP_REQUIRED' | 'HP_INVALID' | 'AGENT_SUSPENDED' | 'AGENT_NOT_DELEGATED' | 'INTENT_USED' | 'CART_EXPIRED' | 'CART_USED' | 'MERCHANT_UNVERIFIED' | 'RAIL_UNAVAILABLE' | 'DUPLICATE_SUSPECTED' | 'MANDATE_INVALID' | 'MANDATE_USED' | 'MANDATE_REVOKED' | 'CHECKOUT_MISMATCH' | 'CONSTRAINT_VIOLATED' | 'CONSTRAINT_UNRESOLVED')[];
        /** The facts behind each reason, by its code; over HTTP errors, the members at fault. */
        readonly details: Readonly<Record<string, {
          /** What was asked for. */
          readonly requested?: number;
          /** What the rule allows. */
          readonly limit?: number;
          /** Of a limit over time: what it counts besides this. */
          readonly used?: number;
          /** The limit less what is asked; negative where that is over it. */
          readonly left?: number;
          /** Until its period of the calendar ends. */
          readonly resetsInSeconds?: number;
          /** ISO 4217 code in upper case. */
          readonly currency?: string;
          /** How the Universal Commerce Protocol calls it, where it does. */
          readonly ucp?: string;
          /** One sentence for a person. */
          readonly message: string;
        }>>;
        /** Every limit over time that refuses it; absent where none does. */
        readonly limits?: readonly LimitState[];
        /** What it was judged by; absent where it was refused before that. */
        readonly policy?: Attestation;
      }[];
      /** Whether there is another page. */
      readonly hasMore: boolean;
      /** Leads to the next page; null on the last. */
      readonly cursor: string | null;
      /** The rows of this page that are not in data, since the database has them damaged. */
      readonly damaged?: readonly {
        /** Where the row stands in its list, such as its id or its seq. */
        readonly place: string;
        /** One sentence for a person. */
        readonly message: string;
      }[];
    };
  };
  /** Shows the judgements of one transaction with what each rule said, and what would have passed at that moment. */
  readonly getDecisions: {
    readonly input: {
      /** The transaction that ties intent, cart, payment and evidence together, `txn_…`. */
      readonly transactionId: string;
    };
    readonly output: {
      /** The transaction that ties intent, cart, payment and evidence together, `txn_…`. */
      readonly transactionId: string;
      /** The payment that came of it. */
      readonly mandateId?: string;
      /** The oldest first. */
      readonly decisions: readonly {
        /** The evidence event that records it. */
        readonly seq: number;
        /** When it was made. */
        readonly createdAt: string;
        /** payment: a cart that was refused when it was to be paid. */
        readonly kind: 'intent' | 'cart' | 'payment';
        /** approval: nothing but a person’s touch was missing. */
        readonly outcome: 'allowed' | 'refused' | 'approval';
        /** The transaction that ties intent, cart, payment and evidence together, `txn_…`. */
        readonly transactionId: string;
        /** The session a message belongs to, chosen by the agent. */
        readonly contextId?: string;
        /** The agent, as did:key of its Ed25519 key. */
        readonly agentDid: string;
        /** Whose money it is: a person or company (the principal), as did:key. */
        readonly principalDid: string;
        /** The intent, `intent_…`. */
        readonly intentId: string;
        /** SHA-256 of the canonical cart without its proof, `sha256:…`; of a cart mandate, of `{contents, merchant}` with its domain. */
        readonly cartHash?: string;
        /** An amount in units of the currency: 42.5 is 42.50 USD. */
        readonly amount: number;
        /** ISO 4217 code in upper case. */
        readonly currency: string;
        /** The merchant’s domain. */
        readonly merchant?: string;
        /** Whether a person has to confirm the cart; of an intent that is allowed. */
        readonly hpRequired?: boolean;
        /** Every reason against it, in a fixed order. */
        readonly reasonCodes: readonly ('AMOUNT_OVER_CAP' | 'CURRENCY_NOT_ALLOWED' | 'MERCHANT_NOT_ALLOWED' | 'MERCHANT_DENIED' | 'MCC_DENIED' | 'VELOCITY_EXCEEDED' | 'SPENDING_LIMIT_EXCEEDED' | 'TIME_WINDOW_VIOLATED' | 'GEO_RESTRICTED' | 'ANOMALY_DETECTED' | 'CART_EXCEEDS_INTENT' | 'MERCHANT_MISMATCH' | 'INTENT_EXPIRED' | 'APPROVAL_TOKEN_EXPIRED' | 'AGENT_REVOKED' | 'HP_REQUIRED' | 'HP_INVALID' | 'AGENT_SUSPENDED' | 'AGENT_NOT_DELEGATED' | 'INTENT_USED' | 'CART_EXPIRED' | 'CART_USED' | 'MERCHANT_UNVERIFIED' | 'RAIL_UNAVAILABLE' | 'DUPLICATE_SUSPECTED' | 'MANDATE_INVALID' | 'MANDATE_USED' | 'MANDATE_REVOKED' | 'CHECKOUT_MISMATCH' | 'CONSTRAINT_VIOLATED' | 'CONSTRAINT_UNRESOLVED')[];
        /** The facts behind each reason, by its code; over HTTP errors, the members at fault. */
        readonly details: Readonly<Record<string, {
          /** What was asked for. */
          readonly requested?: number;
          /** What the rule allows. */
          readonly limit?: number;
          /** Of a limit over time: what it counts besides this. */
          readonly used?: number;
          /** The limit less what is asked; negative where that is over it. */
          readonly left?: number;
          /** Until its period of the calendar ends. */
          readonly resetsInSeconds?: number;
          /** ISO 4217 code in upper case. */
          readonly currency?: string;
          /** How the Universal Commerce Protocol calls it, where it does. */
          readonly ucp?: string;
          /** One sentence for a person. */
          readonly message: string;
        }>>;
        /** Every limit over time that refuses it; absent where none does. */
        readonly limits?: readonly LimitState[];
        /** What it was judged by; absent where it was refused before that. */
        readonly policy?: Attestation;
        /** What each rule said, with its figures of that moment. */
        readonly ruleTable: readonly {
          /** The reason code of a rule that can refuse; the cause of one that asks for a person. */
          readonly rule: string;
          /** notAsked: the rule is not set, or the request has nothing that it is about. */
          readonly outcome: 'passed' | 'failed' | 'person' | 'notAsked';
          /** The request’s value for this rule: an amount, a number of purchases, or a name. */
          readonly asked?: number | string;
          /** What the rule allows. */
          readonly limit?: number;
          /** The limit less what is asked; negative where that is over it. */
          readonly left?: number;
          /** Of amounts. Figures without one count purchases. */
          readonly currency?: string;
          /** One sentence for a person. */
          readonly sentence: string;
        }[];
        /** What would have passed then; absent where it was allowed. */
        readonly counterfactual?: {
          /** Changes of which each alone is enough. */
          readonly alone: readonly {
            /** What is changed. */
            readonly change: 'amount' | 'presence' | 'time' | 'merchant' | 'category' | 'country';
            /** The largest amount that passes. */
            readonly amount?: number;
            /** ISO 4217 code in upper case. */
            readonly currency?: string;
            /** The earliest moment at which it passes, if nothing else is bought until then. */
            readonly from?: string;
            /** What the rule names: each of these passes. */
            readonly names?: readonly string[];
            /** In words, as what follows “it would pass”. */
            readonly how: string;
          }[];
          /** Where none alone is enough: changes that are together. Empty where nothing helps. */
          readonly together: readonly {
            /** What is changed. */
            readonly change: 'amount' | 'presence' | 'time' | 'merchant' | 'category' | 'country';
            /** The largest amount that passes. */
            readonly amount?: number;
            /** ISO 4217 code in upper case. */
            readonly currency?: string;
            /** The earliest moment at which it passes, if nothing else is bought until then. */
            readonly from?: string;
            /** What the rule names: each of these passes. */
            readonly names?: readonly string[];
            /** In words, as what follows “it would pass”. */
            readonly how: string;
          }[];
          /** All of it in one sentence. */
          readonly sentence: string;
        };
        /** False where the chain is too long since for the history of that moment to be known in full. */
        readonly complete: boolean;
      }[];
    };
  };
  /** Registers an agent by its Ed25519 public key. */
  readonly registerAgent: {
    readonly input: {
      /** A name for people. */
      readonly name: string;
      /** What it is for. */
      readonly description?: string;
      /** What it can do. */
      readonly capabilities?: readonly string[];
      /** The Ed25519 public key: base58 of its 32 bytes, or multibase `z6Mk…`. */
      readonly publicKey: string;
      /** The user whose passkeys approve what it buys; a person who registers it, where it is not given. */
      readonly ownerUserId?: string;
      /** The same key with the same body gets the same answer for 24 hours, instead of a second effect. */
      readonly idempotencyKey?: string;
    };
    readonly output: AgentSummary;
  };
  /** Lists agents, newest first. */
  readonly listAgents: {
    readonly input: {
      /** How many records to return, 1 to 200. */
      readonly limit?: number;
      /** The cursor of the page before, as it was returned; null on the last page. */
      readonly cursor?: string;
      /** The state it is in. */
      readonly status?: 'ACTIVE' | 'REVOKED' | 'SUSPENDED';
    };
    readonly output: {
      /** The records of this page. */
      readonly data: readonly AgentSummary[];
      /** Whether there is another page. */
      readonly hasMore: boolean;
      /** Leads to the next page; null on the last. */
      readonly cursor: string | null;
      /** The rows of this page that are not in data, since the database has them damaged. */
      readonly damaged?: readonly {
        /** Where the row stands in its list, such as its id or its seq. */
        readonly place: string;
        /** One sentence for a person. */
        readonly message: string;
      }[];
    };
  };
  /** Lists agents, newest first, with what their limits in time allow and what of it is used now. */
  readonly listLimits: {
    readonly input: {
      /** How many records to return, 1 to 200. */
      readonly limit?: number;
      /** The cursor of the page before, as it was returned; null on the last page. */
      readonly cursor?: string;
      /** The state it is in. */
      readonly status?: 'ACTIVE' | 'REVOKED' | 'SUSPENDED';
      /** Only these agents, at most 50: their DIDs, separated by commas. */
      readonly agents?: string | readonly string[];
    };
    readonly output: {
      /** The records of this page. */
      readonly data: readonly {
        /** A did:key: `did:key:z6Mk…`. */
        readonly did: string;
        /** The state it is in. */
        readonly status: 'ACTIVE' | 'REVOKED' | 'SUSPENDED';
        /** A name for people. */
        readonly displayName: string;
        /** When it was made. */
        readonly createdAt: string;
        /** The user whose passkeys approve what it buys, besides its own. */
        readonly ownerUserId?: string;
        /** When it last did anything that the evidence has; absent for never. */
        readonly lastSeenAt?: string;
        /** Its limits in time, with what they count now; none where nothing limits it so. */
        readonly limits: readonly {
          /** velocity_limit: the one of risk.velocity_limit, or the agent’s own in place of it. */
          readonly name: string;
          /** Whose purchases count together: the agent’s, those with the same money (principal), or all. */
          readonly scope: 'agent' | 'principal' | 'policy';
          /** Whether it is the agent’s own limit, which holds in place of the policy’s for each agent. */
          readonly own: boolean;
          /** How far back it counts, in words: `1 day`, `this month`. */
          readonly window: string;
          /** How long the window is, or the present period. */
          readonly windowSeconds: number;
          /** Purchases there alone count. */
          readonly merchant?: string;
          /** Purchases of it alone count. */
          readonly category?: string;
          /** What becomes of a purchase over it. */
          readonly action: 'deny' | 'presence';
          /** How many purchases it counts now. */
          readonly purchases: number;
          /** How many it allows; absent where it limits their sum only. */
          readonly maxTransactions?: number;
          /** What those purchases reserve in `currency`; where none is named, in the one in which most was spent. */
          readonly spent: number;
          /** The sum that it allows; absent where it limits their number only. */
          readonly maxAmount?: number;
          /** Of the limit, or of the policy; where neither names one, that of `spent`. Absent where nothing was bought. */
          readonly currency?: string;
          /** Where neither limit nor policy names a currency, what was spent in each: the maximum holds for each. */
          readonly sums?: readonly {
            /** ISO 4217 code in upper case. */
            readonly currency: string;
            /** What they come to, in units of the currency. */
            readonly spent: number;
          }[];
          /** When the present period of the calendar ends. */
          readonly resetsAt?: string;
        }[];
      }[];
      /** Whether there is another page. */
      readonly hasMore: boolean;
      /** Leads to the next page; null on the last. */
      readonly cursor: string | null;
      /** The rows of this page that are not in data, since the database has them damaged. */
      readonly damaged?: readonly {
        /** Where the row stands in its list, such as its id or its seq. */
        readonly place: string;
        /** One sentence for a person. */
        readonly message: string;
      }[];
    };
  };
  /** Shows one agent. */
  readonly getAgent: {
    readonly input: {
      /** A did:key: `did:key:z6Mk…`. */
      readonly did: string;
    };
    readonly output: Agent;
  };
  /** Shows the limits over time that hold for an agent, with what is used of each now. */
  readonly showAgentLimits: {
    readonly input: {
      /** A did:key: `did:key:z6Mk…`. */
      readonly did: string;
      /** Whose money the agent would spend; alone, the limits of all of its agents. */
      readonly principalDid?: string;
    };
    readonly output: {
      readonly at: string;
      /** Each maximum of each limit over time, with what is used of it now. */
      readonly limits: readonly LimitState[];
    };
  };
  /** Shows the limits over time of an agent, of agents that spend the same money, or of all, with what is used now. */
  readonly showLimits: {
    readonly input: {
      /** The limits that hold for this agent. */
      readonly agentDid?: string;
      /** Whose money the agent would spend; alone, the limits of all of its agents. */
      readonly principalDid?: string;
    };
    readonly output: {
      readonly at: string;
      /** Each maximum of each limit over time, with what is used of it now. */
      readonly limits: readonly LimitState[];
    };
  };
  /** Renames an agent, describes it anew, or sets the user who owns it and approves for it, or the keys by which it closes mandates. */
  readonly changeAgent: {
    readonly input: {
      /** A did:key: `did:key:z6Mk…`. */
      readonly did: string;
      /** A name for people. */
      readonly name?: string;
      /** What it is for. */
      readonly description?: string;
      /** The user whose passkeys approve what it buys, besides its own; null for no user. */
      readonly ownerUserId?: string | null;
      /** The keys by which it closes mandates, of P-256 or Ed25519; those that are left out are no more its own. A key is one agent’s. */
      readonly mandateKeys?: readonly {
        /** What kind of key it is: EC, OKP or RSA. */
        readonly kty: 'EC' | 'OKP' | 'RSA';
        /** Which key it is; a signature must name it where it is given. */
        readonly kid?: string;
        /** ES256, ES384, ES512, EdDSA (or Ed25519, which is read as EdDSA) or RS256, as the key is. */
        readonly alg?: string;
        /** What the key is for: sig. */
        readonly use?: string;
        /** What the key may be used for: verify. */
        readonly key_ops?: readonly string[];
        readonly [name: string]: unknown;
      }[];
      /** The ETag with which it was read, as the header If-Match has it. Where it is another one by now, nothing is changed. */
      readonly ifMatch?: string;
    };
    readonly output: Agent;
  };
  /** Revokes an agent permanently and voids its approval tokens. */
  readonly revokeAgent: {
    readonly input: {
      /** A did:key: `did:key:z6Mk…`. */
      readonly did: string;
      /** Why. */
      readonly reason: string;
    };
    readonly output: Agent;
  };
  /** Suspends an agent until it is reactivated. */
  readonly suspendAgent: {
    readonly input: {
      /** A did:key: `did:key:z6Mk…`. */
      readonly did: string;
      /** Why. */
      readonly reason?: string;
    };
    readonly output: Agent;
  };
  /** Reactivates a suspended agent. */
  readonly reactivateAgent: {
    readonly input: {
      /** A did:key: `did:key:z6Mk…`. */
      readonly did: string;
      /** Why. */
      readonly reason?: string;
    };
    readonly output: Agent;
  };
  /** Sets an agent’s own limits over time, in place of those that the policy has for each agent. */
  readonly setAgentVelocity: {
    readonly input: {
      /** A did:key: `did:key:z6Mk…`. */
      readonly did: string;
      /** The ETag with which it was read, as the header If-Match has it. Where it is another one by now, nothing is changed. */
      readonly ifMatch?: string;
    } & VelocityLimitInput;
    readonly output: Agent;
  };
  /** Binds a key to a merchant’s domain, so that carts it signs are trusted, and its names at rails, so that it is paid where no cart is signed. */
  readonly bindMerchant: {
    readonly input: {
      /** The merchant’s domain. */
      readonly domain: string;
      /** Its key as a did:key, or did:web of its domain. */
      readonly did?: string;
      /** Its public key as a JSON Web Key: ES256, ES384, ES512, EdDSA or RS256. */
      readonly jwk?: {
        /** What kind of key it is: EC, OKP or RSA. */
        readonly kty: 'EC' | 'OKP' | 'RSA';
        /** Which key it is; a signature must name it where it is given. */
        readonly kid?: string;
        /** ES256, ES384, ES512, EdDSA (or Ed25519, which is read as EdDSA) or RS256, as the key is. */
        readonly alg?: string;
        /** What the key is for: sig. */
        readonly use?: string;
        /** What the key may be used for: verify. */
        readonly key_ops?: readonly string[];
        readonly [name: string]: unknown;
      };
      /** Where its JSON Web Keys are; in place of its /.well-known/jwks.json. */
      readonly jwksUrl?: string;
      /** The account of the merchant at the payment rail. */
      readonly railAccountId?: string;
      /** Its profile in the network of the rail, to which shared payment tokens are made out. */
      readonly railProfileId?: string;
      /** Its accounts on chains (CAIP-10), such as `eip155:8453:0x…`: what x402 pays. */
      readonly payTo?: readonly string[];
      /** Its category, which wins over what an agent says. */
      readonly mcc?: string;
      /** Where it is, which wins over what an agent says. */
      readonly country?: string;
      /** How it reads Signature-Agent of signed requests: as a text or as a dictionary. */
      readonly signatureAgentForm?: 'string' | 'dictionary';
    };
    readonly output: Merchant;
  };
  /** Lists bound merchants, newest first. */
  readonly listMerchants: {
    readonly input: {
      /** How many records to return, 1 to 200. */
      readonly limit?: number;
      /** The cursor of the page before, as it was returned; null on the last page. */
      readonly cursor?: string;
    };
    readonly output: {
      /** The records of this page. */
      readonly data: readonly Merchant[];
      /** Whether there is another page. */
      readonly hasMore: boolean;
      /** Leads to the next page; null on the last. */
      readonly cursor: string | null;
      /** The rows of this page that are not in data, since the database has them damaged. */
      readonly damaged?: readonly {
        /** Where the row stands in its list, such as its id or its seq. */
        readonly place: string;
        /** One sentence for a person. */
        readonly message: string;
      }[];
    };
  };
  /** Removes a merchant’s key from the registry. */
  readonly removeMerchant: {
    readonly input: {
      /** The id of this record. */
      readonly id: string;
    };
    readonly output: undefined;
  };
  /** Registers whose money is spent: a person or company, the principal. From then on only the agents it names may spend it. */
  readonly registerPrincipal: {
    readonly input: {
      /** A did:key: `did:key:z6Mk…`. */
      readonly did: string;
      /** A name for people. */
      readonly name: string;
      readonly agents?: readonly string[];
    };
    readonly output: Principal;
  };
  /** Lists principals (people and companies whose money is spent) with the agents that may spend it, newest first. */
  readonly listPrincipals: {
    readonly input: {
      /** How many records to return, 1 to 200. */
      readonly limit?: number;
      /** The cursor of the page before, as it was returned; null on the last page. */
      readonly cursor?: string;
    };
    readonly output: {
      /** The records of this page. */
      readonly data: readonly Principal[];
      /** Whether there is another page. */
      readonly hasMore: boolean;
      /** Leads to the next page; null on the last. */
      readonly cursor: string | null;
      /** The rows of this page that are not in data, since the database has them damaged. */
      readonly damaged?: readonly {
        /** Where the row stands in its list, such as its id or its seq. */
        readonly place: string;
        /** One sentence for a person. */
        readonly message: string;
      }[];
    };
  };
  /** Shows a principal and the agents that may spend its money. */
  readonly getPrincipal: {
    readonly input: {
      /** A did:key: `did:key:z6Mk…`. */
      readonly did: string;
    };
    readonly output: Principal;
  };
  /** Renames a principal, or sets which agents may spend its money; a purchase under way is judged by it, too. */
  readonly changePrincipal: {
    readonly input: {
      /** A did:key: `did:key:z6Mk…`. */
      readonly did: string;
      /** A name for people. */
      readonly name?: string;
      readonly agents?: readonly string[];
    };
    readonly output: Principal;
  };
  /** Registers what an agent pays with, or each agent that spends the same money. */
  readonly addInstrument: {
    readonly input: {
      /** The agent, as did:key of its Ed25519 key. */
      readonly agentDid?: string;
      /** Whose money it is: a person or company (the principal), as did:key. */
      readonly principalDid?: string;
      /** The payment method by its name at the rail, such as pm_1Q…. */
      readonly paymentMethod: string;
      /** Whose it is, by the name at the rail, such as cus_R…. */
      readonly customer?: string;
    };
    readonly output: Instrument;
  };
  /** Lists registered payment methods, newest first. */
  readonly listInstruments: {
    readonly input: {
      /** How many records to return, 1 to 200. */
      readonly limit?: number;
      /** The cursor of the page before, as it was returned; null on the last page. */
      readonly cursor?: string;
      /** The agent, as did:key of its Ed25519 key. */
      readonly agentDid?: string;
      /** Whose money it is: a person or company (the principal), as did:key. */
      readonly principalDid?: string;
    };
    readonly output: {
      /** The records of this page. */
      readonly data: readonly Instrument[];
      /** Whether there is another page. */
      readonly hasMore: boolean;
      /** Leads to the next page; null on the last. */
      readonly cursor: string | null;
      /** The rows of this page that are not in data, since the database has them damaged. */
      readonly damaged?: readonly {
        /** Where the row stands in its list, such as its id or its seq. */
        readonly place: string;
        /** One sentence for a person. */
        readonly message: string;
      }[];
    };
  };
  /** Removes a payment method; purchases from now on cannot use it. */
  readonly removeInstrument: {
    readonly input: {
      /** The id of this record. */
      readonly id: string;
    };
    readonly output: undefined;
  };
  /** Creates an API key, which has at most what its maker has, and ends with it. Only this answer shows it. */
  readonly createApiKey: {
    readonly input: {
      /** A name for people. */
      readonly name: string;
      /** What the key may do: any of read, write and admin. None implies another. */
      readonly permissions: readonly ('read' | 'write' | 'admin')[];
      /** Which rate limit holds. */
      readonly tier?: 'free' | 'pro' | 'enterprise';
      /** It acts for these agents alone, and sees their own alone. */
      readonly agents?: readonly string[];
      /** The same key with the same body gets the same answer for 24 hours, instead of a second effect. */
      readonly idempotencyKey?: string;
    };
    readonly output: {
      /** The id of this record. */
      readonly id: string;
      /** A name for people. */
      readonly name: string;
      /** What the key may do: any of read, write and admin. None implies another. */
      readonly permissions: readonly ('read' | 'write' | 'admin')[];
      /** Which rate limit holds. */
      readonly tier: 'free' | 'pro' | 'enterprise';
      /** The agents that it acts for alone. */
      readonly agents?: readonly string[];
      /** When it was made. */
      readonly createdAt: string;
      /** The API key. It is shown this once. */
      readonly key: string;
    };
  };
  /** Lists API keys, revoked ones too, newest first. A key itself is never shown again. */
  readonly listApiKeys: {
    readonly input: {
      /** How many records to return, 1 to 200. */
      readonly limit?: number;
      /** The cursor of the page before, as it was returned; null on the last page. */
      readonly cursor?: string;
    };
    readonly output: {
      /** The records of this page. */
      readonly data: readonly {
        /** The id of this record. */
        readonly id: string;
        /** A name for people. */
        readonly name: string;
        /** What the key may do: any of read, write and admin. None implies another. */
        readonly permissions: readonly ('read' | 'write' | 'admin')[];
        /** Which rate limit holds. */
        readonly tier: 'free' | 'pro' | 'enterprise';
        /** When it was made. */
        readonly createdAt: string;
        /** When the key was last used, to the minute; null when never. */
        readonly lastUsedAt: string | null;
        /** When it was revoked. */
        readonly revokedAt?: string;
        /** The agents that it acts for alone. */
        readonly agents?: readonly string[];
        /** How it begins. Absent for keys of earlier versions. */
        readonly prefix?: string;
        /** Who made it: `user`, `key` or `node`, and the id. */
        readonly madeBy?: string;
      }[];
      /** Whether there is another page. */
      readonly hasMore: boolean;
      /** Leads to the next page; null on the last. */
      readonly cursor: string | null;
      /** The rows of this page that are not in data, since the database has them damaged. */
      readonly damaged?: readonly {
        /** Where the row stands in its list, such as its id or its seq. */
        readonly place: string;
        /** One sentence for a person. */
        readonly message: string;
      }[];
    };
  };
  /** Revokes an API key, every key that it made, links of theirs that were not used yet, and passkeys that they enrolled; from the answer on they are refused. Revoking it again changes nothing. */
  readonly revokeApiKey: {
    readonly input: {
      /** The id of this record. */
      readonly id: string;
    };
    readonly output: undefined;
  };
  /** Lists users, newest first. */
  readonly listUsers: {
    readonly input: {
      /** How many records to return, 1 to 200. */
      readonly limit?: number;
      /** The cursor of the page before, as it was returned; null on the last page. */
      readonly cursor?: string;
    };
    readonly output: {
      /** The records of this page. */
      readonly data: readonly {
        /** The id of this record. */
        readonly id: string;
        /** A did:key: `did:key:z6Mk…`. */
        readonly did: string;
        /** What they call themselves. */
        readonly name?: string;
        /** The address the identity provider vouched for. */
        readonly email: string | null;
        /** OWNER and ADMIN may do everything, MEMBER reads and writes, VIEWER reads. */
        readonly role: 'OWNER' | 'ADMIN' | 'MEMBER' | 'VIEWER' | 'PENDING';
        /** When it was made. */
        readonly createdAt: string;
        /** When this person last logged in. */
        readonly lastLoginAt: string;
        /** They stay out until an OWNER gives them a role again. */
        readonly removedAt?: string;
      }[];
      /** Whether there is another page. */
      readonly hasMore: boolean;
      /** Leads to the next page; null on the last. */
      readonly cursor: string | null;
      /** The rows of this page that are not in data, since the database has them damaged. */
      readonly damaged?: readonly {
        /** Where the row stands in its list, such as its id or its seq. */
        readonly place: string;
        /** One sentence for a person. */
        readonly message: string;
      }[];
    };
  };
  /** Gives a person a role, and so lets them in, again too. An OWNER does it after logging in; one always remains. */
  readonly setUserRole: {
    readonly input: {
      /** The id of this record. */
      readonly id: string;
      /** OWNER and ADMIN may do everything, MEMBER reads and writes, VIEWER reads. */
      readonly role: 'OWNER' | 'ADMIN' | 'MEMBER' | 'VIEWER';
    };
    readonly output: {
      /** The id of this record. */
      readonly id: string;
      /** A did:key: `did:key:z6Mk…`. */
      readonly did: string;
      /** What they call themselves. */
      readonly name?: string;
      /** The address the identity provider vouched for. */
      readonly email: string | null;
      /** OWNER and ADMIN may do everything, MEMBER reads and writes, VIEWER reads. */
      readonly role: 'OWNER' | 'ADMIN' | 'MEMBER' | 'VIEWER' | 'PENDING';
      /** When it was made. */
      readonly createdAt: string;
      /** When this person last logged in. */
      readonly lastLoginAt: string;
      /** They stay out until an OWNER gives them a role again. */
      readonly removedAt?: string;
    };
  };
  /** Removes a person, ends their logins, revokes the keys and withdraws the links they made, and suspends the agents they own where that is asked for. They stay out until they get a role again. */
  readonly removeUser: {
    readonly input: {
      /** The id of this record. */
      readonly id: string;
      /** `true` suspends the agents that this person owns; otherwise they go on. */
      readonly suspendAgents?: 'true' | 'false';
    };
    readonly output: undefined;
  };
  /** Lists the passkeys of a user, newest first. */
  readonly listUserPasskeys: {
    readonly input: {
      /** How many records to return, 1 to 200. */
      readonly limit?: number;
      /** The cursor of the page before, as it was returned; null on the last page. */
      readonly cursor?: string;
      /** The id of this record. */
      readonly id: string;
    };
    readonly output: {
      /** The records of this page. */
      readonly data: readonly {
        /** The id of this record. */
        readonly id: string;
        /** A name for people. */
        readonly name: string;
        /** The passkey that was touched. */
        readonly credentialId: string;
        /** Whether the passkey’s provider keeps a copy and may have it on other devices. */
        readonly synced: boolean;
        /** When it was made. */
        readonly createdAt: string;
        /** When the key was last used, to the minute; null when never. */
        readonly lastUsedAt: string | null;
        /** An agent that the user owns, which it was enrolled for: no user signs in with it. */
        readonly agentDid?: string;
        /** The user as whose money it is: the same DID. */
        readonly principalDid?: string;
        /** Who made the link that it came by, or enrolled it; node: a command on the data folder. */
        readonly madeBy?: {
          /** What kind it is. */
          readonly kind: 'key' | 'node' | 'user';
          /** The id of this record. */
          readonly id: string;
        };
      }[];
      /** Whether there is another page. */
      readonly hasMore: boolean;
      /** Leads to the next page; null on the last. */
      readonly cursor: string | null;
      /** The rows of this page that are not in data, since the database has them damaged. */
      readonly damaged?: readonly {
        /** Where the row stands in its list, such as its id or its seq. */
        readonly place: string;
        /** One sentence for a person. */
        readonly message: string;
      }[];
    };
  };
  /** Removes a passkey of a user, as an OWNER who has logged in; an invitation gives them another one. */
  readonly removeUserPasskey: {
    readonly input: {
      /** The id of this record. */
      readonly id: string;
      readonly passkeyId: string;
    };
    readonly output: undefined;
  };
  /** Lists the logins of a user that are still valid, newest first, for an OWNER who has logged in. */
  readonly listUserLogins: {
    readonly input: {
      /** How many records to return, 1 to 200. */
      readonly limit?: number;
      /** The cursor of the page before, as it was returned; null on the last page. */
      readonly cursor?: string;
      /** The id of this record. */
      readonly id: string;
    };
    readonly output: {
      /** The records of this page. */
      readonly data: readonly {
        /** The id of this record. */
        readonly id: string;
        readonly way: 'passkey' | 'provider';
        /** What the browser says that it is. */
        readonly device: string | null;
        /** When it was made. */
        readonly createdAt: string;
        /** When its tokens were renewed last. */
        readonly lastUsedAt: string;
        /** When it ends. */
        readonly expiresAt: string;
        /** Whether it is the login that asks. */
        readonly current: boolean;
      }[];
      /** Whether there is another page. */
      readonly hasMore: boolean;
      /** Leads to the next page; null on the last. */
      readonly cursor: string | null;
      /** The rows of this page that are not in data, since the database has them damaged. */
      readonly damaged?: readonly {
        /** Where the row stands in its list, such as its id or its seq. */
        readonly place: string;
        /** One sentence for a person. */
        readonly message: string;
      }[];
    };
  };
  /** Ends all logins of a user at once, and sends them no more notifications, as an OWNER who has logged in. */
  readonly endUserLogins: {
    readonly input: {
      /** The id of this record. */
      readonly id: string;
    };
    readonly output: undefined;
  };
  /** Ends one login of a user at once, as an OWNER who has logged in. Ending it again changes nothing. */
  readonly endUserLogin: {
    readonly input: {
      /** The id of this record. */
      readonly id: string;
      readonly loginId: string;
    };
    readonly output: undefined;
  };
  /** Invites a person to become a user, or a user back in, who is told: a link that makes one passkey. Only this answer shows it. No key invites a user back, and one that a key or a person made invites no person. */
  readonly createInvitation: {
    readonly input: {
      /** What they may do; VIEWER where it is not given. */
      readonly role?: 'OWNER' | 'ADMIN' | 'MEMBER' | 'VIEWER';
      /** What to call them; they may choose another name. */
      readonly name?: string;
      /** A user who is to get a new passkey, and keeps their role. */
      readonly userId?: string;
      /** How long the link works. */
      readonly ttlSeconds?: number;
    };
    readonly output: {
      /** The id of this record. */
      readonly id: string;
      /** OWNER and ADMIN may do everything, MEMBER reads and writes, VIEWER reads. */
      readonly role: 'OWNER' | 'ADMIN' | 'MEMBER' | 'VIEWER';
      /** A name for people. */
      readonly name?: string;
      /** Who they will be, or are. */
      readonly userId: string;
      /** When it was made. */
      readonly createdAt: string;
      /** When it ends. */
      readonly expiresAt: string;
      /** Opens the page that makes the passkey, once. It is shown this once; treat it as a password. */
      readonly url: string;
    };
  };
  /** Lists invitations that were not used yet, newest first. */
  readonly listInvitations: {
    readonly input: {
      /** How many records to return, 1 to 200. */
      readonly limit?: number;
      /** The cursor of the page before, as it was returned; null on the last page. */
      readonly cursor?: string;
    };
    readonly output: {
      /** The records of this page. */
      readonly data: readonly {
        /** The id of this record. */
        readonly id: string;
        /** OWNER and ADMIN may do everything, MEMBER reads and writes, VIEWER reads. */
        readonly role: 'OWNER' | 'ADMIN' | 'MEMBER' | 'VIEWER';
        /** A name for people. */
        readonly name?: string;
        /** Who they will be, or are. */
        readonly userId: string;
        /** When it was made. */
        readonly createdAt: string;
        /** When it ends. */
        readonly expiresAt: string;
      }[];
      /** Whether there is another page. */
      readonly hasMore: boolean;
      /** Leads to the next page; null on the last. */
      readonly cursor: string | null;
      /** The rows of this page that are not in data, since the database has them damaged. */
      readonly damaged?: readonly {
        /** Where the row stands in its list, such as its id or its seq. */
        readonly place: string;
        /** One sentence for a person. */
        readonly message: string;
      }[];
    };
  };
  /** Withdraws an invitation; its link leads nowhere from then on. */
  readonly revokeInvitation: {
    readonly input: {
      /** The id of this record. */
      readonly id: string;
    };
    readonly output: undefined;
  };
  /** Subscribes a URL to events. Only this answer shows the secret. */
  readonly createWebhook: {
    readonly input: CreateWebhook;
    readonly output: NewWebhook;
  };
  /** Lists webhook subscriptions, newest first. */
  readonly listWebhooks: {
    readonly input: {
      /** How many records to return, 1 to 200. */
      readonly limit?: number;
      /** The cursor of the page before, as it was returned; null on the last page. */
      readonly cursor?: string;
    };
    readonly output: {
      /** The records of this page. */
      readonly data: readonly Webhook[];
      /** Whether there is another page. */
      readonly hasMore: boolean;
      /** Leads to the next page; null on the last. */
      readonly cursor: string | null;
      /** The rows of this page that are not in data, since the database has them damaged. */
      readonly damaged?: readonly {
        /** Where the row stands in its list, such as its id or its seq. */
        readonly place: string;
        /** One sentence for a person. */
        readonly message: string;
      }[];
    };
  };
  /** Lists attempts at deliveries, newest first. */
  readonly listWebhookLogs: {
    readonly input: {
      /** How many records to return, 1 to 200. */
      readonly limit?: number;
      /** The cursor of the page before, as it was returned; null on the last page. */
      readonly cursor?: string;
      readonly webhookId?: string;
      /** Of an event, or of any of several: the ids, separated by commas, at most 50. */
      readonly eventId?: string | readonly string[];
    };
    readonly output: {
      /** Attempts, newest first. */
      readonly logs: readonly WebhookLog[];
      /** Whether there is another page. */
      readonly hasMore: boolean;
      /** Leads to the next page; null on the last. */
      readonly cursor: string | null;
    };
  };
  /** Shows one attempt at a delivery, with the body that was posted. */
  readonly getWebhookLog: {
    readonly input: {
      /** The id of this record. */
      readonly id: string;
    };
    readonly output: {
      /** The id of this record. */
      readonly id: string;
      /** What happened, such as INTENT_ISSUED. */
      readonly eventType: string;
      /** Where events are posted to; https, and public in production. */
      readonly url: string;
      /** The HTTP status, or a mail server’s reply code; 0 where there was no answer. */
      readonly status: number;
      /** Milliseconds from the first step to the end of the answer. */
      readonly duration: number;
      /** When the attempt ended. */
      readonly deliveredAt: string;
      readonly webhookId: string;
      /** The id of the event, the same at each attempt. */
      readonly eventId: string;
      /** Which attempt this was, from 1 on. */
      readonly attempt: number;
      /** How the delivery stood after this attempt. */
      readonly outcome: 'delivered' | 'retrying' | 'failed';
      /** What kind of failure it was. secret: this node cannot read the secret, and posted nothing. settings: the node has no mail server. */
      readonly error?: 'blocked' | 'dns' | 'refused' | 'unreachable' | 'reset' | 'truncated' | 'timeout' | 'tls' | 'protocol' | 'network' | 'redirect' | 'status' | 'secret' | 'settings';
      /** The first 1 KiB of what was answered. */
      readonly answer?: string;
      /** The body that was posted, the very text that was signed. Absent once the event or the subscription is kept no longer. */
      readonly request?: string;
    };
  };
  /** Posts the event of a log record once more, under the same event id, and answers how that went. */
  readonly resendWebhook: {
    readonly input: {
      /** The id of this record. */
      readonly id: string;
    };
    readonly output: WebhookLog;
  };
  /** Shows a webhook subscription, and how many deliveries wait. */
  readonly getWebhook: {
    readonly input: {
      /** The id of this record. */
      readonly id: string;
    };
    readonly output: {
      /** The id of this record. */
      readonly id: string;
      /** Where events are posted to; https, and public in production. */
      readonly url: string;
      /** Which events are posted there. */
      readonly events: readonly ('payment.authorized' | 'payment.captured' | 'payment.failed' | 'payment.refunded' | 'payment.refund_failed' | 'payment.disputed' | 'payment.dispute_closed' | 'intent.issued' | 'intent.denied' | 'intent.expired' | 'cart.validated' | 'cart.rejected' | 'approval.requested' | 'approval.approved' | 'approval.denied' | 'approval.expired' | 'agent.created' | 'agent.revoked' | 'agent.suspended' | 'agent.reactivated' | 'policy.updated' | 'policy.violation')[];
      /** The state it is in. */
      readonly status: 'ACTIVE' | 'DISABLED';
      /** When it was made. */
      readonly createdAt: string;
      /** paused: by its owner. gone, failing: by a node of an earlier version, which disabled such endpoints itself. */
      readonly disabledReason?: 'paused' | 'gone' | 'failing';
      /** Since when every attempt has failed. */
      readonly failingSince?: string;
      /** Nothing has arrived for five days: a person should look. The node goes on trying. */
      readonly attention?: 'failing';
      /** Until then the former secret signs as well. */
      readonly previousSecretUntil?: string;
      readonly waiting: {
        /** Deliveries that are under way or will be tried, for the first time or again; 1000 for that many or more. */
        readonly pending: number;
        /** Deliveries that wait for the subscription to be resumed; 1000 for that many or more. */
        readonly held: number;
      };
    };
  };
  /** Changes the URL or the events of a subscription, pauses it (its events are kept for 7 days), or resumes it. */
  readonly updateWebhook: {
    readonly input: {
      /** The id of this record. */
      readonly id: string;
      /** Where events are posted to; https, and public in production. */
      readonly url?: string;
      /** Which events are posted there. */
      readonly events?: readonly ('payment.authorized' | 'payment.captured' | 'payment.failed' | 'payment.refunded' | 'payment.refund_failed' | 'payment.disputed' | 'payment.dispute_closed' | 'intent.issued' | 'intent.denied' | 'intent.expired' | 'cart.validated' | 'cart.rejected' | 'approval.requested' | 'approval.approved' | 'approval.denied' | 'approval.expired' | 'agent.created' | 'agent.revoked' | 'agent.suspended' | 'agent.reactivated' | 'policy.updated' | 'policy.violation')[];
      /** The state it is in. */
      readonly status?: 'ACTIVE' | 'DISABLED';
    };
    readonly output: Webhook;
  };
  /** Deletes a subscription and its pending deliveries. Its log remains. */
  readonly deleteWebhook: {
    readonly input: {
      /** The id of this record. */
      readonly id: string;
    };
    readonly output: undefined;
  };
  /** Posts a signed sample once, also of an event that the subscription does not ask for, and answers how that went. */
  readonly testWebhook: {
    readonly input: {
      /** The id of this record. */
      readonly id: string;
      /** Which event; the first that is subscribed to when not given. */
      readonly event?: 'payment.authorized' | 'payment.captured' | 'payment.failed' | 'payment.refunded' | 'payment.refund_failed' | 'payment.disputed' | 'payment.dispute_closed' | 'intent.issued' | 'intent.denied' | 'intent.expired' | 'cart.validated' | 'cart.rejected' | 'approval.requested' | 'approval.approved' | 'approval.denied' | 'approval.expired' | 'agent.created' | 'agent.revoked' | 'agent.suspended' | 'agent.reactivated' | 'policy.updated' | 'policy.violation';
    };
    readonly output: WebhookLog;
  };
  /** Rotates the secret of a subscription. For 24 hours the former secret signs too; of several rotations within them, the last two. */
  readonly rotateWebhookSecret: {
    readonly input: {
      /** The id of this record. */
      readonly id: string;
      /** Signs every delivery; one is made when none is given. Shown in this answer only. */
      readonly secret?: string;
      /** The same key with the same body gets the same answer for 24 hours, instead of a second effect. */
      readonly idempotencyKey?: string;
    };
    readonly output: NewWebhook;
  };
  /** Returns the webhook events since the cursor, or waits for the next one. */
  readonly tailEvents: {
    readonly input: {
      /** The cursor of the page before, as it was returned; null on the last page. */
      readonly cursor?: string;
      /** How many seconds to wait for an event when there is none yet. */
      readonly wait?: number;
    };
    readonly output: {
      /** Events since the cursor, oldest first; without a cursor none. */
      readonly events: readonly WebhookEvent[];
      /** Leads to what comes after. */
      readonly cursor: string;
    };
  };
  /** Shows the secret that signs what `countersign listen` forwards; it is always the same for one tenant. */
  readonly showListenSecret: {
    readonly input: Readonly<Record<string, unknown>>;
    readonly output: {
      /** `whsec_` and base64 of the 32 bytes of the key. */
      readonly secret: string;
    };
  };
  /** Streams what changes, as server-sent events, from the cursor on or from now on. */
  readonly streamEvents: {
    readonly input: {
      /** Where to go on; the header Last-Event-ID serves as well. From now on where neither is given. */
      readonly cursor?: string;
    };
    readonly output: string | string;
  };
  /** Shows the caller: the person of a login, the agent of a DID proof, or the issuer for an API key. */
  readonly currentUser: {
    readonly input: Readonly<Record<string, unknown>>;
    readonly output: {
      /** A did:key: `did:key:z6Mk…`. */
      readonly did: string;
      /** The address the identity provider vouched for. */
      readonly email: string | null;
      /** OWNER and ADMIN may do everything, MEMBER reads and writes, VIEWER reads. */
      readonly role: 'OWNER' | 'ADMIN' | 'MEMBER' | 'VIEWER' | 'PENDING';
      /** What the caller may; a route says which of them it needs. */
      readonly permissions: readonly ('read' | 'write' | 'admin')[];
      /** The tenant, `tnt_…`. */
      readonly tenantId: string;
      /** The agents that the caller acts for, where it may not for all: those of a bound key, or the agent itself. */
      readonly agents?: readonly string[];
      /** Of a person who has logged in; so are the members that follow. */
      readonly userId?: string;
      /** A name for people. */
      readonly name?: string;
      readonly loginId?: string;
      /** Until then no new touch of a passkey is asked for. */
      readonly touchedUntil?: string;
    };
  };
  /** Ends the caller’s login and its tokens at once. Other credentials have no login to end. */
  readonly logout: {
    readonly input: Readonly<Record<string, unknown>>;
    readonly output: undefined;
  };
  /** Begins a touch of one of the caller’s own passkeys: options for the browser. */
  readonly beginStepUp: {
    readonly input: Readonly<Record<string, unknown>>;
    readonly output: {
      /** Options for navigator.credentials.get(), in WebAuthn’s JSON form. */
      readonly publicKey: {
        /** What the passkey has to sign. */
        readonly challenge: string;
        /** The host name passkeys are made for. */
        readonly rpId: string;
        /** The passkeys that may answer. */
        readonly allowCredentials: readonly {
          /** The id of this record. */
          readonly id: string;
          /** What kind of document this is. */
          readonly type: string;
          readonly [name: string]: unknown;
        }[];
        /** Whether the device must check who touches it; it always must. */
        readonly userVerification: string;
        readonly [name: string]: unknown;
      };
    };
  };
  /** Takes the touch; for 5 minutes the caller’s login may do what raises a risk. */
  readonly completeStepUp: {
    readonly input: {
      /** What the browser’s ceremony gave, in WebAuthn’s JSON form (base64url for bytes). */
      readonly credential: AssertionCredential;
    };
    readonly output: {
      /** Until then no new touch is asked for. */
      readonly touchedUntil: string;
    };
  };
  /** Lets a program on the caller’s computer log in as them: a code for it, which serves once within a minute. Takes a fresh touch. */
  readonly allowProgram: {
    readonly input: {
      /** The SHA-256 of a verifier that the program keeps, as base64url (RFC 7636, S256). */
      readonly challenge: string;
    };
    readonly output: {
      /** Serves once, with the verifier. */
      readonly code: string;
      /** When it ends. */
      readonly expiresAt: string;
    };
  };
  /** Lists the caller’s own passkeys, newest first, and those that links or keys enrolled for agents of theirs, and for them as whose money it is. */
  readonly listOwnPasskeys: {
    readonly input: {
      /** How many records to return, 1 to 200. */
      readonly limit?: number;
      /** The cursor of the page before, as it was returned; null on the last page. */
      readonly cursor?: string;
    };
    readonly output: {
      /** The records of this page. */
      readonly data: readonly {
        /** The id of this record. */
        readonly id: string;
        /** A name for people. */
        readonly name: string;
        /** The passkey that was touched. */
        readonly credentialId: string;
        /** Whether the passkey’s provider keeps a copy and may have it on other devices. */
        readonly synced: boolean;
        /** When it was made. */
        readonly createdAt: string;
        /** When the key was last used, to the minute; null when never. */
        readonly lastUsedAt: string | null;
        /** An agent that the user owns, which it was enrolled for: no user signs in with it. */
        readonly agentDid?: string;
        /** The user as whose money it is: the same DID. */
        readonly principalDid?: string;
        /** Who made the link that it came by, or enrolled it; node: a command on the data folder. */
        readonly madeBy?: {
          /** What kind it is. */
          readonly kind: 'key' | 'node' | 'user';
          /** The id of this record. */
          readonly id: string;
        };
      }[];
      /** Whether there is another page. */
      readonly hasMore: boolean;
      /** Leads to the next page; null on the last. */
      readonly cursor: string | null;
      /** The rows of this page that are not in data, since the database has them damaged. */
      readonly damaged?: readonly {
        /** Where the row stands in its list, such as its id or its seq. */
        readonly place: string;
        /** One sentence for a person. */
        readonly message: string;
      }[];
    };
  };
  /** Begins to add a passkey to the caller: options for the browser. */
  readonly beginOwnPasskey: {
    readonly input: {
      /** A name for people. */
      readonly name: string;
    };
    readonly output: {
      /** Options for navigator.credentials.create(), in WebAuthn’s JSON form. */
      readonly publicKey: {
        /** What the passkey has to sign. */
        readonly challenge: string;
        /** The site passkeys are made for. */
        readonly rp: {
          /** A name for people. */
          readonly name: string;
          /** The id of this record. */
          readonly id: string;
        };
        /** The account the passkey goes to. */
        readonly user: {
          /** The id of this record. */
          readonly id: string;
          /** A name for people. */
          readonly name: string;
          readonly [name: string]: unknown;
        };
        /** Signature algorithms that are accepted, best first. */
        readonly pubKeyCredParams: readonly {
          /** What kind of document this is. */
          readonly type: string;
          /** COSE algorithm identifier. */
          readonly alg: number;
        }[];
        /** What the authenticator must be able to do. */
        readonly authenticatorSelection: {
          /** Whether the device must check who touches it; it always must. */
          readonly userVerification: string;
          readonly [name: string]: unknown;
        };
        readonly [name: string]: unknown;
      };
    };
  };
  /** Adds the passkey that the browser made to the caller. */
  readonly completeOwnPasskey: {
    readonly input: {
      /** What the browser’s ceremony gave, in WebAuthn’s JSON form (base64url for bytes). */
      readonly credential: RegistrationCredential;
    };
    readonly output: {
      /** The id of this record. */
      readonly id: string;
      /** A name for people. */
      readonly name: string;
      /** The passkey that was touched. */
      readonly credentialId: string;
      /** Whether the passkey’s provider keeps a copy and may have it on other devices. */
      readonly synced: boolean;
      /** When it was made. */
      readonly createdAt: string;
      /** When the key was last used, to the minute; null when never. */
      readonly lastUsedAt: string | null;
      /** An agent that the user owns, which it was enrolled for: no user signs in with it. */
      readonly agentDid?: string;
      /** The user as whose money it is: the same DID. */
      readonly principalDid?: string;
      /** Who made the link that it came by, or enrolled it; node: a command on the data folder. */
      readonly madeBy?: {
        /** What kind it is. */
        readonly kind: 'key' | 'node' | 'user';
        /** The id of this record. */
        readonly id: string;
      };
    };
  };
  /** Calls one of the caller’s own passkeys something else. */
  readonly renameOwnPasskey: {
    readonly input: {
      /** The id of this record. */
      readonly id: string;
      /** A name for people. */
      readonly name: string;
    };
    readonly output: {
      /** The id of this record. */
      readonly id: string;
      /** A name for people. */
      readonly name: string;
      /** The passkey that was touched. */
      readonly credentialId: string;
      /** Whether the passkey’s provider keeps a copy and may have it on other devices. */
      readonly synced: boolean;
      /** When it was made. */
      readonly createdAt: string;
      /** When the key was last used, to the minute; null when never. */
      readonly lastUsedAt: string | null;
      /** An agent that the user owns, which it was enrolled for: no user signs in with it. */
      readonly agentDid?: string;
      /** The user as whose money it is: the same DID. */
      readonly principalDid?: string;
      /** Who made the link that it came by, or enrolled it; node: a command on the data folder. */
      readonly madeBy?: {
        /** What kind it is. */
        readonly kind: 'key' | 'node' | 'user';
        /** The id of this record. */
        readonly id: string;
      };
    };
  };
  /** Removes one of the caller’s own passkeys; from then on nothing is signed in or approved with it. */
  readonly removeOwnPasskey: {
    readonly input: {
      /** The id of this record. */
      readonly id: string;
    };
    readonly output: undefined;
  };
  /** Lists the caller’s own logins that are still valid, newest first. */
  readonly listLogins: {
    readonly input: {
      /** How many records to return, 1 to 200. */
      readonly limit?: number;
      /** The cursor of the page before, as it was returned; null on the last page. */
      readonly cursor?: string;
    };
    readonly output: {
      /** The records of this page. */
      readonly data: readonly {
        /** The id of this record. */
        readonly id: string;
        readonly way: 'passkey' | 'provider';
        /** What the browser says that it is. */
        readonly device: string | null;
        /** When it was made. */
        readonly createdAt: string;
        /** When its tokens were renewed last. */
        readonly lastUsedAt: string;
        /** When it ends. */
        readonly expiresAt: string;
        /** Whether it is the login that asks. */
        readonly current: boolean;
      }[];
      /** Whether there is another page. */
      readonly hasMore: boolean;
      /** Leads to the next page; null on the last. */
      readonly cursor: string | null;
      /** The rows of this page that are not in data, since the database has them damaged. */
      readonly damaged?: readonly {
        /** Where the row stands in its list, such as its id or its seq. */
        readonly place: string;
        /** One sentence for a person. */
        readonly message: string;
      }[];
    };
  };
  /** Ends the caller’s own logins at once: all of them, or all others. */
  readonly endOwnLogins: {
    readonly input: {
      /** True to keep the login that asks; false to end it as well. */
      readonly others?: boolean;
    };
    readonly output: undefined;
  };
  /** Ends one of the caller’s own logins at once. Ending it again changes nothing. */
  readonly endOwnLogin: {
    readonly input: {
      /** The id of this record. */
      readonly id: string;
    };
    readonly output: undefined;
  };
  /** Exports evidence, oldest first, as JSON, NDJSON or CSV, and reports whether the chain is valid over that range. */
  readonly exportEvidence: {
    readonly input: {
      /** Only so many of the newest events. */
      readonly last?: number;
      /** From this moment on. */
      readonly from?: string;
      /** Up to this moment. */
      readonly to?: string;
      /** Only these event types: the parameter repeated, or separated by commas. */
      readonly eventTypes?: string | readonly string[];
      /** Who acted: the agent, or the issuer for the operator. */
      readonly actorDid?: string;
      /** json; ndjson with an event on each line, and {"end": …} on the last; or csv with a line per event. */
      readonly format?: 'json' | 'csv' | 'ndjson';
    };
    readonly output: EvidenceExport | string;
  };
  /** Searches evidence, newest first. */
  readonly searchEvidence: {
    readonly input: {
      /** How many records to return, 1 to 200. */
      readonly limit?: number;
      /** The cursor of the page before, as it was returned; null on the last page. */
      readonly cursor?: string;
      /** What happened, such as INTENT_ISSUED. */
      readonly eventType?: string;
      /** Who acted: the agent, or the issuer for the operator. */
      readonly actorDid?: string;
      /** The session a message belongs to, chosen by the agent. */
      readonly contextId?: string;
      /** From this moment on. */
      readonly from?: string;
      /** Up to this moment. */
      readonly to?: string;
    };
    readonly output: {
      /** The records of this page. */
      readonly data: readonly EvidenceEvent[];
      /** Whether there is another page. */
      readonly hasMore: boolean;
      /** Leads to the next page; null on the last. */
      readonly cursor: string | null;
      /** The rows of this page that are not in data, since the database has them damaged. */
      readonly damaged?: readonly {
        /** Where the row stands in its list, such as its id or its seq. */
        readonly place: string;
        /** One sentence for a person. */
        readonly message: string;
      }[];
    };
  };
  /** Shows one transaction’s evidence, and whether the chain over it is valid. */
  readonly evidenceBundle: {
    readonly input: {
      /** The transaction that ties intent, cart, payment and evidence together, `txn_…`. */
      readonly transactionId: string;
      /** portable: one signed file that can be checked without this node. */
      readonly format?: 'summary' | 'portable';
    };
    readonly output: EvidenceBundle | {
      /** json; ndjson with an event on each line, and {"end": …} on the last; or csv with a line per event. */
      readonly format: 'countersign-evidence-bundle/1';
      /** DID of the node that keeps the evidence. */
      readonly issuer: string;
      readonly rotations: readonly {
        /** What kind of document this is. */
        readonly type: 'IssuerRotation';
        /** From this moment on. */
        readonly from: string;
        /** Up to this moment. */
        readonly to: string;
        /** The key of `from` was stolen. */
        readonly compromised?: true;
        /** By the key of `from`, whose last moment is `created`. */
        readonly proof: Proof;
      }[];
      /** The tenant, `tnt_…`. */
      readonly tenantId: string;
      /** The transaction that ties intent, cart, payment and evidence together, `txn_…`. */
      readonly transactionId: string;
      readonly eventCount: number;
      /** Evidence, oldest first. */
      readonly events: readonly {
        /** The id of this record. */
        readonly id: string;
        /** Place in the chain, from 1 on, without gaps. */
        readonly seq: number;
        /** What happened, such as INTENT_ISSUED. */
        readonly eventType: string;
        /** Who acted: the agent, or the issuer for the operator. */
        readonly actorDid: string;
        /** The facts of the event. */
        readonly data: Readonly<Record<string, unknown>>;
        /** hashCurr of the event before. */
        readonly hashPrev: string;
        /** SHA-256 over this event. */
        readonly hashCurr: string;
        /** When it was made. */
        readonly createdAt: string;
      }[];
      readonly credentials: {
        /** What became of the intent. */
        readonly intent?: Credential;
        /** What became of the cart. */
        readonly cart?: Credential | {
          /** JSON-LD contexts; the first is that of the credentials data model. */
          readonly '@context': readonly string[];
          /** The id of this record. */
          readonly id?: string;
          /** What kind of document this is. */
          readonly type: readonly string[];
          /** The DID that signed this, or whose chain this is. */
          readonly issuer: string;
          readonly validFrom: string;
          readonly validUntil?: string;
          /** What is claimed. */
          readonly credentialSubject: Readonly<Record<string, unknown>>;
          /** Ed25519Signature2020 with a detached JWS (RFC 7515, RFC 7797). */
          readonly proof: Readonly<Record<string, unknown>>;
          readonly [name: string]: unknown;
        };
        /** The merchant’s signed cart as a CartMandate of AP2 v0.1. */
        readonly cartMandate?: {
          readonly contents: Readonly<Record<string, unknown>>;
          readonly merchant_authorization: string;
          readonly [name: string]: unknown;
        };
        readonly checkout?: Readonly<Record<string, unknown>>;
        /** What became of the payment. */
        readonly payment?: Credential;
      };
      readonly forms?: {
        /** What became of the intent. */
        readonly intent?: {
          readonly vc?: Readonly<Record<string, unknown>>;
          readonly 'vc+jwt'?: string;
        };
        /** What became of the payment. */
        readonly payment?: {
          readonly vc?: Readonly<Record<string, unknown>>;
          readonly 'vc+jwt'?: string;
        };
      };
      readonly policies: readonly {
        /** The policy, `pol_…`. */
        readonly policyId: string;
        /** Which version of the policy was judged by. */
        readonly policyVersion: number;
        /** SHA-256 of the canonical rules (RFC 8785), `sha256:…`. */
        readonly policyHash: string;
        /** The rules. A rule that is not known is refused. */
        readonly rules: Readonly<Record<string, unknown>>;
      }[];
      readonly presence?: HpProof;
      readonly checkpoint: string;
      readonly inclusion: readonly (readonly string[])[];
      /** Ed25519Signature2020 with a detached JWS (RFC 7515, RFC 7797). */
      readonly proof: Proof;
    };
  };
  /** Verifies the evidence chain, or a range of it, and names the first break. */
  readonly verifyEvidence: {
    readonly input: {
      /** First event of the range. */
      readonly fromSeq?: number;
      /** Last event of the range. */
      readonly toSeq?: number;
    };
    readonly output: Verification;
  };
  /** Lists the signed checkpoints of the evidence chain, the newest first. */
  readonly listCheckpoints: {
    readonly input: {
      /** How many records to return, 1 to 200. */
      readonly limit?: number;
      /** The cursor of the page before, as it was returned; null on the last page. */
      readonly cursor?: string;
    };
    readonly output: {
      /** The records of this page. */
      readonly data: readonly {
        /** How many events it is over. */
        readonly size: number;
        /** The signed note: origin, size, root, the issuer’s signature, and the cosignatures of witnesses. */
        readonly note: string;
        /** When it was made. */
        readonly createdAt: string;
      }[];
      /** Whether there is another page. */
      readonly hasMore: boolean;
      /** Leads to the next page; null on the last. */
      readonly cursor: string | null;
      /** The rows of this page that are not in data, since the database has them damaged. */
      readonly damaged?: readonly {
        /** Where the row stands in its list, such as its id or its seq. */
        readonly place: string;
        /** One sentence for a person. */
        readonly message: string;
      }[];
    };
  };
  /** Proves that the chain at one checkpoint begins with the chain at an older one. */
  readonly proveConsistency: {
    readonly input: {
      readonly size: number;
      /** From this moment on. */
      readonly from: number;
    };
    readonly output: {
      /** From this moment on. */
      readonly from: {
        /** How many events it is over. */
        readonly size: number;
        /** The signed note: origin, size, root, the issuer’s signature, and the cosignatures of witnesses. */
        readonly note: string;
        /** When it was made. */
        readonly createdAt: string;
      };
      /** Up to this moment. */
      readonly to: {
        /** How many events it is over. */
        readonly size: number;
        /** The signed note: origin, size, root, the issuer’s signature, and the cosignatures of witnesses. */
        readonly note: string;
        /** When it was made. */
        readonly createdAt: string;
      };
      /** Hashes as base64, lowest first. */
      readonly proof: readonly string[];
    };
  };
  /** Proves that an event is in the chain that a checkpoint is over. */
  readonly proveInclusion: {
    readonly input: {
      readonly size: number;
      /** Place in the chain, from 1 on, without gaps. */
      readonly seq: number;
    };
    readonly output: {
      readonly checkpoint: {
        /** How many events it is over. */
        readonly size: number;
        /** The signed note: origin, size, root, the issuer’s signature, and the cosignatures of witnesses. */
        readonly note: string;
        /** When it was made. */
        readonly createdAt: string;
      };
      /** Place in the chain, from 1 on, without gaps. */
      readonly seq: number;
      /** The hash of the event. */
      readonly hashCurr: string;
      /** Hashes as base64, lowest first. */
      readonly proof: readonly string[];
    };
  };
  /** Creates a link by which a person enrolls one passkey, for an agent or for the person or company whose money it is, without any other credential. */
  readonly createEnrollment: {
    readonly input: {
      /** The agent whose purchases it approves, unless the person or company whose money is spent is registered. */
      readonly agentDid?: string;
      /** Whose money it is: the person or company whose purchases it approves, which is registered from then on. */
      readonly principalDid?: string;
      /** A name for the passkey; the person may choose another. */
      readonly deviceName?: string;
      /** How long the link works. */
      readonly ttlSeconds?: number;
    };
    readonly output: {
      /** The id of this record. */
      readonly id: string;
      /** The agent, as did:key of its Ed25519 key. */
      readonly agentDid?: string;
      /** Whose money it is: a person or company (the principal), as did:key. */
      readonly principalDid?: string;
      /** Opens the page that enrolls a passkey, once. It is shown this once; treat it as a password. */
      readonly url: string;
      /** When it ends. */
      readonly expiresAt: string;
    };
  };
  /** Begins to enroll a passkey, for an agent, or for the person or company whose money it is: options for the browser. */
  readonly beginPasskeyRegistration: {
    readonly input: {
      /** The agent whose purchases it approves, unless the person or company whose money is spent is registered. */
      readonly agentDid?: string;
      /** Whose money it is: the person or company whose purchases it approves, which is registered from then on. */
      readonly principalDid?: string;
      /** What the person calls the device or passkey. */
      readonly deviceName: string;
    };
    readonly output: {
      /** Options for navigator.credentials.create(), in WebAuthn’s JSON form. */
      readonly publicKey: {
        /** What the passkey has to sign. */
        readonly challenge: string;
        /** The site passkeys are made for. */
        readonly rp: {
          /** A name for people. */
          readonly name: string;
          /** The id of this record. */
          readonly id: string;
        };
        /** The account the passkey goes to. */
        readonly user: {
          /** The id of this record. */
          readonly id: string;
          /** A name for people. */
          readonly name: string;
          readonly [name: string]: unknown;
        };
        /** Signature algorithms that are accepted, best first. */
        readonly pubKeyCredParams: readonly {
          /** What kind of document this is. */
          readonly type: string;
          /** COSE algorithm identifier. */
          readonly alg: number;
        }[];
        /** What the authenticator must be able to do. */
        readonly authenticatorSelection: {
          /** Whether the device must check who touches it; it always must. */
          readonly userVerification: string;
          readonly [name: string]: unknown;
        };
        readonly [name: string]: unknown;
      };
    };
  };
  /** Enrolls the passkey that the browser made. */
  readonly completePasskeyRegistration: {
    readonly input: {
      /** The agent whose purchases it approves, unless the person or company whose money is spent is registered. */
      readonly agentDid?: string;
      /** Whose money it is: the person or company whose purchases it approves, which is registered from then on. */
      readonly principalDid?: string;
      /** What the browser’s ceremony gave, in WebAuthn’s JSON form (base64url for bytes). */
      readonly credential: RegistrationCredential;
    };
    readonly output: {
      /** Whether the ceremony succeeded. */
      readonly verified: true;
      /** The passkey that was enrolled. */
      readonly passkey: Passkey;
    };
  };
  /** Begins a proof of human presence: options for the browser, bound to what is named of the purchase. */
  readonly beginPresence: {
    readonly input: {
      /** The agent, as did:key of its Ed25519 key. */
      readonly agentDid: string;
      /** The mandate: `intent_…` for an intent, `pm_…` for a payment. */
      readonly mandateId?: string;
      /** SHA-256 of the canonical cart without its proof, `sha256:…`; of a cart mandate, of `{contents, merchant}` with its domain. */
      readonly cartHash?: string;
    };
    readonly output: {
      /** Names the challenge of this ceremony; good for one use within 300 seconds. */
      readonly challengeId: string;
      /** Options for navigator.credentials.get(), in WebAuthn’s JSON form. */
      readonly publicKey: {
        /** What the passkey has to sign. */
        readonly challenge: string;
        /** The host name passkeys are made for. */
        readonly rpId: string;
        /** The passkeys that may answer. */
        readonly allowCredentials: readonly {
          /** The id of this record. */
          readonly id: string;
          /** What kind of document this is. */
          readonly type: string;
          readonly [name: string]: unknown;
        }[];
        /** Whether the device must check who touches it; it always must. */
        readonly userVerification: string;
        readonly [name: string]: unknown;
      };
    };
  };
  /** Verifies a passkey assertion and answers with the signed proof of human presence. */
  readonly completePresence: {
    readonly input: {
      /** Names the challenge of this ceremony; good for one use within 300 seconds. */
      readonly challengeId: string;
      /** What the browser’s ceremony gave, in WebAuthn’s JSON form (base64url for bytes). */
      readonly credential: AssertionCredential;
    };
    readonly output: {
      /** Whether the ceremony succeeded. */
      readonly verified: true;
      /** The signed statement that the person was present. */
      readonly hpProof: HpProof;
    };
  };
  /** Lists enrolled passkeys, newest first. */
  readonly listPasskeys: {
    readonly input: {
      /** How many records to return, 1 to 200. */
      readonly limit?: number;
      /** The cursor of the page before, as it was returned; null on the last page. */
      readonly cursor?: string;
      /** The agent, as did:key of its Ed25519 key. */
      readonly agentDid?: string;
      /** Whose money it is: a person or company (the principal), as did:key. */
      readonly principalDid?: string;
    };
    readonly output: {
      /** The records of this page. */
      readonly data: readonly Passkey[];
      /** Whether there is another page. */
      readonly hasMore: boolean;
      /** Leads to the next page; null on the last. */
      readonly cursor: string | null;
      /** The rows of this page that are not in data, since the database has them damaged. */
      readonly damaged?: readonly {
        /** Where the row stands in its list, such as its id or its seq. */
        readonly place: string;
        /** One sentence for a person. */
        readonly message: string;
      }[];
    };
  };
  /** Lists the passkeys that were enrolled for a person or company whose money is spent, newest first, each with who made its link. */
  readonly listPrincipalPasskeys: {
    readonly input: {
      /** How many records to return, 1 to 200. */
      readonly limit?: number;
      /** The cursor of the page before, as it was returned; null on the last page. */
      readonly cursor?: string;
      /** A did:key: `did:key:z6Mk…`. */
      readonly did: string;
    };
    readonly output: {
      /** The records of this page. */
      readonly data: readonly Passkey[];
      /** Whether there is another page. */
      readonly hasMore: boolean;
      /** Leads to the next page; null on the last. */
      readonly cursor: string | null;
      /** The rows of this page that are not in data, since the database has them damaged. */
      readonly damaged?: readonly {
        /** Where the row stands in its list, such as its id or its seq. */
        readonly place: string;
        /** One sentence for a person. */
        readonly message: string;
      }[];
    };
  };
  /** Removes a passkey; it approves nothing from then on. */
  readonly removePasskey: {
    readonly input: {
      /** The id of this record. */
      readonly id: string;
    };
    readonly output: undefined;
  };
  /** Lists approvals, newest first. */
  readonly listApprovals: {
    readonly input: {
      /** How many records to return, 1 to 200. */
      readonly limit?: number;
      /** The cursor of the page before, as it was returned; null on the last page. */
      readonly cursor?: string;
      /** Where the request stands. */
      readonly status?: 'pending' | 'approved' | 'denied' | 'expired';
      /** The agent, as did:key of its Ed25519 key. */
      readonly agentDid?: string;
      /** The merchant’s domain. */
      readonly merchant?: string;
      /** From this moment on. */
      readonly from?: string;
      /** Up to this moment. */
      readonly to?: string;
    };
    readonly output: {
      /** The records of this page. */
      readonly data: readonly Approval[];
      /** Whether there is another page. */
      readonly hasMore: boolean;
      /** Leads to the next page; null on the last. */
      readonly cursor: string | null;
      /** The rows of this page that are not in data, since the database has them damaged. */
      readonly damaged?: readonly {
        /** Where the row stands in its list, such as its id or its seq. */
        readonly place: string;
        /** One sentence for a person. */
        readonly message: string;
      }[];
    };
  };
  /** Verifies that a person approved an action, by nine checks of the decision. It spends nothing. */
  readonly checkApproval: {
    readonly input: {
      readonly decision: ApprovalDecisionInput;
      /** The action; nothing of it may be taken from the decision. A member that is not known is a 400. */
      readonly expect: {
        /** Of the action in the caller’s hand, computed by the caller: a cart’s is its cartHash. */
        readonly documentHash: string;
        /** The agent, as did:key of its Ed25519 key. */
        readonly agentDid?: string;
        /** Whose money it is: a person or company (the principal), as did:key. */
        readonly principalDid?: string;
        /** An amount in units of the currency: 42.5 is 42.50 USD. */
        readonly amount?: number;
        /** ISO 4217 code in upper case. */
        readonly currency?: string;
        /** The merchant’s domain. */
        readonly merchant?: string;
        /** Of the request that was to be answered. */
        readonly id?: string;
        /** Of that request. */
        readonly expiresAt?: string;
        /** As the node’s card says. */
        readonly rpId?: string;
        /** As the node’s card says. */
        readonly origin?: string;
      };
      /** Keys of the people who may approve it, of all of them. Without them, an enrolment by this node counts. */
      readonly keys?: readonly {
        /** What kind of key it is: EC, OKP or RSA. */
        readonly kty: 'EC' | 'OKP' | 'RSA';
        /** Which key it is; a signature must name it where it is given. */
        readonly kid?: string;
        /** ES256, ES384, ES512, EdDSA (or Ed25519, which is read as EdDSA) or RS256, as the key is. */
        readonly alg?: string;
        /** What the key is for: sig. */
        readonly use?: string;
        /** What the key may be used for: verify. */
        readonly key_ops?: readonly string[];
        readonly [name: string]: unknown;
      }[];
      /** `id` and `random` of decisions that the caller acted on before. */
      readonly used?: readonly string[];
      /** By when it is judged; now when absent. */
      readonly at?: string;
    };
    readonly output: {
      /** Whether every hash over the range holds. */
      readonly valid: boolean;
      /** Of the first check that failed. */
      readonly reason?: string;
      /** Whose touch it was, of a valid one whose enrolment says it. */
      readonly approvedBy?: {
        /** A did:key: `did:key:z6Mk…`. */
        readonly did: string;
        /** user: a passkey that this user enrolled. agent, principal: one that a link or a key enrolled, so that the person is the passkey holder of that agent or principal, and no user. */
        readonly passkeyOf: 'user' | 'agent' | 'principal';
      };
      readonly checks: readonly {
        /** A name for people. */
        readonly name: 'action' | 'approved' | 'challenge' | 'place' | 'authenticator' | 'signature' | 'person' | 'time' | 'unused';
        readonly ok: boolean;
      }[];
      /** The members that the request left out, so that nothing was compared with them. */
      readonly notCompared: readonly string[];
    };
  };
  /** Shows the state of an approval, at once or when it is decided; once approved, with the proof. */
  readonly getApproval: {
    readonly input: {
      /** The id of this record. */
      readonly id: string;
      /** Seconds to wait for a decision before the answer says "pending". */
      readonly wait?: number;
      /** decision: how it ended is shown with the passkey’s signature. */
      readonly include?: 'decision';
    };
    readonly output: ApprovalState;
  };
  /** Denies an approval; the agent that asked may withdraw its own. Denying it again changes nothing. */
  readonly denyApproval: {
    readonly input: {
      /** The id of this record. */
      readonly id: string;
    };
    readonly output: Approval;
  };
  /** Tells the people who were asked for an approval once more. They are told twice in all: this takes the place of the reminder at half of the time. */
  readonly remindApprovers: {
    readonly input: {
      /** The id of this record. */
      readonly id: string;
    };
    readonly output: Approval;
  };
  /** Opens a session that messages can name by its contextId. */
  readonly createSession: {
    readonly input: SessionRequest;
    readonly output: Session;
  };
  /** Lists sessions, newest first. */
  readonly listSessions: {
    readonly input: {
      /** How many records to return, 1 to 200. */
      readonly limit?: number;
      /** The cursor of the page before, as it was returned; null on the last page. */
      readonly cursor?: string;
      /** The state it is in. */
      readonly status?: 'ACTIVE' | 'COMPLETED' | 'EXPIRED';
      /** The agent, as did:key of its Ed25519 key. */
      readonly agentDid?: string;
    };
    readonly output: {
      /** The records of this page. */
      readonly data: readonly {
        /** The session a message belongs to, chosen by the agent. */
        readonly contextId: string;
        /** The state it is in. */
        readonly status: 'ACTIVE' | 'COMPLETED' | 'EXPIRED';
        /** Messages carried so far. */
        readonly messageCount: number;
        /** The intent mandated in this session. */
        readonly intentMandateId: string | null;
        /** The payment mandated in this session. */
        readonly permitId: string | null;
        /** When it was made. */
        readonly createdAt: string;
        /** When it ends. */
        readonly expiresAt: string;
        /** The agent, as did:key of its Ed25519 key. */
        readonly agentDid: string;
        /** The person the session is with, as did:key. */
        readonly userDid: string;
      }[];
      /** Whether there is another page. */
      readonly hasMore: boolean;
      /** Leads to the next page; null on the last. */
      readonly cursor: string | null;
      /** The rows of this page that are not in data, since the database has them damaged. */
      readonly damaged?: readonly {
        /** Where the row stands in its list, such as its id or its seq. */
        readonly place: string;
        /** One sentence for a person. */
        readonly message: string;
      }[];
    };
  };
  /** Shows a session: its status, how many messages it carried, and what was mandated in it. */
  readonly getSession: {
    readonly input: {
      /** The session a message belongs to, chosen by the agent. */
      readonly contextId: string;
      /** Whose session it is, where several agents have one of this name. */
      readonly agentDid?: string;
    };
    readonly output: Session;
  };
  /** Creates a cart signed by the sandbox’s demo merchant. */
  readonly demoCart: {
    readonly input: {
      /** Who pays, as did:key. */
      readonly payerDid: string;
      /** The merchant’s domain. */
      readonly domain: string;
      /** An amount in units of the currency: 42.5 is 42.50 USD. */
      readonly amount: number;
      /** ISO 4217 code in upper case. */
      readonly currency: string;
      /** What is bought; tax and shipping are items. */
      readonly items?: readonly CartItem[];
    };
    readonly output: {
      /** The merchant’s signed cart: a W3C Verifiable Credential. */
      readonly cartVc: Credential;
    };
  };
  /** Plays a whole purchase through the real use cases, as far as it gets. */
  readonly demoPayment: {
    readonly input: {
      /** The agent, as did:key of its Ed25519 key. */
      readonly agentDid: string;
      /** Whose money it is: a person or company (the principal), as did:key. */
      readonly principalDid: string;
      /** An amount in units of the currency: 42.5 is 42.50 USD. */
      readonly amount: number;
      /** ISO 4217 code in upper case. */
      readonly currency: string;
      /** The merchant’s domain. */
      readonly merchantDomain: string;
    };
    readonly output: {
      /** The transaction that ties intent, cart, payment and evidence together, `txn_…`. */
      readonly transactionId: string;
      /** What became of the intent. */
      readonly intent: IntentResult;
      /** What became of the cart. */
      readonly cart?: CartResult;
      /** What became of the payment. */
      readonly payment?: PaymentResult | PaymentResult & {
        /** The payment once captured. */
        readonly capture: Payment;
      };
      /** What was recorded, oldest first. */
      readonly evidence: readonly EvidenceEvent[];
    };
  };
  /** Creates a proof of human presence signed by the sandbox’s demo key. */
  readonly demoPresenceProof: {
    readonly input: {
      /** The agent, as did:key of its Ed25519 key. */
      readonly agentDid: string;
      /** How long the proof is good for. */
      readonly freshnessSeconds?: number;
    };
    readonly output: {
      /** The signed statement that the person was present. */
      readonly hpProof: HpProof;
    };
  };
  /** Disputes a captured payment, or a part of it, as the sandbox’s card holder. */
  readonly demoDispute: {
    readonly input: {
      /** The mandate: `intent_…` for an intent, `pm_…` for a payment. */
      readonly mandateId: string;
      /** How much is disputed; without it, what was captured and is neither refunded nor disputed. */
      readonly amount?: number;
      /** Why. */
      readonly reason?: string;
    };
    readonly output: Payment;
  };
  /** Decides a dispute of a payment, as the card holder’s bank. */
  readonly demoDisputeEnd: {
    readonly input: {
      /** The mandate: `intent_…` for an intent, `pm_…` for a payment. */
      readonly mandateId: string;
      /** Which one; without it, the oldest that is open. */
      readonly disputeId?: string;
      /** As the merchant sees it. */
      readonly outcome: 'won' | 'lost';
    };
    readonly output: Payment;
  };
  /** Lets the refunds of a payment fail, as the card’s bank may in days to come. */
  readonly demoRefundFailure: {
    readonly input: {
      /** The mandate: `intent_…` for an intent, `pm_…` for a payment. */
      readonly mandateId: string;
    };
    readonly output: Payment;
  };
  /** Clears intents, carts, payments, evidence and velocity. A new evidence chain starts. */
  readonly resetTestData: {
    readonly input: Readonly<Record<string, unknown>>;
    readonly output: undefined;
  };
  /** Creates a shared payment token, with which one merchant can be paid once. */
  readonly createSpt: {
    readonly input: {
      /** The merchant’s domain. */
      readonly merchantDomain: string;
      /** The most that the merchant may take with it, in units of the currency. */
      readonly amount: number;
      /** ISO 4217 code in upper case. */
      readonly currency: string;
      /** How many seconds it lives. */
      readonly expiresIn?: number;
      /** What it is for; each that is named must exist. */
      readonly mandate?: {
        /** The intent, `intent_…`. */
        readonly intentId?: string;
        /** The hash of the cart, `sha256:…`. */
        readonly cartId?: string;
        /** The payment, `pm_…`. */
        readonly paymentId?: string;
      };
      /** The same key with the same body gets the same answer for 24 hours, instead of a second effect. */
      readonly idempotencyKey?: string;
    };
    readonly output: Spt;
  };
  /** Lists shared payment tokens, newest first. */
  readonly listSpts: {
    readonly input: {
      /** How many records to return, 1 to 200. */
      readonly limit?: number;
      /** The cursor of the page before, as it was returned; null on the last page. */
      readonly cursor?: string;
      /** The state it is in. */
      readonly status?: 'ACTIVE' | 'USED' | 'EXPIRED' | 'REVOKED';
    };
    readonly output: {
      /** The records of this page. */
      readonly data: readonly Spt[];
      /** Whether there is another page. */
      readonly hasMore: boolean;
      /** Leads to the next page; null on the last. */
      readonly cursor: string | null;
      /** The rows of this page that are not in data, since the database has them damaged. */
      readonly damaged?: readonly {
        /** Where the row stands in its list, such as its id or its seq. */
        readonly place: string;
        /** One sentence for a person. */
        readonly message: string;
      }[];
    };
  };
  /** Counts shared payment tokens by state, and their amounts by currency. */
  readonly sptOverview: {
    readonly input: Readonly<Record<string, unknown>>;
    readonly output: SptOverview;
  };
  /** Shows one shared payment token. */
  readonly getSpt: {
    readonly input: {
      /** The id of this record. */
      readonly id: string;
    };
    readonly output: Spt;
  };
  /** Revokes a shared payment token; it cannot be used any more. */
  readonly revokeSpt: {
    readonly input: {
      /** The id of this record. */
      readonly id: string;
    };
    readonly output: Spt;
  };
  /** Lists the tasks of agents that speak standard A2A, those that changed last first. */
  readonly listTaskRecords: {
    readonly input: {
      /** How many records to return, 1 to 200. */
      readonly limit?: number;
      /** The cursor of the page before, as it was returned; null on the last page. */
      readonly cursor?: string;
      /** The state it is in. */
      readonly state?: 'TASK_STATE_SUBMITTED' | 'TASK_STATE_WORKING' | 'TASK_STATE_COMPLETED' | 'TASK_STATE_FAILED' | 'TASK_STATE_CANCELED' | 'TASK_STATE_INPUT_REQUIRED' | 'TASK_STATE_REJECTED' | 'TASK_STATE_AUTH_REQUIRED';
      /** The agent, as did:key of its Ed25519 key. */
      readonly agentDid?: string;
      /** The session a message belongs to, chosen by the agent. */
      readonly contextId?: string;
    };
    readonly output: {
      /** The records of this page. */
      readonly data: readonly {
        /** The id of this record. */
        readonly id: string;
        /** The session a message belongs to, chosen by the agent. */
        readonly contextId: string;
        /** Which exchange it is; a purchase is the first three. */
        readonly kind: 'intent' | 'cart' | 'payment' | 'purchase' | 'httpPayment' | 'external';
        readonly state: 'TASK_STATE_SUBMITTED' | 'TASK_STATE_WORKING' | 'TASK_STATE_COMPLETED' | 'TASK_STATE_FAILED' | 'TASK_STATE_CANCELED' | 'TASK_STATE_INPUT_REQUIRED' | 'TASK_STATE_REJECTED' | 'TASK_STATE_AUTH_REQUIRED';
        /** The agent, as did:key of its Ed25519 key. */
        readonly agentDid: string;
        /** When it was made. */
        readonly createdAt: string;
        /** When its state changed last. */
        readonly changedAt: string;
        readonly endedAt?: string;
      }[];
      /** Whether there is another page. */
      readonly hasMore: boolean;
      /** Leads to the next page; null on the last. */
      readonly cursor: string | null;
      /** The rows of this page that are not in data, since the database has them damaged. */
      readonly damaged?: readonly {
        /** Where the row stands in its list, such as its id or its seq. */
        readonly place: string;
        /** One sentence for a person. */
        readonly message: string;
      }[];
    };
  };
  /** Shows a task of an agent that speaks standard A2A. */
  readonly getTaskRecord: {
    readonly input: {
      /** The id of this record. */
      readonly id: string;
    };
    readonly output: {
      /** The id of this record. */
      readonly id: string;
      /** The session a message belongs to, chosen by the agent. */
      readonly contextId: string;
      /** Which exchange it is; a purchase is the first three. */
      readonly kind: 'intent' | 'cart' | 'payment' | 'purchase' | 'httpPayment' | 'external';
      readonly state: 'TASK_STATE_SUBMITTED' | 'TASK_STATE_WORKING' | 'TASK_STATE_COMPLETED' | 'TASK_STATE_FAILED' | 'TASK_STATE_CANCELED' | 'TASK_STATE_INPUT_REQUIRED' | 'TASK_STATE_REJECTED' | 'TASK_STATE_AUTH_REQUIRED';
      /** The agent, as did:key of its Ed25519 key. */
      readonly agentDid: string;
      /** When it was made. */
      readonly createdAt: string;
      /** When its state changed last. */
      readonly changedAt: string;
      readonly endedAt?: string;
      /** The task as A2A 1.0 writes it, with its messages and what it handed over. */
      readonly task: Readonly<Record<string, unknown>>;
    };
  };
  /** Withdraws what a task asks for, as long as nothing is paid. Withdrawing it again changes nothing. */
  readonly cancelTaskRecord: {
    readonly input: {
      /** The id of this record. */
      readonly id: string;
    };
    readonly output: {
      /** The id of this record. */
      readonly id: string;
      /** The session a message belongs to, chosen by the agent. */
      readonly contextId: string;
      /** Which exchange it is; a purchase is the first three. */
      readonly kind: 'intent' | 'cart' | 'payment' | 'purchase' | 'httpPayment' | 'external';
      readonly state: 'TASK_STATE_SUBMITTED' | 'TASK_STATE_WORKING' | 'TASK_STATE_COMPLETED' | 'TASK_STATE_FAILED' | 'TASK_STATE_CANCELED' | 'TASK_STATE_INPUT_REQUIRED' | 'TASK_STATE_REJECTED' | 'TASK_STATE_AUTH_REQUIRED';
      /** The agent, as did:key of its Ed25519 key. */
      readonly agentDid: string;
      /** When it was made. */
      readonly createdAt: string;
      /** When its state changed last. */
      readonly changedAt: string;
      readonly endedAt?: string;
      /** The task as A2A 1.0 writes it, with its messages and what it handed over. */
      readonly task: Readonly<Record<string, unknown>>;
    };
  };
  /** Checks a checkout of UCP that its business signed against an intent and the policy, and approves it for payment. */
  readonly validateUcpCheckout: {
    readonly input: {
      /** The signed statement that the person was present. */
      readonly hpProof?: Readonly<Record<string, unknown>>;
      /** What will be paid with, for the person who approves; the usual payment method when absent. */
      readonly instrument?: string;
      /** verdict: the decision as a signed JWT, in `verdict`, also where the cart is refused. */
      readonly credentialFormats?: readonly 'verdict'[];
      /** The same key with the same body gets the same answer for 24 hours, instead of a second effect. */
      readonly idempotencyKey?: string;
      /** The intent that the checkout is for, `intent_…`. */
      readonly intentId: string;
      /** The domain of the business that the checkout came from. */
      readonly merchantDomain: string;
      /** The checkout as the business sent it, unchanged, with `ap2.merchant_authorization`. */
      readonly checkout: Readonly<Record<string, unknown>>;
      /** The JWT by which the business signed the whole checkout, where it made one; the node makes one else. */
      readonly checkoutJwt?: string;
    };
    readonly output: CartResult;
  };
  /** Checks a merchant’s cart mandate of AP2 v0.1 against an intent and the policy, and approves it for payment. */
  readonly validateAp2Cart: {
    readonly input: {
      /** The signed statement that the person was present. */
      readonly hpProof?: Readonly<Record<string, unknown>>;
      /** What will be paid with, for the person who approves; the usual payment method when absent. */
      readonly instrument?: string;
      /** verdict: the decision as a signed JWT, in `verdict`, also where the cart is refused. */
      readonly credentialFormats?: readonly 'verdict'[];
      /** The same key with the same body gets the same answer for 24 hours, instead of a second effect. */
      readonly idempotencyKey?: string;
      /** The intent that the cart is for, `intent_…`. */
      readonly intentId: string;
      /** The CartMandate of AP2 v0.1 as the merchant made it, unchanged. */
      readonly cartMandate: Readonly<Record<string, unknown>>;
    };
    readonly output: CartResult;
  };
  /** Verifies a chain of mandates of AP2 or Verifiable Intent, hop by hop, and names the clause that is broken. */
  readonly verifyMandate: {
    readonly input: {
      /** AP2 v0.2, or Verifiable Intent 0.1. */
      readonly profile?: 'ap2' | 'vi';
      /** The chain of AP2 as it was presented: SD-JWTs joined by `~~`, ending with `~`. */
      readonly token?: string;
      /** Layer 1 of Verifiable Intent: the credential of the card issuer. */
      readonly l1?: string;
      /** Layer 2: what the person signed, as the recipient of the payment is given it. */
      readonly l2?: string;
      /** Layer 3a: the payment that the agent closed. */
      readonly l3Payment?: string;
      /** Layer 3b: the checkout that the agent closed. */
      readonly l3Checkout?: string;
      /** Layer 2 as the recipient of the checkout is given it, where that is another view. */
      readonly l2Checkout?: string;
      /** The key of who signs the first token, or layer 1; without it, an issuer that the tenant trusts must have signed it. */
      readonly trustedJwk?: {
        /** What kind of key it is: EC, OKP or RSA. */
        readonly kty: 'EC' | 'OKP' | 'RSA';
        /** Which key it is; a signature must name it where it is given. */
        readonly kid?: string;
        /** ES256, ES384, ES512, EdDSA (or Ed25519, which is read as EdDSA) or RS256, as the key is. */
        readonly alg?: string;
        /** What the key is for: sig. */
        readonly use?: string;
        /** What the key may be used for: verify. */
        readonly key_ops?: readonly string[];
        readonly [name: string]: unknown;
      };
      /** The verifier’s name, which the last hop must be made for; not compared when absent. */
      readonly aud?: string;
      /** The nonce that was asked for; not compared when absent. */
      readonly nonce?: string;
      /** What is expected of each hop by its place: the first token at 0; of Verifiable Intent, layers 1, 2, 3a and 3b. */
      readonly hops?: readonly {
        /** Who the hop must be made for. */
        readonly aud?: string;
        /** The nonce that the hop must have. */
        readonly nonce?: string;
      }[];
      /** The hash of the checkout JWT that the mandate must be for, in base64url. */
      readonly checkoutJwtHash?: string;
      /** The checkout JWT itself, of which the hash is computed. */
      readonly checkoutJwt?: string;
      /** The chain of checkout mandates beside a payment; verified with it. */
      readonly checkoutMandate?: string;
      /** The `sd_hash` of the open checkout mandate. */
      readonly openCheckoutHash?: string;
      /** The merchant’s key; with it, what the merchant signed is verified too. */
      readonly merchantJwk?: {
        /** What kind of key it is: EC, OKP or RSA. */
        readonly kty: 'EC' | 'OKP' | 'RSA';
        /** Which key it is; a signature must name it where it is given. */
        readonly kid?: string;
        /** ES256, ES384, ES512, EdDSA (or Ed25519, which is read as EdDSA) or RS256, as the key is. */
        readonly alg?: string;
        /** What the key is for: sig. */
        readonly use?: string;
        /** What the key may be used for: verify. */
        readonly key_ops?: readonly string[];
        readonly [name: string]: unknown;
      };
      /** Seconds since the epoch (NumericDate of RFC 7519); now when absent. */
      readonly at?: number;
    };
    readonly output: {
      /** Whether every hop holds and every constraint is kept. */
      readonly valid: boolean;
      /** What is wrong first, in a sentence; absent where it is valid. */
      readonly reason?: string;
      readonly hops: readonly {
        /** Of Verifiable Intent: L1, L2, L3a or L3b. */
        readonly layer?: string;
        /** The type in the header of its JWT. */
        readonly typ?: string;
        /** The name of its key. */
        readonly kid?: string;
        /** The type of its mandate. */
        readonly vct?: string;
        /** By what it is bound to the hop before. */
        readonly binding?: 'sd_hash' | 'issuer_jwt_hash';
        /** Who it is made for. */
        readonly aud?: string;
        /** How many disclosures were presented. */
        readonly disclosed: number;
        /** How many digests name something that was withheld. */
        readonly hidden: number;
        /** What was checked of the hop. */
        readonly checks: readonly {
          /** header, signature, disclosures, binding, audience, time or mandate. */
          readonly name: string;
          /** Whether it holds. */
          readonly holds: boolean;
        }[];
      }[];
      readonly violations: readonly {
        /** A reason code. */
        readonly code: string;
        /** What is wrong, in a sentence. */
        readonly detail: string;
        /** The clause of the standard that is broken. */
        readonly clause: string;
        /** In which hop, from 0. */
        readonly hop?: number;
        /** How the Universal Commerce Protocol calls it. */
        readonly ucp?: string;
      }[];
      /** The members that the request left out, so that nothing was compared with them. */
      readonly notCompared: readonly string[];
      /** What is mandated; absent unless every hop holds. */
      readonly kind?: 'payment' | 'checkout';
      /** The closed mandate with every member that was disclosed. */
      readonly content?: Readonly<Record<string, unknown>>;
      /** What each open mandate behind it allows. */
      readonly open?: readonly {
        readonly hop: number;
        readonly constraints: readonly unknown[];
      }[];
      /** The hash of the checkout JWT that it is for. */
      readonly transactionId?: string;
      /** SHA-256 of the first JWT. */
      readonly rootJwtHash?: string;
      /** SHA-256 of the last JWT, to which receipts refer. */
      readonly leafJwtHash?: string;
      /** The `sd_hash` of the last token as presented. */
      readonly leafSdHash?: string;
      /** The `sd_hash` of the first token as presented, where it is an open mandate. */
      readonly openHash?: string;
      /** The claims of layer 1, the credential that names the person’s key. */
      readonly credential?: Readonly<Record<string, unknown>>;
      /** How often it may be used: what a verifier has to remember. */
      readonly limits?: readonly {
        /** The hop of the open mandate, from 0. */
        readonly hop: number;
        /** SHA-256 of what its JWT signs, `header.payload`, by which uses are counted. */
        readonly jwtHash: string;
        /** The digest of the checkout mandate, where one token delegates several pairs. */
        readonly pair?: string;
        /** Whether it is good for one purchase. */
        readonly isSingleUse: boolean;
        readonly recurrence?: {
          readonly frequency: string;
          readonly maxOccurrences?: number;
        };
        /** What all uses together may come to, in minor units. */
        readonly budget?: {
          /** ISO 4217 code in upper case. */
          readonly currency: string;
          readonly maxMinor: number;
        };
        /** What is set up once with a merchant who charges by itself. */
        readonly subscription?: {
          readonly frequency: string;
          readonly number?: number;
        };
      }[];
    };
  };
  /** Exchanges a chain of AP2 mandates, or a Verifiable Intent, for an approval token. A refusal is an answer too, with every reason and a receipt. */
  readonly issuePaymentCredential: {
    readonly input: {
      /** The chain of payment mandates of AP2: SD-JWTs joined by `~~`, ending with `~`. It, or verifiableIntent. */
      readonly paymentMandate?: string;
      /** The layers of Verifiable Intent 0.1, in place of paymentMandate. */
      readonly verifiableIntent?: {
        /** Layer 1: the credential of the card issuer. */
        readonly l1: string;
        /** Layer 2: what the person signed, as this node is given it. */
        readonly l2: string;
        /** Layer 3a: the payment that the agent closed; absent where the person closed layer 2. */
        readonly l3Payment?: string;
      };
      /** The nonce of the last mandate: that of a challenge, or one of the caller’s own. */
      readonly nonce: string;
      /** The hash of the checkout JWT that is paid, in base64url. */
      readonly checkoutJwtHash?: string;
      /** The checkout JWT itself, of which the hash is computed. What is bought is shown as it says where a key of the merchant has signed it. */
      readonly checkoutJwt?: string;
      /** The `sd_hash` of the open checkout mandate. */
      readonly openCheckoutHash?: string;
      /** The chain of checkout mandates beside the payment. */
      readonly checkoutMandate?: string;
      /** The agent, as did:key of its Ed25519 key. */
      readonly agentDid: string;
      /** Whose money it is: a person or company (the principal), as did:key. */
      readonly principalDid?: string;
      /** The signed statement that the person was present. */
      readonly hpProof?: Readonly<Record<string, unknown>>;
      /** The same key with the same body gets the same answer for 24 hours, instead of a second effect. */
      readonly idempotencyKey?: string;
    };
    readonly output: {
      /** Whether the policy allows it. */
      readonly allowed: true;
      /** Exchanged once for a payment mandate, `apt_…`. */
      readonly approvalToken: string;
      /** The approval token is good until then. */
      readonly approvalTokenExpiresAt: string;
      /** SHA-256 of the last mandate’s JWT, to which the receipt will refer. */
      readonly reference: string;
      /** The intent, `intent_…`. */
      readonly intentId: string;
    } | {
      /** Whether the policy allows it. */
      readonly allowed: false;
      /** Every reason against it, in a fixed order. */
      readonly reasonCodes: readonly ('AMOUNT_OVER_CAP' | 'CURRENCY_NOT_ALLOWED' | 'MERCHANT_NOT_ALLOWED' | 'MERCHANT_DENIED' | 'MCC_DENIED' | 'VELOCITY_EXCEEDED' | 'SPENDING_LIMIT_EXCEEDED' | 'TIME_WINDOW_VIOLATED' | 'GEO_RESTRICTED' | 'ANOMALY_DETECTED' | 'CART_EXCEEDS_INTENT' | 'MERCHANT_MISMATCH' | 'INTENT_EXPIRED' | 'APPROVAL_TOKEN_EXPIRED' | 'AGENT_REVOKED' | 'HP_REQUIRED' | 'HP_INVALID' | 'AGENT_SUSPENDED' | 'AGENT_NOT_DELEGATED' | 'INTENT_USED' | 'CART_EXPIRED' | 'CART_USED' | 'MERCHANT_UNVERIFIED' | 'RAIL_UNAVAILABLE' | 'DUPLICATE_SUSPECTED' | 'MANDATE_INVALID' | 'MANDATE_USED' | 'MANDATE_REVOKED' | 'CHECKOUT_MISMATCH' | 'CONSTRAINT_VIOLATED' | 'CONSTRAINT_UNRESOLVED')[];
      /** The facts behind each reason, by its code; over HTTP errors, the members at fault. */
      readonly details: Readonly<Record<string, {
        /** What was asked for. */
        readonly requested?: number;
        /** What the rule allows. */
        readonly limit?: number;
        /** Of a limit over time: what it counts besides this. */
        readonly used?: number;
        /** The limit less what is asked; negative where that is over it. */
        readonly left?: number;
        /** Until its period of the calendar ends. */
        readonly resetsInSeconds?: number;
        /** ISO 4217 code in upper case. */
        readonly currency?: string;
        /** How the Universal Commerce Protocol calls it, where it does. */
        readonly ucp?: string;
        /** One sentence for a person. */
        readonly message: string;
      }>>;
      /** Every limit over time that refuses it; absent where none does. */
      readonly limits?: readonly LimitState[];
      /** The decision as a JWT that the node’s key set verifies, where credentialFormats named verdict. */
      readonly verdict?: string;
      /** The payment that was made for the same before, for a caller who may read it. */
      readonly duplicateOf?: {
        /** The mandate: `intent_…` for an intent, `pm_…` for a payment. */
        readonly mandateId: string;
        /** The transaction that ties intent, cart, payment and evidence together, `txn_…`. */
        readonly transactionId: string;
        /** The state it is in. */
        readonly status: 'PENDING' | 'UNKNOWN' | 'AUTHORIZED' | 'CAPTURED' | 'PARTIALLY_REFUNDED' | 'DISPUTED';
        /** When it was made. */
        readonly createdAt: string;
        /** Where the result of that payment is; an agent that planned again takes this one. */
        readonly resultUrl: string;
      };
      /** A receipt of the error: a JWT that the node signed. */
      readonly receipt: string;
      /** Where a person can approve it, when nothing else is in the way. */
      readonly approval?: ApprovalLink;
    };
  };
  /** Gives a payment credential back before it is paid with; its checkout stays used. */
  readonly revokePaymentCredential: {
    readonly input: {
      /** Exchanged once for a payment mandate, `apt_…`. */
      readonly approvalToken: string;
    };
    readonly output: {
      /** Whether it was given back. */
      readonly revoked: true;
    };
  };
  /** Verifies a payment receipt of this node, by the key set that it publishes, and says the state of the payment now. */
  readonly verifyReceipt: {
    readonly input: {
      /** A receipt: a JWT that the node signed. */
      readonly receipt: string;
      /** The hash of the mandate that it must be for, in base64url. */
      readonly reference?: string;
    };
    readonly output: {
      /** Whether this node issued it. */
      readonly valid: boolean;
      /** Why not, in a sentence. */
      readonly reason?: string;
      /** What it states. */
      readonly claims?: Readonly<Record<string, unknown>>;
      /** The state of the payment now: a receipt of success stays what it is where that was canceled, refunded or disputed since. Absent where no payment of the caller’s was made. */
      readonly paymentStatus?: 'PENDING' | 'UNKNOWN' | 'AUTHORIZED' | 'CAPTURED' | 'PARTIALLY_REFUNDED' | 'REFUNDED' | 'DISPUTED' | 'FAILED' | 'CANCELED';
      /** The members that the request left out, so that nothing was compared with them. */
      readonly notCompared: readonly string[];
    };
  };
  /** Registers an open payment mandate for an agent, whose intents may name it from then on. */
  readonly registerDelegation: {
    readonly input: {
      /** The open payment mandate: an SD-JWT with its disclosures, and further open ones joined by `~~`. */
      readonly token: string;
      /** The agent, as did:key of its Ed25519 key. */
      readonly agentDid: string;
      /** Whose money it is; when absent, whose credential signed the mandate, or else the agent’s own. */
      readonly principalDid?: string;
      /** The same key with the same body gets the same answer for 24 hours, instead of a second effect. */
      readonly idempotencyKey?: string;
    };
    readonly output: Delegation | {
      /** Whether the policy allows it. */
      readonly allowed: false;
      /** Every reason against it, in a fixed order. */
      readonly reasonCodes: readonly ('AMOUNT_OVER_CAP' | 'CURRENCY_NOT_ALLOWED' | 'MERCHANT_NOT_ALLOWED' | 'MERCHANT_DENIED' | 'MCC_DENIED' | 'VELOCITY_EXCEEDED' | 'SPENDING_LIMIT_EXCEEDED' | 'TIME_WINDOW_VIOLATED' | 'GEO_RESTRICTED' | 'ANOMALY_DETECTED' | 'CART_EXCEEDS_INTENT' | 'MERCHANT_MISMATCH' | 'INTENT_EXPIRED' | 'APPROVAL_TOKEN_EXPIRED' | 'AGENT_REVOKED' | 'HP_REQUIRED' | 'HP_INVALID' | 'AGENT_SUSPENDED' | 'AGENT_NOT_DELEGATED' | 'INTENT_USED' | 'CART_EXPIRED' | 'CART_USED' | 'MERCHANT_UNVERIFIED' | 'RAIL_UNAVAILABLE' | 'DUPLICATE_SUSPECTED' | 'MANDATE_INVALID' | 'MANDATE_USED' | 'MANDATE_REVOKED' | 'CHECKOUT_MISMATCH' | 'CONSTRAINT_VIOLATED' | 'CONSTRAINT_UNRESOLVED')[];
      /** The facts behind each reason, by its code; over HTTP errors, the members at fault. */
      readonly details: Readonly<Record<string, {
        /** What was asked for. */
        readonly requested?: number;
        /** What the rule allows. */
        readonly limit?: number;
        /** Of a limit over time: what it counts besides this. */
        readonly used?: number;
        /** The limit less what is asked; negative where that is over it. */
        readonly left?: number;
        /** Until its period of the calendar ends. */
        readonly resetsInSeconds?: number;
        /** ISO 4217 code in upper case. */
        readonly currency?: string;
        /** How the Universal Commerce Protocol calls it, where it does. */
        readonly ucp?: string;
        /** One sentence for a person. */
        readonly message: string;
      }>>;
    };
  };
  /** Says what an open payment mandate allows, and whether it would be registered; nothing is kept. */
  readonly previewDelegation: {
    readonly input: {
      /** The open payment mandate: an SD-JWT with its disclosures, and further open ones joined by `~~`. */
      readonly token: string;
      /** The agent, as did:key of its Ed25519 key. */
      readonly agentDid: string;
      /** Whose money it is; when absent, whose credential signed the mandate, or else the agent’s own. */
      readonly principalDid?: string;
    };
    readonly output: {
      /** The agent, as did:key of its Ed25519 key. */
      readonly agentDid: string;
      /** Whose money it is: a person or company (the principal), as did:key. */
      readonly principalDid: string;
      /** What all of its mandates allow together. */
      readonly limits: {
        /** The most of one purchase. */
        readonly maxAmount?: number;
        /** ISO 4217 code in upper case. */
        readonly currency?: string;
        /** The domains of the disclosed payees; any merchant when absent. */
        readonly merchants?: readonly string[];
        /** The most of all purchases together. */
        readonly budget?: number;
        /** When it ends. */
        readonly expiresAt?: string;
        /** How often it may be used; once when absent. */
        readonly recurrence?: {
          readonly frequency: 'ON_DEMAND' | 'DAILY' | 'WEEKLY' | 'BIWEEKLY' | 'MONTHLY' | 'QUARTERLY' | 'ANNUALLY';
          /** One purchase in each day, ISO week, fortnight, month, quarter or year of the calendar, in UTC. */
          readonly reading: 'calendar-utc';
          readonly maxOccurrences?: number;
        };
      };
      /** The `sd_hash` of the last open mandate as it was registered. */
      readonly openHash: string;
      /** Whether the agent may spend this money. While a registered person or company has not allowed it to, nothing passes by the mandate (AGENT_NOT_DELEGATED). */
      readonly delegated: boolean;
    } | {
      /** Whether the policy allows it. */
      readonly allowed: false;
      /** Every reason against it, in a fixed order. */
      readonly reasonCodes: readonly ('AMOUNT_OVER_CAP' | 'CURRENCY_NOT_ALLOWED' | 'MERCHANT_NOT_ALLOWED' | 'MERCHANT_DENIED' | 'MCC_DENIED' | 'VELOCITY_EXCEEDED' | 'SPENDING_LIMIT_EXCEEDED' | 'TIME_WINDOW_VIOLATED' | 'GEO_RESTRICTED' | 'ANOMALY_DETECTED' | 'CART_EXCEEDS_INTENT' | 'MERCHANT_MISMATCH' | 'INTENT_EXPIRED' | 'APPROVAL_TOKEN_EXPIRED' | 'AGENT_REVOKED' | 'HP_REQUIRED' | 'HP_INVALID' | 'AGENT_SUSPENDED' | 'AGENT_NOT_DELEGATED' | 'INTENT_USED' | 'CART_EXPIRED' | 'CART_USED' | 'MERCHANT_UNVERIFIED' | 'RAIL_UNAVAILABLE' | 'DUPLICATE_SUSPECTED' | 'MANDATE_INVALID' | 'MANDATE_USED' | 'MANDATE_REVOKED' | 'CHECKOUT_MISMATCH' | 'CONSTRAINT_VIOLATED' | 'CONSTRAINT_UNRESOLVED')[];
      /** The facts behind each reason, by its code; over HTTP errors, the members at fault. */
      readonly details: Readonly<Record<string, {
        /** What was asked for. */
        readonly requested?: number;
        /** What the rule allows. */
        readonly limit?: number;
        /** Of a limit over time: what it counts besides this. */
        readonly used?: number;
        /** The limit less what is asked; negative where that is over it. */
        readonly left?: number;
        /** Until its period of the calendar ends. */
        readonly resetsInSeconds?: number;
        /** ISO 4217 code in upper case. */
        readonly currency?: string;
        /** How the Universal Commerce Protocol calls it, where it does. */
        readonly ucp?: string;
        /** One sentence for a person. */
        readonly message: string;
      }>>;
    };
  };
  /** Lists delegations, newest first. */
  readonly listDelegations: {
    readonly input: {
      /** How many records to return, 1 to 200. */
      readonly limit?: number;
      /** The cursor of the page before, as it was returned; null on the last page. */
      readonly cursor?: string;
      /** The agent, as did:key of its Ed25519 key. */
      readonly agentDid?: string;
    };
    readonly output: {
      /** The records of this page. */
      readonly data: readonly Delegation[];
      /** Whether there is another page. */
      readonly hasMore: boolean;
      /** Leads to the next page; null on the last. */
      readonly cursor: string | null;
      /** The rows of this page that are not in data, since the database has them damaged. */
      readonly damaged?: readonly {
        /** Where the row stands in its list, such as its id or its seq. */
        readonly place: string;
        /** One sentence for a person. */
        readonly message: string;
      }[];
    };
  };
  /** Shows one delegation, with what its mandate was used for. */
  readonly getDelegation: {
    readonly input: {
      /** The id of this record. */
      readonly id: string;
    };
    readonly output: Delegation;
  };
  /** Revokes an open mandate for good: its intents and approval tokens end, and no chain with it is taken. What is paid stays paid. */
  readonly revokeDelegation: {
    readonly input: {
      /** The id of this record. */
      readonly id: string;
    };
    readonly output: Delegation;
  };
  /** Gives a nonce for the last mandate of a chain; it serves one payment, within five minutes. */
  readonly createMandateChallenge: {
    readonly input: {
      /** The agent, as did:key of its Ed25519 key. */
      readonly agentDid: string;
    };
    readonly output: {
      /** The `nonce` of the last mandate. It serves one payment. */
      readonly nonce: string;
      /** The `aud` of the last mandate. */
      readonly aud: string;
      /** When it ends. */
      readonly expiresAt: string;
    };
  };
  /** Trusts who signs the first mandate of a chain, by a key or by the root of its certificates. */
  readonly addMandateIssuer: {
    readonly input: {
      /** What people call it. */
      readonly name: string;
      /** Who signs: an agent’s provider, a credential of the person, or the issuer of the person’s card. */
      readonly kind: 'agent-provider' | 'user-credential' | 'card-issuer';
      /** Its public key. A `kid` in it must be that of a mandate which names one. */
      readonly jwk?: {
        /** What kind of key it is: EC, OKP or RSA. */
        readonly kty: 'EC' | 'OKP' | 'RSA';
        /** Which key it is; a signature must name it where it is given. */
        readonly kid?: string;
        /** ES256, ES384, ES512, EdDSA (or Ed25519, which is read as EdDSA) or RS256, as the key is. */
        readonly alg?: string;
        /** What the key is for: sig. */
        readonly use?: string;
        /** What the key may be used for: verify. */
        readonly key_ops?: readonly string[];
        readonly [name: string]: unknown;
      };
      /** The certificate to which the `x5c` of its mandates must lead: PEM, or DER as base64. */
      readonly x5cRoot?: string;
      /** The one certificate below x5cRoot that signs: that of one person, since a wallet’s root has many people’s. */
      readonly leaf?: {
        /** SHA-256 of the certificate (RFC 7515 section 4.1.8). */
        readonly 'x5t#S256'?: string;
        /** Its subject (RFC 4514), such as CN=Ada Lovelace,O=Bank: every attribute, no more and no fewer. */
        readonly subject?: string;
      };
      /** Whose credential it is: what it signs itself counts as a touch of the passkey of this registered person or company, and of no other. A root needs a `leaf` with it. Of a card issuer: whose cards all of its cards are; left out for a bank, which has many people’s. */
      readonly principalDid?: string;
    };
    readonly output: MandateIssuer;
  };
  /** Lists mandate issuers, newest first. */
  readonly listMandateIssuers: {
    readonly input: {
      /** How many records to return, 1 to 200. */
      readonly limit?: number;
      /** The cursor of the page before, as it was returned; null on the last page. */
      readonly cursor?: string;
    };
    readonly output: {
      /** The records of this page. */
      readonly data: readonly MandateIssuer[];
      /** Whether there is another page. */
      readonly hasMore: boolean;
      /** Leads to the next page; null on the last. */
      readonly cursor: string | null;
      /** The rows of this page that are not in data, since the database has them damaged. */
      readonly damaged?: readonly {
        /** Where the row stands in its list, such as its id or its seq. */
        readonly place: string;
        /** One sentence for a person. */
        readonly message: string;
      }[];
    };
  };
  /** Trusts a mandate issuer no more: chains that it begins are refused from then on, and what they have not paid is taken back. */
  readonly removeMandateIssuer: {
    readonly input: {
      /** The id of this record. */
      readonly id: string;
    };
    readonly output: undefined;
  };
  /** Creates a cart mandate of AP2 v0.1, signed by the sandbox’s demo merchant. */
  readonly demoAp2Cart: {
    readonly input: {
      /** The merchant’s domain. */
      readonly domain: string;
      /** An amount in units of the currency: 42.5 is 42.50 USD. */
      readonly amount: number;
      /** ISO 4217 code in upper case. */
      readonly currency: string;
      /** What is bought; tax and shipping are items. */
      readonly items?: readonly CartItem[];
      /** Whether the merchant wants a person to confirm the cart. */
      readonly confirmCart?: boolean;
    };
    readonly output: {
      /** The merchant’s signed cart as a CartMandate of AP2 v0.1. */
      readonly cartMandate: Readonly<Record<string, unknown>>;
    };
  };
  /** Checks a checkout session of ACP against the policy, and gives the token that completes it. */
  readonly validateAcpSession: {
    readonly input: {
      /** The agent, as did:key of its Ed25519 key. */
      readonly agentDid: string;
      /** Whose money it is; the agent’s own when absent. */
      readonly principalDid?: string;
      /** The delegation, `dlg_…`, whose open mandate must allow the purchase beside the policy. */
      readonly delegationId?: string;
      /** The intent that it is bought by, which names the merchant; one is made of the session when absent. */
      readonly intentId?: string;
      /** The domain of the shop that the session came from. */
      readonly merchantDomain: string;
      /** The CheckoutSession (2026-04-17) as the shop sent it, with every member. */
      readonly session: Readonly<Record<string, unknown>>;
      /** What is paid with; the usual payment method when absent. */
      readonly instrument?: string;
      /** The payment of the first try, where that came to nothing. */
      readonly replaces?: string;
      /** The approval that the refusal of the same purchase named, once a person has granted it. */
      readonly approvalId?: string;
      /** The same key with the same body gets the same answer for 24 hours, instead of a second effect. */
      readonly idempotencyKey?: string;
    };
    readonly output: HttpPaymentResult;
  };
  /** Adds a wallet that pays on a chain: by a key that is given, or one that the node makes. */
  readonly createWallet: {
    readonly input: {
      /** The chain, as CAIP-2 names it, such as eip155:8453. */
      readonly network: string;
      /** The key of an account that exists; the node makes one when absent. It is sealed, and never shown. */
      readonly privateKey?: string;
      /** Where the chain is asked by JSON-RPC what became of a transfer. It is never shown but for its host. */
      readonly rpcUrl?: string;
      /** Which agent pays with it; everybody of the tenant when neither is named. */
      readonly agentDid?: string;
      /** Whose money it is. */
      readonly principalDid?: string;
      /** Tokens besides those that are known, such as one on a chain of your own. */
      readonly assets?: readonly {
        /** The token’s contract. */
        readonly asset: string;
        /** Of the contract’s EIP-712 domain. */
        readonly name: string;
        /** Of the contract’s EIP-712 domain, as text. */
        readonly version: string;
        /** In words, such as USDC; the name when absent. */
        readonly symbol?: string;
        readonly decimals: number;
        /** Which money it counts as. */
        readonly currency: string;
      }[];
    };
    readonly output: Wallet;
  };
  /** Lists wallets, newest first. */
  readonly listWallets: {
    readonly input: {
      /** How many records to return, 1 to 200. */
      readonly limit?: number;
      /** The cursor of the page before, as it was returned; null on the last page. */
      readonly cursor?: string;
    };
    readonly output: {
      /** The records of this page. */
      readonly data: readonly Wallet[];
      /** Whether there is another page. */
      readonly hasMore: boolean;
      /** Leads to the next page; null on the last. */
      readonly cursor: string | null;
      /** The rows of this page that are not in data, since the database has them damaged. */
      readonly damaged?: readonly {
        /** Where the row stands in its list, such as its id or its seq. */
        readonly place: string;
        /** One sentence for a person. */
        readonly message: string;
      }[];
    };
  };
  /** Shows a wallet. */
  readonly getWallet: {
    readonly input: {
      /** The id of this record. */
      readonly id: string;
    };
    readonly output: Wallet;
  };
  /** Removes a wallet and its key for good; what it holds must be moved, or its key be kept elsewhere, before. */
  readonly removeWallet: {
    readonly input: {
      /** The id of this record. */
      readonly id: string;
    };
    readonly output: undefined;
  };
  /** Reserves an amount for a payment that is made elsewhere, such as with a card that is typed into a page. */
  readonly reserveExternally: {
    readonly input: {
      /** The agent, as did:key of its Ed25519 key. */
      readonly agentDid: string;
      /** Whose money it is; the agent’s own when absent. */
      readonly principalDid?: string;
      /** The delegation, `dlg_…`, whose open mandate must allow the purchase beside the policy. */
      readonly delegationId?: string;
      /** The domain of who is paid, as the agent knows it. */
      readonly merchant: string;
      /** The most that is paid, with tax and shipping. */
      readonly amount: number;
      /** ISO 4217 code in upper case. */
      readonly currency: string;
      /** What is bought; they add up to the amount, tax and shipping among them. */
      readonly items?: readonly {
        /** A name for people. */
        readonly name: string;
        /** Price of one, in units of the currency. */
        readonly price: number;
        /** How many. */
        readonly quantity: number;
      }[];
      /** Where it is bought. */
      readonly url?: string;
      /** By what it is paid. */
      readonly channel: 'card' | 'wallet' | 'bank' | 'invoice' | 'other';
      /** Who is paid, as the registry of merchants has it: a profile at a rail, or an account. */
      readonly payee?: string;
      /** What the merchant calls the order, where it has a name before it is paid. */
      readonly reference?: string;
      /** The reservation that was too small, where this is the rest of it. */
      readonly tops?: string;
      /** Merchant category code of four digits (ISO 18245). */
      readonly mcc?: string;
      /** Where the merchant is, ISO 3166-1 alpha-2. */
      readonly country?: string;
      /** For how many seconds the amount is reserved; 900 when absent. */
      readonly expiresIn?: number;
      /** `proxy` where the payment cannot be made without this answer, as behind the guard; `asked` when absent. */
      readonly enforcement?: 'asked' | 'proxy';
      /** The approval that the refusal of the same purchase named, once a person has granted it. */
      readonly approvalId?: string;
      /** Required, here or as the header Idempotency-Key. It names the purchase, not the call: a repeated call has the same. */
      readonly idempotencyKey?: string;
    };
    readonly output: ReservationResult;
  };
  /** Tells that a reserved payment was made elsewhere, and what for. */
  readonly commitReservation: {
    readonly input: {
      /** The mandate: `intent_…` for an intent, `pm_…` for a payment. */
      readonly mandateId: string;
      /** What was paid; all that is reserved when absent. The rest is released. */
      readonly amount?: number;
      /** What shows that it was paid. */
      readonly evidence: {
        /** What shows that it was paid. */
        readonly kind: 'receipt' | 'order' | 'confirmation' | 'statement' | 'x402' | 'mpp' | 'none';
        /** SHA-256 of the document. The document itself never comes here. */
        readonly sha256?: string;
        /** What the merchant or the rail calls it, such as the number of an order. */
        readonly reference?: string;
        readonly occurredAt?: string;
        readonly note?: string;
      };
      /** The same key with the same body gets the same answer for 24 hours, instead of a second effect. */
      readonly idempotencyKey?: string;
    };
    readonly output: Payment;
  };
  /** Tells that a reserved payment was not made elsewhere. */
  readonly releaseReservation: {
    readonly input: {
      /** The mandate: `intent_…` for an intent, `pm_…` for a payment. */
      readonly mandateId: string;
      /** Why it was not paid. */
      readonly reason: 'not_paid' | 'declined' | 'abandoned';
      /** What shows that it was not. */
      readonly evidence?: {
        /** What shows that it was paid. */
        readonly kind: 'receipt' | 'order' | 'confirmation' | 'statement' | 'x402' | 'mpp' | 'none';
        /** SHA-256 of the document. The document itself never comes here. */
        readonly sha256?: string;
        /** What the merchant or the rail calls it, such as the number of an order. */
        readonly reference?: string;
        readonly occurredAt?: string;
        readonly note?: string;
      };
      /** The same key with the same body gets the same answer for 24 hours, instead of a second effect. */
      readonly idempotencyKey?: string;
    };
    readonly output: Payment;
  };
  /** Compares a statement of an account with what was reserved for payments elsewhere. */
  readonly readStatement: {
    readonly input: {
      /** What left the account, a line each. */
      readonly lines: readonly {
        readonly occurredAt: string;
        /** An amount in units of the currency: 42.5 is 42.50 USD. */
        readonly amount: number;
        /** ISO 4217 code in upper case. */
        readonly currency: string;
        /** Whom the statement names, such as `SHOP.EXAMPLE 4711`. */
        readonly descriptor: string;
        /** The hash that a receipt refers to a mandate by. */
        readonly reference?: string;
      }[];
    };
    readonly output: {
      readonly lines: readonly {
        /** `settled`: an open reservation counts as paid now; `known`: it was before; `differs`: it was told before as another amount, which a person sees; `ambiguous`: several could be meant. */
        readonly outcome: 'settled' | 'known' | 'differs' | 'unmatched' | 'ambiguous';
        /** The mandate: `intent_…` for an intent, `pm_…` for a payment. */
        readonly mandateId?: string;
      }[];
    };
  };
  /** Signs one request to the merchant of one purchase (RFC 9421), so that the merchant lets the agent in. */
  readonly signHttpRequest: {
    readonly input: {
      /** The payment whose merchant is asked; it, or intentId. */
      readonly mandateId?: string;
      /** The intent whose merchant is asked, before it is paid. */
      readonly intentId?: string;
      /** By which it will be sent. */
      readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';
      /** What will be requested, as it will be sent: at the merchant’s domain, or one below it. */
      readonly url: string;
      /** Of the body, where it has one: `sha-256=:…:` (RFC 9530). */
      readonly bodyDigest?: string;
      /** By which rules the merchant knows agents: `tap` is Visa’s Trusted Agent Protocol. */
      readonly profile: 'web-bot-auth' | 'tap';
      /** How Signature-Agent is written; as the registry of merchants has it when absent, else `string`. */
      readonly signatureAgentForm?: 'string' | 'dictionary';
      /** Whose key signs: the node’s when absent. With `agent` the answer has the text that the agent signs itself. */
      readonly key?: 'node' | 'agent';
      /** Where the agent’s own key is published; the node’s address when absent. Only with `key: "agent"`. */
      readonly signatureAgent?: string;
      /** The same key with the same body gets the same answer for 24 hours, instead of a second effect. */
      readonly idempotencyKey?: string;
    };
    readonly output: HttpSignature;
  };
  /** Shows where the notifications of a user go, and the key that a browser subscribes with. */
  readonly showNotifications: {
    readonly input: {
      /** The user whose places they are, named by an OWNER or a key that the node itself made; else the caller. */
      readonly userId?: string;
    };
    readonly output: {
      /** What a browser subscribes to push messages with (RFC 8292), as base64url. */
      readonly applicationServerKey: string;
      /** Whether the node has a mail server, so that notifications may go by e-mail. */
      readonly sendsMail: boolean;
      readonly places: readonly {
        /** The id of this record. */
        readonly id: string;
        /** What kind it is. */
        readonly kind: 'webPush' | 'plain' | 'email' | 'slack' | 'discord' | 'teams' | 'telegram';
        /** Of a browser, the address at its push service; of an e-mail, its address; of a service whose addresses are secrets, its host and the last characters. */
        readonly url: string;
        /** A name for people. */
        readonly name: string;
        readonly about: readonly ('approvals' | 'disputes' | 'agents' | 'payments' | 'digest' | 'passkey.added')[];
        readonly paymentsFrom?: {
          /** An amount in units of the currency: 42.5 is 42.50 USD. */
          readonly amount: number;
          /** ISO 4217 code in upper case. */
          readonly currency: string;
        };
        /** When the digest is sent, where it is one of the topics: Mondays at 8 in UTC, unless it says another time. */
        readonly digest?: {
          /** 1 is Monday. */
          readonly weekday: number;
          readonly hour: number;
          /** IANA time zone. */
          readonly timezone: string;
        };
        /** The facts behind each reason, by its code; over HTTP errors, the members at fault. */
        readonly details: boolean;
        /** When it was made. */
        readonly createdAt: string;
        /** Since when nothing has arrived there. */
        readonly failingSince?: string;
        /** Why nothing is sent there. unconfirmed: until the code that was sent there is given back. ended: its service says that it takes nothing more, until a test arrives. */
        readonly silent?: 'unconfirmed' | 'ended';
      }[];
    };
  };
  /** Has notifications sent to a browser or an address. The same one again takes the place of the former. */
  readonly addNotifications: {
    readonly input: {
      /** What kind it is. */
      readonly kind: 'webPush';
      /** Of the browser’s push subscription. */
      readonly endpoint: string;
      readonly keys: {
        /** The browser’s public key, as base64url. */
        readonly p256dh: string;
        /** 16 bytes that it shares, as base64url. */
        readonly auth: string;
      };
      /** What to call the place, such as "phone". */
      readonly name: string;
      /** What to be told of. */
      readonly about: readonly ('approvals' | 'disputes' | 'agents' | 'payments' | 'digest' | 'passkey.added')[];
      readonly paymentsFrom?: {
        /** An amount in units of the currency: 42.5 is 42.50 USD. */
        readonly amount: number;
        /** ISO 4217 code in upper case. */
        readonly currency: string;
      } | null;
      /** When the digest is sent, where it is one of the topics: Mondays at 8 in UTC, unless it says another time. */
      readonly digest?: {
        /** 1 is Monday. */
        readonly weekday?: number;
        readonly hour?: number;
        /** IANA time zone. */
        readonly timezone?: string;
      };
      /** Whether notifications tell amounts and merchants, which a locked screen shows to others and a service stores. */
      readonly details?: boolean;
      /** The user whose places they are, named by an OWNER or a key that the node itself made; else the caller. */
      readonly userId?: string;
    } | {
      /** What kind it is. */
      readonly kind: 'plain';
      /** Takes a plain text by POST, as an ntfy topic does. */
      readonly url: string;
      /** Sent as a bearer token. */
      readonly token?: string;
      /** What to call the place, such as "phone". */
      readonly name: string;
      /** What to be told of. */
      readonly about: readonly ('approvals' | 'disputes' | 'agents' | 'payments' | 'digest' | 'passkey.added')[];
      readonly paymentsFrom?: {
        /** An amount in units of the currency: 42.5 is 42.50 USD. */
        readonly amount: number;
        /** ISO 4217 code in upper case. */
        readonly currency: string;
      } | null;
      /** When the digest is sent, where it is one of the topics: Mondays at 8 in UTC, unless it says another time. */
      readonly digest?: {
        /** 1 is Monday. */
        readonly weekday?: number;
        readonly hour?: number;
        /** IANA time zone. */
        readonly timezone?: string;
      };
      /** Whether notifications tell amounts and merchants, which a locked screen shows to others and a service stores. */
      readonly details?: boolean;
      /** The user whose places they are, named by an OWNER or a key that the node itself made; else the caller. */
      readonly userId?: string;
    } | {
      /** What kind it is. */
      readonly kind: 'email';
      /** Nothing but a code is sent there until the code is given back. */
      readonly address: string;
      /** What to call the place, such as "phone". */
      readonly name: string;
      /** What to be told of. */
      readonly about: readonly ('approvals' | 'disputes' | 'agents' | 'payments' | 'digest' | 'passkey.added')[];
      readonly paymentsFrom?: {
        /** An amount in units of the currency: 42.5 is 42.50 USD. */
        readonly amount: number;
        /** ISO 4217 code in upper case. */
        readonly currency: string;
      } | null;
      /** When the digest is sent, where it is one of the topics: Mondays at 8 in UTC, unless it says another time. */
      readonly digest?: {
        /** 1 is Monday. */
        readonly weekday?: number;
        readonly hour?: number;
        /** IANA time zone. */
        readonly timezone?: string;
      };
      /** Whether notifications tell amounts and merchants, which a locked screen shows to others and a service stores. */
      readonly details?: boolean;
      /** The user whose places they are, named by an OWNER or a key that the node itself made; else the caller. */
      readonly userId?: string;
    } | {
      /** What kind it is. */
      readonly kind: 'slack';
      /** Of an incoming webhook of Slack. It is a secret, and shown no more. */
      readonly url: string;
      /** What to call the place, such as "phone". */
      readonly name: string;
      /** What to be told of. */
      readonly about: readonly ('approvals' | 'disputes' | 'agents' | 'payments' | 'digest' | 'passkey.added')[];
      readonly paymentsFrom?: {
        /** An amount in units of the currency: 42.5 is 42.50 USD. */
        readonly amount: number;
        /** ISO 4217 code in upper case. */
        readonly currency: string;
      } | null;
      /** When the digest is sent, where it is one of the topics: Mondays at 8 in UTC, unless it says another time. */
      readonly digest?: {
        /** 1 is Monday. */
        readonly weekday?: number;
        readonly hour?: number;
        /** IANA time zone. */
        readonly timezone?: string;
      };
      /** Whether notifications tell amounts and merchants, which a locked screen shows to others and a service stores. */
      readonly details?: boolean;
      /** The user whose places they are, named by an OWNER or a key that the node itself made; else the caller. */
      readonly userId?: string;
    } | {
      /** What kind it is. */
      readonly kind: 'discord';
      /** Of a webhook of a Discord channel. It is a secret, and shown no more. */
      readonly url: string;
      /** What to call the place, such as "phone". */
      readonly name: string;
      /** What to be told of. */
      readonly about: readonly ('approvals' | 'disputes' | 'agents' | 'payments' | 'digest' | 'passkey.added')[];
      readonly paymentsFrom?: {
        /** An amount in units of the currency: 42.5 is 42.50 USD. */
        readonly amount: number;
        /** ISO 4217 code in upper case. */
        readonly currency: string;
      } | null;
      /** When the digest is sent, where it is one of the topics: Mondays at 8 in UTC, unless it says another time. */
      readonly digest?: {
        /** 1 is Monday. */
        readonly weekday?: number;
        readonly hour?: number;
        /** IANA time zone. */
        readonly timezone?: string;
      };
      /** Whether notifications tell amounts and merchants, which a locked screen shows to others and a service stores. */
      readonly details?: boolean;
      /** The user whose places they are, named by an OWNER or a key that the node itself made; else the caller. */
      readonly userId?: string;
    } | {
      /** What kind it is. */
      readonly kind: 'teams';
      /** Of a workflow that posts what its webhook receives. It is a secret, and shown no more. */
      readonly url: string;
      /** What to call the place, such as "phone". */
      readonly name: string;
      /** What to be told of. */
      readonly about: readonly ('approvals' | 'disputes' | 'agents' | 'payments' | 'digest' | 'passkey.added')[];
      readonly paymentsFrom?: {
        /** An amount in units of the currency: 42.5 is 42.50 USD. */
        readonly amount: number;
        /** ISO 4217 code in upper case. */
        readonly currency: string;
      } | null;
      /** When the digest is sent, where it is one of the topics: Mondays at 8 in UTC, unless it says another time. */
      readonly digest?: {
        /** 1 is Monday. */
        readonly weekday?: number;
        readonly hour?: number;
        /** IANA time zone. */
        readonly timezone?: string;
      };
      /** Whether notifications tell amounts and merchants, which a locked screen shows to others and a service stores. */
      readonly details?: boolean;
      /** The user whose places they are, named by an OWNER or a key that the node itself made; else the caller. */
      readonly userId?: string;
    } | {
      /** What kind it is. */
      readonly kind: 'telegram';
      /** The bot’s token. It is a secret, and shown no more. */
      readonly token: string;
      /** The chat that the bot writes to. */
      readonly chatId: string;
      /** Of a Bot API server on this machine; only where the node lets webhooks lead to private addresses. */
      readonly apiUrl?: string;
      /** What to call the place, such as "phone". */
      readonly name: string;
      /** What to be told of. */
      readonly about: readonly ('approvals' | 'disputes' | 'agents' | 'payments' | 'digest' | 'passkey.added')[];
      readonly paymentsFrom?: {
        /** An amount in units of the currency: 42.5 is 42.50 USD. */
        readonly amount: number;
        /** ISO 4217 code in upper case. */
        readonly currency: string;
      } | null;
      /** When the digest is sent, where it is one of the topics: Mondays at 8 in UTC, unless it says another time. */
      readonly digest?: {
        /** 1 is Monday. */
        readonly weekday?: number;
        readonly hour?: number;
        /** IANA time zone. */
        readonly timezone?: string;
      };
      /** Whether notifications tell amounts and merchants, which a locked screen shows to others and a service stores. */
      readonly details?: boolean;
      /** The user whose places they are, named by an OWNER or a key that the node itself made; else the caller. */
      readonly userId?: string;
    };
    readonly output: {
      /** The id of this record. */
      readonly id: string;
      /** What kind it is. */
      readonly kind: 'webPush' | 'plain' | 'email' | 'slack' | 'discord' | 'teams' | 'telegram';
      /** Of a browser, the address at its push service; of an e-mail, its address; of a service whose addresses are secrets, its host and the last characters. */
      readonly url: string;
      /** A name for people. */
      readonly name: string;
      readonly about: readonly ('approvals' | 'disputes' | 'agents' | 'payments' | 'digest' | 'passkey.added')[];
      readonly paymentsFrom?: {
        /** An amount in units of the currency: 42.5 is 42.50 USD. */
        readonly amount: number;
        /** ISO 4217 code in upper case. */
        readonly currency: string;
      };
      /** When the digest is sent, where it is one of the topics: Mondays at 8 in UTC, unless it says another time. */
      readonly digest?: {
        /** 1 is Monday. */
        readonly weekday: number;
        readonly hour: number;
        /** IANA time zone. */
        readonly timezone: string;
      };
      /** The facts behind each reason, by its code; over HTTP errors, the members at fault. */
      readonly details: boolean;
      /** When it was made. */
      readonly createdAt: string;
      /** Since when nothing has arrived there. */
      readonly failingSince?: string;
      /** Why nothing is sent there. unconfirmed: until the code that was sent there is given back. ended: its service says that it takes nothing more, until a test arrives. */
      readonly silent?: 'unconfirmed' | 'ended';
    };
  };
  /** Changes what a place is told of, and how much. */
  readonly changeNotifications: {
    readonly input: {
      /** The id of this record. */
      readonly id: string;
      /** The user whose places they are, named by an OWNER or a key that the node itself made; else the caller. */
      readonly userId?: string;
      /** What to call the place, such as "phone". */
      readonly name: string;
      /** What to be told of. */
      readonly about: readonly ('approvals' | 'disputes' | 'agents' | 'payments' | 'digest' | 'passkey.added')[];
      readonly paymentsFrom?: {
        /** An amount in units of the currency: 42.5 is 42.50 USD. */
        readonly amount: number;
        /** ISO 4217 code in upper case. */
        readonly currency: string;
      } | null;
      /** When the digest is sent, where it is one of the topics: Mondays at 8 in UTC, unless it says another time. */
      readonly digest?: {
        /** 1 is Monday. */
        readonly weekday?: number;
        readonly hour?: number;
        /** IANA time zone. */
        readonly timezone?: string;
      };
      /** Whether notifications tell amounts and merchants, which a locked screen shows to others and a service stores. */
      readonly details?: boolean;
    };
    readonly output: {
      /** The id of this record. */
      readonly id: string;
      /** What kind it is. */
      readonly kind: 'webPush' | 'plain' | 'email' | 'slack' | 'discord' | 'teams' | 'telegram';
      /** Of a browser, the address at its push service; of an e-mail, its address; of a service whose addresses are secrets, its host and the last characters. */
      readonly url: string;
      /** A name for people. */
      readonly name: string;
      readonly about: readonly ('approvals' | 'disputes' | 'agents' | 'payments' | 'digest' | 'passkey.added')[];
      readonly paymentsFrom?: {
        /** An amount in units of the currency: 42.5 is 42.50 USD. */
        readonly amount: number;
        /** ISO 4217 code in upper case. */
        readonly currency: string;
      };
      /** When the digest is sent, where it is one of the topics: Mondays at 8 in UTC, unless it says another time. */
      readonly digest?: {
        /** 1 is Monday. */
        readonly weekday: number;
        readonly hour: number;
        /** IANA time zone. */
        readonly timezone: string;
      };
      /** The facts behind each reason, by its code; over HTTP errors, the members at fault. */
      readonly details: boolean;
      /** When it was made. */
      readonly createdAt: string;
      /** Since when nothing has arrived there. */
      readonly failingSince?: string;
      /** Why nothing is sent there. unconfirmed: until the code that was sent there is given back. ended: its service says that it takes nothing more, until a test arrives. */
      readonly silent?: 'unconfirmed' | 'ended';
    };
  };
  /** Sends notifications to a place no more. */
  readonly removeNotifications: {
    readonly input: {
      /** The id of this record. */
      readonly id: string;
      /** The user whose places they are, named by an OWNER or a key that the node itself made; else the caller. */
      readonly userId?: string;
    };
    readonly output: undefined;
  };
  /** Confirms an e-mail address by the code that was sent there, from when on notifications go there. */
  readonly confirmNotifications: {
    readonly input: {
      /** The id of this record. */
      readonly id: string;
      /** The user whose places they are, named by an OWNER or a key that the node itself made; else the caller. */
      readonly userId?: string;
      /** A stable code for programs. */
      readonly code: string;
    };
    readonly output: {
      /** The id of this record. */
      readonly id: string;
      /** What kind it is. */
      readonly kind: 'webPush' | 'plain' | 'email' | 'slack' | 'discord' | 'teams' | 'telegram';
      /** Of a browser, the address at its push service; of an e-mail, its address; of a service whose addresses are secrets, its host and the last characters. */
      readonly url: string;
      /** A name for people. */
      readonly name: string;
      readonly about: readonly ('approvals' | 'disputes' | 'agents' | 'payments' | 'digest' | 'passkey.added')[];
      readonly paymentsFrom?: {
        /** An amount in units of the currency: 42.5 is 42.50 USD. */
        readonly amount: number;
        /** ISO 4217 code in upper case. */
        readonly currency: string;
      };
      /** When the digest is sent, where it is one of the topics: Mondays at 8 in UTC, unless it says another time. */
      readonly digest?: {
        /** 1 is Monday. */
        readonly weekday: number;
        readonly hour: number;
        /** IANA time zone. */
        readonly timezone: string;
      };
      /** The facts behind each reason, by its code; over HTTP errors, the members at fault. */
      readonly details: boolean;
      /** When it was made. */
      readonly createdAt: string;
      /** Since when nothing has arrived there. */
      readonly failingSince?: string;
      /** Why nothing is sent there. unconfirmed: until the code that was sent there is given back. ended: its service says that it takes nothing more, until a test arrives. */
      readonly silent?: 'unconfirmed' | 'ended';
    };
  };
  /** Sends a trial to a place, and answers how that went. */
  readonly tryNotifications: {
    readonly input: {
      /** The id of this record. */
      readonly id: string;
      /** The user whose places they are, named by an OWNER or a key that the node itself made; else the caller. */
      readonly userId?: string;
    };
    readonly output: WebhookLog;
  };
  /** Invites a person by mail: the link that makes their passkey goes to the mailbox alone. */
  readonly mailInvitation: {
    readonly input: {
      /** Where the link is sent. */
      readonly mail: string;
      /** What they may do; VIEWER where it is not given. */
      readonly role?: 'OWNER' | 'ADMIN' | 'MEMBER' | 'VIEWER';
      /** What to call them; they may choose another name. */
      readonly name?: string;
    };
    readonly output: {
      /** The id of this record. */
      readonly id: string;
      /** OWNER and ADMIN may do everything, MEMBER reads and writes, VIEWER reads. */
      readonly role: 'OWNER' | 'ADMIN' | 'MEMBER' | 'VIEWER';
      /** A name for people. */
      readonly name?: string;
      /** Who they will be, or are. */
      readonly userId: string;
      /** When it was made. */
      readonly createdAt: string;
      /** When it ends. */
      readonly expiresAt: string;
    };
  };
  /** Tells which tools a guard stands before; what was told before is replaced. Answers what people accepted. */
  readonly tellGuard: {
    readonly input: {
      /** What the guard is called, once for each agent. */
      readonly name: string;
      /** The agent, as did:key of its Ed25519 key. */
      readonly agentDid: string;
      readonly servers: readonly {
        /** What the guard calls the server. */
        readonly name: string;
        readonly tools: readonly {
          /** As its server names it. */
          readonly name: string;
          /** What its server calls it for people. */
          readonly title?: string;
          /** Whether it only reads, as far as the guard believes it. */
          readonly readOnly: boolean;
          /** What the rules do with a call: reserve its amount first, forward it, refuse it, or ask the person at the host. */
          readonly action: 'reserve' | 'forward' | 'refuse' | 'ask';
          /** The same in words, with each rule that may hold. */
          readonly rules?: string;
          /** SHA-256 of all that a model is told of it; where it is gone, of what was accepted. */
          readonly hash: string;
          /** How it differs from what a person accepted; absent where it does not. */
          readonly change?: 'added' | 'changed' | 'gone';
          /** All that a model is told of it, as the text (RFC 8785) whose hash `hash` is. A tool is accepted here only with it. */
          readonly definition?: string;
          /** Of a tool that changed: all that a model was told of it when it was accepted, as its guard keeps it. People are shown the difference. */
          readonly accepted?: string;
        }[];
      }[];
    };
    readonly output: Guard;
  };
  /** Lists guards, newest first: which servers each stands before, and how many tools wait for a person. */
  readonly listGuards: {
    readonly input: {
      /** How many records to return, 1 to 200. */
      readonly limit?: number;
      /** The cursor of the page before, as it was returned; null on the last page. */
      readonly cursor?: string;
      /** The agent, as did:key of its Ed25519 key. */
      readonly agentDid?: string;
    };
    readonly output: {
      /** The records of this page. */
      readonly data: readonly {
        /** The id of this record. */
        readonly id: string;
        /** What the guard is called. */
        readonly name: string;
        /** The agent, as did:key of its Ed25519 key. */
        readonly agentDid: string;
        /** How many tools a person has to look at. */
        readonly waiting: number;
        /** When it was made. */
        readonly createdAt: string;
        /** When it told of its tools last. */
        readonly toldAt: string;
        readonly servers: readonly {
          /** A name for people. */
          readonly name: string;
          readonly tools: number;
          readonly waiting: number;
        }[];
      }[];
      /** Whether there is another page. */
      readonly hasMore: boolean;
      /** Leads to the next page; null on the last. */
      readonly cursor: string | null;
      /** The rows of this page that are not in data, since the database has them damaged. */
      readonly damaged?: readonly {
        /** Where the row stands in its list, such as its id or its seq. */
        readonly place: string;
        /** One sentence for a person. */
        readonly message: string;
      }[];
    };
  };
  /** Shows a guard: its tools as it told them last, what its rules do with each, and what a person has accepted. */
  readonly getGuard: {
    readonly input: {
      /** The id of this record. */
      readonly id: string;
    };
    readonly output: Guard;
  };
  /** Accepts tools of a guard as they are, as an OWNER who has logged in. Each is named with the hash of what was looked at. */
  readonly acceptTools: {
    readonly input: {
      /** The id of this record. */
      readonly id: string;
      /** The server that lists them, as the guard calls it. */
      readonly server: string;
      readonly tools: readonly {
        /** As its server names it. */
        readonly name: string;
        /** Of what was looked at. */
        readonly hash: string;
      }[];
    };
    readonly output: Guard;
  };
  /** Removes a guard and what was accepted of it. One that still runs is told so, and calls what it had taken up before; its key ends that. */
  readonly removeGuard: {
    readonly input: {
      /** The id of this record. */
      readonly id: string;
    };
    readonly output: undefined;
  };
  /** Shows when backups are made, where they are kept, and which of them there are. */
  readonly showBackupSchedule: {
    readonly input: Readonly<Record<string, unknown>>;
    readonly output: {
      /** Absent where none is set. */
      readonly schedule?: {
        /** How often one is made. week: each Monday. */
        readonly every: 'hour' | 'day' | 'week';
        /** Of the day, by UTC. It means nothing where one is made each hour. */
        readonly hour: number;
        /** How many stay; older ones are removed once a newer one was tried. */
        readonly keep: number;
        readonly target: {
          /** What kind it is. */
          readonly kind: 'folder';
          /** An absolute path on the node’s machine, best of another disk. It exists. */
          readonly folder: string;
        } | {
          /** What kind it is. */
          readonly kind: 'bucket';
          /** Of Amazon S3 or a service that speaks its protocol, without the bucket: https://s3.eu-central-1.amazonaws.com. */
          readonly endpoint: string;
          /** Such as eu-central-1; some services take “auto”. */
          readonly region: string;
          readonly bucket: string;
          /** What the names of its files begin with, such as node-1/. */
          readonly prefix: string;
          readonly accessKeyId: string;
        };
      };
      /** When the next one is made. */
      readonly nextAt?: string;
      /** trying: it is read back, and restored beside the node. */
      readonly running?: {
        readonly step: 'making' | 'sending' | 'trying';
        readonly startedAt: string;
      };
      /** Of the newest attempt. It is repeated each quarter of an hour. */
      readonly failure?: {
        readonly at: string;
        /** Why. */
        readonly reason: string;
      };
      /** Whether the folder lies on the disk that its backups are to replace. */
      readonly isOnNodesDisk?: boolean;
      /** What lies there, the newest first; each was restored once. */
      readonly kept: readonly {
        readonly fileName: string;
        /** When it was made. */
        readonly createdAt: string;
        readonly bytes: number;
        /** Of the archive, in hexadecimal. */
        readonly sha256: string;
        /** Of evidence, which were verified when it was restored. */
        readonly events: number;
        /** Of all tables. */
        readonly rows: number;
        /** When it was read back from there and restored beside the node. */
        readonly triedAt: string;
      }[];
    };
  };
  /** Sets when backups are made and where they are kept, after trying the place. The first one is made at once. */
  readonly setBackupSchedule: {
    readonly input: {
      /** How often one is made. week: each Monday. */
      readonly every: 'hour' | 'day' | 'week';
      /** Of the day, by UTC. It means nothing where one is made each hour. */
      readonly hour?: number;
      /** How many stay; older ones are removed once a newer one was tried. */
      readonly keep?: number;
      readonly target: {
        /** What kind it is. */
        readonly kind: 'folder';
        /** An absolute path on the node’s machine, best of another disk. It exists. */
        readonly folder: string;
      } | {
        /** What kind it is. */
        readonly kind: 'bucket';
        /** Of Amazon S3 or a service that speaks its protocol, without the bucket: https://s3.eu-central-1.amazonaws.com. */
        readonly endpoint: string;
        /** Such as eu-central-1; some services take “auto”. */
        readonly region?: string;
        readonly bucket: string;
        /** What the names of its files begin with, such as node-1/. */
        readonly prefix?: string;
        readonly accessKeyId: string;
        /** It is sealed, and never shown. Without it the one that was given with this key for this bucket stays. */
        readonly secretAccessKey?: string;
      };
    };
    readonly output: {
      /** Absent where none is set. */
      readonly schedule?: {
        /** How often one is made. week: each Monday. */
        readonly every: 'hour' | 'day' | 'week';
        /** Of the day, by UTC. It means nothing where one is made each hour. */
        readonly hour: number;
        /** How many stay; older ones are removed once a newer one was tried. */
        readonly keep: number;
        readonly target: {
          /** What kind it is. */
          readonly kind: 'folder';
          /** An absolute path on the node’s machine, best of another disk. It exists. */
          readonly folder: string;
        } | {
          /** What kind it is. */
          readonly kind: 'bucket';
          /** Of Amazon S3 or a service that speaks its protocol, without the bucket: https://s3.eu-central-1.amazonaws.com. */
          readonly endpoint: string;
          /** Such as eu-central-1; some services take “auto”. */
          readonly region: string;
          readonly bucket: string;
          /** What the names of its files begin with, such as node-1/. */
          readonly prefix: string;
          readonly accessKeyId: string;
        };
      };
      /** When the next one is made. */
      readonly nextAt?: string;
      /** trying: it is read back, and restored beside the node. */
      readonly running?: {
        readonly step: 'making' | 'sending' | 'trying';
        readonly startedAt: string;
      };
      /** Of the newest attempt. It is repeated each quarter of an hour. */
      readonly failure?: {
        readonly at: string;
        /** Why. */
        readonly reason: string;
      };
      /** Whether the folder lies on the disk that its backups are to replace. */
      readonly isOnNodesDisk?: boolean;
      /** What lies there, the newest first; each was restored once. */
      readonly kept: readonly {
        readonly fileName: string;
        /** When it was made. */
        readonly createdAt: string;
        readonly bytes: number;
        /** Of the archive, in hexadecimal. */
        readonly sha256: string;
        /** Of evidence, which were verified when it was restored. */
        readonly events: number;
        /** Of all tables. */
        readonly rows: number;
        /** When it was read back from there and restored beside the node. */
        readonly triedAt: string;
      }[];
    };
  };
  /** Ends the schedule. What was kept stays where it is. */
  readonly endBackupSchedule: {
    readonly input: Readonly<Record<string, unknown>>;
    readonly output: {
      /** Absent where none is set. */
      readonly schedule?: {
        /** How often one is made. week: each Monday. */
        readonly every: 'hour' | 'day' | 'week';
        /** Of the day, by UTC. It means nothing where one is made each hour. */
        readonly hour: number;
        /** How many stay; older ones are removed once a newer one was tried. */
        readonly keep: number;
        readonly target: {
          /** What kind it is. */
          readonly kind: 'folder';
          /** An absolute path on the node’s machine, best of another disk. It exists. */
          readonly folder: string;
        } | {
          /** What kind it is. */
          readonly kind: 'bucket';
          /** Of Amazon S3 or a service that speaks its protocol, without the bucket: https://s3.eu-central-1.amazonaws.com. */
          readonly endpoint: string;
          /** Such as eu-central-1; some services take “auto”. */
          readonly region: string;
          readonly bucket: string;
          /** What the names of its files begin with, such as node-1/. */
          readonly prefix: string;
          readonly accessKeyId: string;
        };
      };
      /** When the next one is made. */
      readonly nextAt?: string;
      /** trying: it is read back, and restored beside the node. */
      readonly running?: {
        readonly step: 'making' | 'sending' | 'trying';
        readonly startedAt: string;
      };
      /** Of the newest attempt. It is repeated each quarter of an hour. */
      readonly failure?: {
        readonly at: string;
        /** Why. */
        readonly reason: string;
      };
      /** Whether the folder lies on the disk that its backups are to replace. */
      readonly isOnNodesDisk?: boolean;
      /** What lies there, the newest first; each was restored once. */
      readonly kept: readonly {
        readonly fileName: string;
        /** When it was made. */
        readonly createdAt: string;
        readonly bytes: number;
        /** Of the archive, in hexadecimal. */
        readonly sha256: string;
        /** Of evidence, which were verified when it was restored. */
        readonly events: number;
        /** Of all tables. */
        readonly rows: number;
        /** When it was read back from there and restored beside the node. */
        readonly triedAt: string;
      }[];
    };
  };
  /** Has a backup made now, kept where the schedule says, and tried. */
  readonly startScheduledBackup: {
    readonly input: Readonly<Record<string, unknown>>;
    readonly output: {
      /** Absent where none is set. */
      readonly schedule?: {
        /** How often one is made. week: each Monday. */
        readonly every: 'hour' | 'day' | 'week';
        /** Of the day, by UTC. It means nothing where one is made each hour. */
        readonly hour: number;
        /** How many stay; older ones are removed once a newer one was tried. */
        readonly keep: number;
        readonly target: {
          /** What kind it is. */
          readonly kind: 'folder';
          /** An absolute path on the node’s machine, best of another disk. It exists. */
          readonly folder: string;
        } | {
          /** What kind it is. */
          readonly kind: 'bucket';
          /** Of Amazon S3 or a service that speaks its protocol, without the bucket: https://s3.eu-central-1.amazonaws.com. */
          readonly endpoint: string;
          /** Such as eu-central-1; some services take “auto”. */
          readonly region: string;
          readonly bucket: string;
          /** What the names of its files begin with, such as node-1/. */
          readonly prefix: string;
          readonly accessKeyId: string;
        };
      };
      /** When the next one is made. */
      readonly nextAt?: string;
      /** trying: it is read back, and restored beside the node. */
      readonly running?: {
        readonly step: 'making' | 'sending' | 'trying';
        readonly startedAt: string;
      };
      /** Of the newest attempt. It is repeated each quarter of an hour. */
      readonly failure?: {
        readonly at: string;
        /** Why. */
        readonly reason: string;
      };
      /** Whether the folder lies on the disk that its backups are to replace. */
      readonly isOnNodesDisk?: boolean;
      /** What lies there, the newest first; each was restored once. */
      readonly kept: readonly {
        readonly fileName: string;
        /** When it was made. */
        readonly createdAt: string;
        readonly bytes: number;
        /** Of the archive, in hexadecimal. */
        readonly sha256: string;
        /** Of evidence, which were verified when it was restored. */
        readonly events: number;
        /** Of all tables. */
        readonly rows: number;
        /** When it was read back from there and restored beside the node. */
        readonly triedAt: string;
      }[];
    };
  };
}

export interface Row {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  /** Members that travel in the path; the others go into the query of a GET or DELETE, or else into the body. */
  readonly inPath?: readonly string[];
  /** True where a key makes it safe to send the same request again. */
  readonly idempotent?: boolean;
  /** Media types of answers that are text and not JSON. */
  readonly media?: readonly string[];
}

export const operations: { readonly [Name in keyof Operations]: Row } = {
  issueIntent: { method: 'POST', path: '/ap2/intents', idempotent: true },
  listIntents: { method: 'GET', path: '/ap2/intents' },
  getIntent: { method: 'GET', path: '/ap2/intents/:mandateId', inPath: ['mandateId'] },
  validateCart: { method: 'POST', path: '/ap2/carts/validate', idempotent: true },
  mandatePayment: { method: 'POST', path: '/ap2/payments/mandate', idempotent: true },
  authorizeHttpPayment: { method: 'POST', path: '/ap2/http-payments/authorize', idempotent: true },
  settleHttpPayment: { method: 'POST', path: '/ap2/http-payments/settlements' },
  listPayments: { method: 'GET', path: '/ap2/payments' },
  listDisputes: { method: 'GET', path: '/ap2/disputes' },
  answerDispute: { method: 'POST', path: '/ap2/disputes/:id/evidence', inPath: ['id'] },
  submitDispute: { method: 'POST', path: '/ap2/disputes/:id/submitted', inPath: ['id'] },
  getPayment: { method: 'GET', path: '/ap2/payments/:mandateId', inPath: ['mandateId'] },
  downloadDisputePack: { method: 'GET', path: '/ap2/payments/:mandateId/dispute-pack', inPath: ['mandateId'], media: ['application/zip'] },
  capturePayment: { method: 'POST', path: '/ap2/payments/:mandateId/capture', inPath: ['mandateId'], idempotent: true },
  cancelPayment: { method: 'POST', path: '/ap2/payments/:mandateId/cancel', inPath: ['mandateId'], idempotent: true },
  refundPayment: { method: 'POST', path: '/ap2/payments/:mandateId/refund', inPath: ['mandateId'], idempotent: true },
  reconcilePayment: { method: 'POST', path: '/ap2/payments/:mandateId/reconcile', inPath: ['mandateId'] },
  settlePayment: { method: 'POST', path: '/ap2/payments/:mandateId/settle', inPath: ['mandateId'] },
  showCredential: { method: 'GET', path: '/ap2/credentials/:id', inPath: ['id'], media: ['application/vc', 'application/vc+jwt'] },
  showSpend: { method: 'GET', path: '/ap2/admin/spend' },
  exportJournal: { method: 'GET', path: '/ap2/admin/journal', media: ['text/csv', 'text/plain'] },
  showAttention: { method: 'GET', path: '/ap2/admin/attention' },
  search: { method: 'GET', path: '/ap2/admin/search' },
  showHealth: { method: 'GET', path: '/ap2/admin/health' },
  getEscalation: { method: 'GET', path: '/ap2/admin/escalation' },
  setEscalation: { method: 'PUT', path: '/ap2/admin/escalation' },
  startBackup: { method: 'POST', path: '/ap2/admin/backups' },
  showBackup: { method: 'GET', path: '/ap2/admin/backups/latest' },
  downloadBackup: { method: 'GET', path: '/ap2/admin/backups/latest/file', media: ['application/x-tar'] },
  currentPolicy: { method: 'GET', path: '/ap2/policies/current' },
  listPolicies: { method: 'GET', path: '/ap2/policies' },
  replayPolicy: { method: 'POST', path: '/ap2/policies/replay' },
  simulateDraft: { method: 'POST', path: '/ap2/policies/simulate' },
  comparePolicies: { method: 'POST', path: '/ap2/policies/compare' },
  explainPolicy: { method: 'POST', path: '/ap2/policies/explain' },
  createPolicy: { method: 'POST', path: '/ap2/admin/policies', idempotent: true },
  replayDraft: { method: 'POST', path: '/ap2/admin/policies/replay', media: ['application/x-ndjson'] },
  updatePolicy: { method: 'PUT', path: '/ap2/admin/policies/:id', inPath: ['id'], idempotent: true },
  simulatePolicy: { method: 'POST', path: '/ap2/admin/policies/:id/simulate', inPath: ['id'] },
  listDecisions: { method: 'GET', path: '/ap2/decisions' },
  getDecisions: { method: 'GET', path: '/ap2/decisions/:transactionId', inPath: ['transactionId'] },
  registerAgent: { method: 'POST', path: '/ap2/agents', idempotent: true },
  listAgents: { method: 'GET', path: '/ap2/agents' },
  listLimits: { method: 'GET', path: '/ap2/agents/limits' },
  getAgent: { method: 'GET', path: '/ap2/agents/:did', inPath: ['did'] },
  showAgentLimits: { method: 'GET', path: '/ap2/agents/:did/limits', inPath: ['did'] },
  showLimits: { method: 'GET', path: '/ap2/limits' },
  changeAgent: { method: 'PUT', path: '/ap2/agents/:did', inPath: ['did'] },
  revokeAgent: { method: 'POST', path: '/ap2/admin/agents/:did/revoke', inPath: ['did'] },
  suspendAgent: { method: 'POST', path: '/ap2/admin/agents/:did/suspend', inPath: ['did'] },
  reactivateAgent: { method: 'POST', path: '/ap2/admin/agents/:did/reactivate', inPath: ['did'] },
  setAgentVelocity: { method: 'PUT', path: '/ap2/admin/agents/:did/velocity', inPath: ['did'] },
  bindMerchant: { method: 'POST', path: '/ap2/admin/merchants' },
  listMerchants: { method: 'GET', path: '/ap2/admin/merchants' },
  removeMerchant: { method: 'DELETE', path: '/ap2/admin/merchants/:id', inPath: ['id'] },
  registerPrincipal: { method: 'POST', path: '/ap2/admin/principals' },
  listPrincipals: { method: 'GET', path: '/ap2/admin/principals' },
  getPrincipal: { method: 'GET', path: '/ap2/admin/principals/:did', inPath: ['did'] },
  changePrincipal: { method: 'PUT', path: '/ap2/admin/principals/:did', inPath: ['did'] },
  addInstrument: { method: 'POST', path: '/ap2/admin/instruments' },
  listInstruments: { method: 'GET', path: '/ap2/admin/instruments' },
  removeInstrument: { method: 'DELETE', path: '/ap2/admin/instruments/:id', inPath: ['id'] },
  createApiKey: { method: 'POST', path: '/ap2/admin/api-keys', idempotent: true },
  listApiKeys: { method: 'GET', path: '/ap2/admin/api-keys' },
  revokeApiKey: { method: 'DELETE', path: '/ap2/admin/api-keys/:id', inPath: ['id'] },
  listUsers: { method: 'GET', path: '/ap2/admin/users' },
  setUserRole: { method: 'PUT', path: '/ap2/admin/users/:id', inPath: ['id'] },
  removeUser: { method: 'DELETE', path: '/ap2/admin/users/:id', inPath: ['id'] },
  listUserPasskeys: { method: 'GET', path: '/ap2/admin/users/:id/passkeys', inPath: ['id'] },
  removeUserPasskey: { method: 'DELETE', path: '/ap2/admin/users/:id/passkeys/:passkeyId', inPath: ['id', 'passkeyId'] },
  listUserLogins: { method: 'GET', path: '/ap2/admin/users/:id/sessions', inPath: ['id'] },
  endUserLogins: { method: 'POST', path: '/ap2/admin/users/:id/sessions/end', inPath: ['id'] },
  endUserLogin: { method: 'DELETE', path: '/ap2/admin/users/:id/sessions/:loginId', inPath: ['id', 'loginId'] },
  createInvitation: { method: 'POST', path: '/ap2/admin/invitations' },
  listInvitations: { method: 'GET', path: '/ap2/admin/invitations' },
  revokeInvitation: { method: 'DELETE', path: '/ap2/admin/invitations/:id', inPath: ['id'] },
  createWebhook: { method: 'POST', path: '/ap2/admin/webhooks', idempotent: true },
  listWebhooks: { method: 'GET', path: '/ap2/admin/webhooks' },
  listWebhookLogs: { method: 'GET', path: '/ap2/admin/webhooks/logs' },
  getWebhookLog: { method: 'GET', path: '/ap2/admin/webhooks/logs/:id', inPath: ['id'] },
  resendWebhook: { method: 'POST', path: '/ap2/admin/webhooks/logs/:id/resend', inPath: ['id'] },
  getWebhook: { method: 'GET', path: '/ap2/admin/webhooks/:id', inPath: ['id'] },
  updateWebhook: { method: 'PUT', path: '/ap2/admin/webhooks/:id', inPath: ['id'] },
  deleteWebhook: { method: 'DELETE', path: '/ap2/admin/webhooks/:id', inPath: ['id'] },
  testWebhook: { method: 'POST', path: '/ap2/admin/webhooks/:id/test', inPath: ['id'] },
  rotateWebhookSecret: { method: 'POST', path: '/ap2/admin/webhooks/:id/rotate-secret', inPath: ['id'], idempotent: true },
  tailEvents: { method: 'GET', path: '/ap2/admin/events' },
  showListenSecret: { method: 'POST', path: '/ap2/admin/events/secret' },
  streamEvents: { method: 'GET', path: '/ap2/admin/events/stream', media: ['text/event-stream'] },
  currentUser: { method: 'GET', path: '/ap2/auth/me' },
  logout: { method: 'POST', path: '/ap2/auth/logout' },
  beginStepUp: { method: 'POST', path: '/ap2/auth/step-up/begin' },
  completeStepUp: { method: 'POST', path: '/ap2/auth/step-up/complete' },
  allowProgram: { method: 'POST', path: '/ap2/auth/programs/allow' },
  listOwnPasskeys: { method: 'GET', path: '/ap2/auth/passkeys' },
  beginOwnPasskey: { method: 'POST', path: '/ap2/auth/passkeys/begin' },
  completeOwnPasskey: { method: 'POST', path: '/ap2/auth/passkeys/complete' },
  renameOwnPasskey: { method: 'PUT', path: '/ap2/auth/passkeys/:id', inPath: ['id'] },
  removeOwnPasskey: { method: 'DELETE', path: '/ap2/auth/passkeys/:id', inPath: ['id'] },
  listLogins: { method: 'GET', path: '/ap2/auth/sessions' },
  endOwnLogins: { method: 'POST', path: '/ap2/auth/sessions/end' },
  endOwnLogin: { method: 'DELETE', path: '/ap2/auth/sessions/:id', inPath: ['id'] },
  exportEvidence: { method: 'GET', path: '/ap2/evidence/export', media: ['text/csv', 'application/x-ndjson'] },
  searchEvidence: { method: 'GET', path: '/ap2/evidence/search' },
  evidenceBundle: { method: 'GET', path: '/ap2/evidence/bundle/:transactionId', inPath: ['transactionId'] },
  verifyEvidence: { method: 'GET', path: '/ap2/evidence/verify' },
  listCheckpoints: { method: 'GET', path: '/ap2/evidence/checkpoints' },
  proveConsistency: { method: 'GET', path: '/ap2/evidence/checkpoints/:size/consistency', inPath: ['size'] },
  proveInclusion: { method: 'GET', path: '/ap2/evidence/checkpoints/:size/inclusion/:seq', inPath: ['size', 'seq'] },
  createEnrollment: { method: 'POST', path: '/ap2/admin/enrollments' },
  beginPasskeyRegistration: { method: 'POST', path: '/ap2/hp/webauthn/register/begin' },
  completePasskeyRegistration: { method: 'POST', path: '/ap2/hp/webauthn/register/complete' },
  beginPresence: { method: 'POST', path: '/ap2/hp/webauthn/auth/begin' },
  completePresence: { method: 'POST', path: '/ap2/hp/webauthn/auth/complete' },
  listPasskeys: { method: 'GET', path: '/ap2/hp/passkeys' },
  listPrincipalPasskeys: { method: 'GET', path: '/ap2/principals/:did/passkeys', inPath: ['did'] },
  removePasskey: { method: 'DELETE', path: '/ap2/hp/passkeys/:id', inPath: ['id'] },
  listApprovals: { method: 'GET', path: '/ap2/approvals' },
  checkApproval: { method: 'POST', path: '/ap2/approvals/verify' },
  getApproval: { method: 'GET', path: '/ap2/approvals/:id', inPath: ['id'] },
  denyApproval: { method: 'POST', path: '/ap2/approvals/:id/deny', inPath: ['id'] },
  remindApprovers: { method: 'POST', path: '/ap2/approvals/:id/remind', inPath: ['id'] },
  createSession: { method: 'POST', path: '/a2a/sessions' },
  listSessions: { method: 'GET', path: '/a2a/sessions' },
  getSession: { method: 'GET', path: '/a2a/sessions/:contextId', inPath: ['contextId'] },
  demoCart: { method: 'POST', path: '/ap2/demo/cart' },
  demoPayment: { method: 'POST', path: '/ap2/demo/payment' },
  demoPresenceProof: { method: 'POST', path: '/ap2/demo/hp-proof' },
  demoDispute: { method: 'POST', path: '/ap2/demo/dispute' },
  demoDisputeEnd: { method: 'POST', path: '/ap2/demo/dispute/end' },
  demoRefundFailure: { method: 'POST', path: '/ap2/demo/refund-failure' },
  resetTestData: { method: 'POST', path: '/ap2/admin/reset-test-data' },
  createSpt: { method: 'POST', path: '/admin/spt', idempotent: true },
  listSpts: { method: 'GET', path: '/admin/spt' },
  sptOverview: { method: 'GET', path: '/admin/spt/stats/overview' },
  getSpt: { method: 'GET', path: '/admin/spt/:id', inPath: ['id'] },
  revokeSpt: { method: 'POST', path: '/admin/spt/:id/revoke', inPath: ['id'] },
  listTaskRecords: { method: 'GET', path: '/ap2/tasks' },
  getTaskRecord: { method: 'GET', path: '/ap2/tasks/:id', inPath: ['id'] },
  cancelTaskRecord: { method: 'POST', path: '/ap2/tasks/:id/cancel', inPath: ['id'] },
  validateUcpCheckout: { method: 'POST', path: '/ap2/carts/validate/ucp', idempotent: true },
  validateAp2Cart: { method: 'POST', path: '/ap2/carts/validate/ap2', idempotent: true },
  verifyMandate: { method: 'POST', path: '/ap2/mandates/verify' },
  issuePaymentCredential: { method: 'POST', path: '/ap2/payment-credentials', idempotent: true },
  revokePaymentCredential: { method: 'POST', path: '/ap2/payment-credentials/revoke' },
  verifyReceipt: { method: 'POST', path: '/ap2/receipts/verify' },
  registerDelegation: { method: 'POST', path: '/ap2/delegations', idempotent: true },
  previewDelegation: { method: 'POST', path: '/ap2/delegations/preview' },
  listDelegations: { method: 'GET', path: '/ap2/delegations' },
  getDelegation: { method: 'GET', path: '/ap2/delegations/:id', inPath: ['id'] },
  revokeDelegation: { method: 'POST', path: '/ap2/delegations/:id/revoke', inPath: ['id'] },
  createMandateChallenge: { method: 'POST', path: '/ap2/mandate-challenges' },
  addMandateIssuer: { method: 'POST', path: '/ap2/admin/mandate-issuers' },
  listMandateIssuers: { method: 'GET', path: '/ap2/admin/mandate-issuers' },
  removeMandateIssuer: { method: 'DELETE', path: '/ap2/admin/mandate-issuers/:id', inPath: ['id'] },
  demoAp2Cart: { method: 'POST', path: '/ap2/demo/cart/ap2' },
  validateAcpSession: { method: 'POST', path: '/ap2/carts/validate/acp', idempotent: true },
  createWallet: { method: 'POST', path: '/ap2/admin/wallets' },
  listWallets: { method: 'GET', path: '/ap2/admin/wallets' },
  getWallet: { method: 'GET', path: '/ap2/admin/wallets/:id', inPath: ['id'] },
  removeWallet: { method: 'DELETE', path: '/ap2/admin/wallets/:id', inPath: ['id'] },
  reserveExternally: { method: 'POST', path: '/ap2/external/reservations', idempotent: true },
  commitReservation: { method: 'POST', path: '/ap2/external/reservations/:mandateId/commit', inPath: ['mandateId'], idempotent: true },
  releaseReservation: { method: 'POST', path: '/ap2/external/reservations/:mandateId/release', inPath: ['mandateId'], idempotent: true },
  readStatement: { method: 'POST', path: '/ap2/external/statements' },
  signHttpRequest: { method: 'POST', path: '/ap2/http-signatures', idempotent: true },
  showNotifications: { method: 'GET', path: '/ap2/auth/notifications' },
  addNotifications: { method: 'POST', path: '/ap2/auth/notifications' },
  changeNotifications: { method: 'PUT', path: '/ap2/auth/notifications/:id', inPath: ['id'] },
  removeNotifications: { method: 'DELETE', path: '/ap2/auth/notifications/:id', inPath: ['id'] },
  confirmNotifications: { method: 'POST', path: '/ap2/auth/notifications/:id/confirm', inPath: ['id'] },
  tryNotifications: { method: 'POST', path: '/ap2/auth/notifications/:id/try', inPath: ['id'] },
  mailInvitation: { method: 'POST', path: '/ap2/admin/invitations/mail' },
  tellGuard: { method: 'PUT', path: '/ap2/guards' },
  listGuards: { method: 'GET', path: '/ap2/guards' },
  getGuard: { method: 'GET', path: '/ap2/guards/:id', inPath: ['id'] },
  acceptTools: { method: 'POST', path: '/ap2/guards/:id/accept', inPath: ['id'] },
  removeGuard: { method: 'DELETE', path: '/ap2/guards/:id', inPath: ['id'] },
  showBackupSchedule: { method: 'GET', path: '/ap2/admin/backups/schedule' },
  setBackupSchedule: { method: 'PUT', path: '/ap2/admin/backups/schedule' },
  endBackupSchedule: { method: 'DELETE', path: '/ap2/admin/backups/schedule' },
  startScheduledBackup: { method: 'POST', path: '/ap2/admin/backups/schedule/start' },
};

/** Every reason code, in the order in which reasons are reported. */
export const reasonCodes = [
  'AMOUNT_OVER_CAP',
  'CURRENCY_NOT_ALLOWED',
  'MERCHANT_NOT_ALLOWED',
  'MERCHANT_DENIED',
  'MCC_DENIED',
  'VELOCITY_EXCEEDED',
  'SPENDING_LIMIT_EXCEEDED',
  'TIME_WINDOW_VIOLATED',
  'GEO_RESTRICTED',
  'ANOMALY_DETECTED',
  'CART_EXCEEDS_INTENT',
  'MERCHANT_MISMATCH',
  'INTENT_EXPIRED',
  'APPROVAL_TOKEN_EXPIRED',
  'AGENT_REVOKED',
  'HP_REQUIRED',
  'HP_INVALID',
  'AGENT_SUSPENDED',
  'AGENT_NOT_DELEGATED',
  'INTENT_USED',
  'CART_EXPIRED',
  'CART_USED',
  'MERCHANT_UNVERIFIED',
  'RAIL_UNAVAILABLE',
  'DUPLICATE_SUSPECTED',
  'MANDATE_INVALID',
  'MANDATE_USED',
  'MANDATE_REVOKED',
  'CHECKOUT_MISMATCH',
  'CONSTRAINT_VIOLATED',
  'CONSTRAINT_UNRESOLVED',
] as const;

/** What people call the rules, by the reason codes and causes that decisions have for them, and where a policy has each. */
export const ruleNames: Readonly<Record<string, { readonly name: string; readonly path: string }>> = {
  AMOUNT_OVER_CAP: { name: 'The most for one purchase', path: 'spend.amount_cap' },
  CURRENCY_NOT_ALLOWED: { name: 'Currency', path: 'spend.currency' },
  MERCHANT_NOT_ALLOWED: { name: 'Merchants that are allowed', path: 'merchant.allow_list' },
  MERCHANT_DENIED: { name: 'Merchants that are denied', path: 'merchant.deny_list' },
  MCC_DENIED: { name: 'Categories', path: 'spend.categories' },
  manual: { name: 'A person at every purchase', path: 'context.presence' },
  threshold: { name: 'A person above an amount', path: 'context.presence_threshold' },
  new_merchant: { name: 'A person at a new merchant', path: 'context.presence_new_merchant' },
  approval: { name: 'Approval by several people', path: 'context.approval' },
  VELOCITY_EXCEEDED: { name: 'Purchases in a window', path: 'risk.velocity_limit' },
  SPENDING_LIMIT_EXCEEDED: { name: 'Spending in a window', path: 'risk.velocity_limit' },
  limit: { name: 'A person over a limit', path: 'risk.limits' },
  TIME_WINDOW_VIOLATED: { name: 'Times', path: 'context.time_windows' },
  GEO_RESTRICTED: { name: 'Countries', path: 'context.geo' },
  ANOMALY_DETECTED: { name: 'Unusual amounts', path: 'risk.anomaly' },
  anomaly: { name: 'A person at an unusual amount', path: 'risk.anomaly' },
  DUPLICATE_SUSPECTED: { name: 'The same purchase again', path: 'risk.duplicate' },
  duplicate: { name: 'A person at the same purchase again', path: 'risk.duplicate' },
};

/** What people call the webhook events, by their types. */
export const webhookEvents = {
  'payment.authorized': 'An amount is reserved',
  'payment.captured': 'Money is taken',
  'payment.failed': 'A payment fails',
  'payment.refunded': 'Money goes back',
  'payment.refund_failed': 'A refund fails',
  'payment.disputed': 'A payment is disputed',
  'payment.dispute_closed': 'A dispute is closed',
  'intent.issued': 'An agent is given permission',
  'intent.denied': 'An agent is refused permission',
  'intent.expired': 'A permission runs out',
  'cart.validated': 'A cart is accepted',
  'cart.rejected': 'A cart is not accepted',
  'approval.requested': 'A person is asked',
  'approval.approved': 'A person approves',
  'approval.denied': 'A purchase is denied',
  'approval.expired': 'An approval expires',
  'agent.created': 'An agent is added',
  'agent.revoked': 'An agent is revoked',
  'agent.suspended': 'An agent is frozen',
  'agent.reactivated': 'An agent may buy again',
  'policy.updated': 'A policy changes',
  'policy.violation': 'A request breaks a limit',
} as const;
