/**
 * Every operation of the facade, its types and where its members travel. Written by scripts/client.mjs from the routes
 * and schemas of the node; do not edit.
 */

export type IntentRequest = {
  /** The agent, as did:key of its Ed25519 key. */
  readonly agentDid: string;
  /** The person or organization the agent buys for, as did:key. */
  readonly principalDid: string;
  /** What is asked for. */
  readonly request: {
    /** The most that may be spent, in units of the currency: 42.5 is 42.50 USD. */
    readonly maxAmount: number;
    /** ISO 4217 code in upper case. */
    readonly currency: string;
    /** What is known of the merchant beforehand. A cart from another domain is rejected. */
    readonly vendorHints?: VendorHints;
  };
  /** When it ends. */
  readonly expiresAt?: string;
  /** The same key with the same body gets the same answer for 24 hours, instead of a second effect. */
  readonly idempotencyKey?: string;
};

export type VendorHints = {
  /** The merchant’s domain. */
  readonly domain?: string;
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
};

export type PaymentRequest = {
  /** Exchanged once for a payment mandate, `apt_…`. */
  readonly approvalToken: string;
  /** A signature of the user for high-value payments. */
  readonly userAuthorization?: string;
  /** The payment method: one registered for the agent or its principal; in the sandbox also a test card, such as pm_card_visa or pm_card_visa_chargeDeclined. */
  readonly instrument?: string;
  /** The same key with the same body gets the same answer for 24 hours, instead of a second effect. */
  readonly idempotencyKey?: string;
};

export type CreatePolicy = {
  /** A name for people. */
  readonly name: string;
  /** The rules. A rule that is not known is refused. */
  readonly rules: Rules;
  /** Whether it becomes the current policy at once. */
  readonly activate?: boolean;
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
    readonly categories?: readonly (
      | 'groceries'
      | 'alcohol'
      | 'tobacco'
      | 'restaurants'
      | 'bars'
      | 'general_merchandise'
      | 'household'
      | 'home_improvement'
      | 'electronics'
      | 'clothing'
      | 'jewelry'
      | 'books'
      | 'music'
      | 'toys'
      | 'hobbies'
      | 'gifts'
      | 'art_and_antiques'
      | 'second_hand'
      | 'sporting_goods'
      | 'office_supplies'
      | 'beauty'
      | 'pharmacy'
      | 'health'
      | 'pets'
      | 'software'
      | 'digital_goods'
      | 'subscriptions'
      | 'telecom'
      | 'utilities'
      | 'fuel'
      | 'vehicles'
      | 'transport'
      | 'airlines'
      | 'car_rental'
      | 'lodging'
      | 'travel'
      | 'shipping'
      | 'entertainment'
      | 'sports_and_fitness'
      | 'education'
      | 'childcare'
      | 'personal_services'
      | 'dating'
      | 'repairs'
      | 'business_services'
      | 'professional_services'
      | 'real_estate'
      | 'insurance'
      | 'financial'
      | 'money_transfer'
      | 'gambling'
      | 'adult'
      | 'charity'
      | 'memberships'
      | 'government'
    )[];
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
  };
  /** When, where, and with whom present. */
  readonly context?: {
    /** optional: by the rules below. required: always. never: what needs a person is denied. */
    readonly presence?: 'optional' | 'required' | 'never';
    /** An amount above it needs a person. */
    readonly presence_threshold?: number;
    /** Whether the first purchase at a merchant needs a person. */
    readonly presence_new_merchant?: boolean;
    /** What a presence proof must be bound to. */
    readonly presence_binding?: 'cart' | 'agent';
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
    /** What to do about an amount far above what the agent paid before. */
    readonly anomaly?: {
      /** Payments there must be before it is judged. */
      readonly min_history: number;
      /** Standard deviations above the mean. */
      readonly max_deviation: number;
      /** Deny it, or ask for a person. */
      readonly action: 'deny' | 'presence';
    };
  };
  /** Which payment rails, in which order. */
  readonly rails?: {
    /** Those that are allowed; all when absent or empty. */
    readonly allow?: readonly string[];
    /** The order in which they are tried. */
    readonly priorities?: readonly string[];
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
  readonly timeWindow: string;
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
  readonly events: readonly (
    | 'payment.authorized'
    | 'payment.captured'
    | 'payment.failed'
    | 'payment.refunded'
    | 'payment.disputed'
    | 'intent.issued'
    | 'intent.denied'
    | 'intent.expired'
    | 'cart.validated'
    | 'cart.rejected'
    | 'agent.created'
    | 'agent.revoked'
    | 'policy.updated'
    | 'policy.violation'
  )[];
  /** Signs every delivery; one is made when none is given. Shown in this answer only. */
  readonly secret?: string;
  /** The same key with the same body gets the same answer for 24 hours, instead of a second effect. */
  readonly idempotencyKey?: string;
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
  /** The intent, `intent_…`. */
  readonly intentId?: string;
  /** SHA-256 of the canonical cart without its proof, `sha256:…`. */
  readonly cartHash?: string;
  /** The passkey that was touched. */
  readonly credentialId: string;
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
  readonly reasonCodes: readonly (
    | 'AMOUNT_OVER_CAP'
    | 'CURRENCY_NOT_ALLOWED'
    | 'MERCHANT_NOT_ALLOWED'
    | 'MERCHANT_DENIED'
    | 'MCC_DENIED'
    | 'VELOCITY_EXCEEDED'
    | 'SPENDING_LIMIT_EXCEEDED'
    | 'TIME_WINDOW_VIOLATED'
    | 'GEO_RESTRICTED'
    | 'ANOMALY_DETECTED'
    | 'CART_EXCEEDS_INTENT'
    | 'MERCHANT_MISMATCH'
    | 'INTENT_EXPIRED'
    | 'APPROVAL_TOKEN_EXPIRED'
    | 'AGENT_REVOKED'
    | 'HP_REQUIRED'
    | 'HP_INVALID'
    | 'AGENT_SUSPENDED'
    | 'INTENT_USED'
    | 'CART_EXPIRED'
    | 'MERCHANT_UNVERIFIED'
    | 'RAIL_UNAVAILABLE'
  )[];
  /** The facts behind each reason, by its code; over HTTP errors, the members at fault. */
  readonly details: Readonly<
    Record<
      string,
      {
        /** What was asked for. */
        readonly requested?: number;
        /** What the rule allows. */
        readonly limit?: number;
        /** ISO 4217 code in upper case. */
        readonly currency?: string;
        /** One sentence for a person. */
        readonly message: string;
      }
    >
  >;
};

export type IntentResult =
  | {
      /** Whether the policy allows it. */
      readonly allowed: true;
      /** The signed intent: a W3C Verifiable Credential. */
      readonly intentVc: Credential;
      /** Which policy this was judged by. */
      readonly attestation: Attestation;
      /** Whether the person must be present when the cart is validated. */
      readonly hpRequired: boolean;
    }
  | Refusal;

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
  /** The person or organization the agent buys for, as did:key. */
  readonly principalDid: string;
  /** The merchant’s domain. */
  readonly merchantDomain?: string;
  /** The transaction that ties intent, cart, payment and evidence together, `txn_…`. */
  readonly transactionId: string;
  /** The signed intent: a W3C Verifiable Credential. */
  readonly intentVc: Credential;
  /** Which policy this was judged by. */
  readonly attestation: Attestation;
};

export type CartResult =
  | {
      /** Whether the policy allows it. */
      readonly allowed: true;
      /** Exchanged once for a payment mandate, `apt_…`. */
      readonly approvalToken: string;
      /** The approval token is good until then. */
      readonly approvalTokenExpiresAt: string;
      /** Which rail will be asked, and why. */
      readonly railDecision: RailDecision;
      /** SHA-256 of the canonical cart without its proof, `sha256:…`. */
      readonly cartHash: string;
    }
  | {
      /** Whether the policy allows it. */
      readonly allowed: false;
      /** Every reason against it, in a fixed order. */
      readonly reasonCodes: readonly (
        | 'AMOUNT_OVER_CAP'
        | 'CURRENCY_NOT_ALLOWED'
        | 'MERCHANT_NOT_ALLOWED'
        | 'MERCHANT_DENIED'
        | 'MCC_DENIED'
        | 'VELOCITY_EXCEEDED'
        | 'SPENDING_LIMIT_EXCEEDED'
        | 'TIME_WINDOW_VIOLATED'
        | 'GEO_RESTRICTED'
        | 'ANOMALY_DETECTED'
        | 'CART_EXCEEDS_INTENT'
        | 'MERCHANT_MISMATCH'
        | 'INTENT_EXPIRED'
        | 'APPROVAL_TOKEN_EXPIRED'
        | 'AGENT_REVOKED'
        | 'HP_REQUIRED'
        | 'HP_INVALID'
        | 'AGENT_SUSPENDED'
        | 'INTENT_USED'
        | 'CART_EXPIRED'
        | 'MERCHANT_UNVERIFIED'
        | 'RAIL_UNAVAILABLE'
      )[];
      /** The facts behind each reason, by its code; over HTTP errors, the members at fault. */
      readonly details: Readonly<
        Record<
          string,
          {
            /** What was asked for. */
            readonly requested?: number;
            /** What the rule allows. */
            readonly limit?: number;
            /** ISO 4217 code in upper case. */
            readonly currency?: string;
            /** One sentence for a person. */
            readonly message: string;
          }
        >
      >;
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
  /** The page where the person approves or denies; give it to them. */
  readonly url: string;
  /** When it ends. */
  readonly expiresAt: string;
};

export type Approval = {
  /** The id of this record. */
  readonly id: string;
  /** The page where the person approves or denies; give it to them. */
  readonly url: string;
  /** When it ends. */
  readonly expiresAt: string;
  /** Where the request stands. */
  readonly status: 'pending' | 'approved' | 'denied' | 'expired';
  /** The agent, as did:key of its Ed25519 key. */
  readonly agentDid: string;
  /** The intent, `intent_…`. */
  readonly intentId: string;
  /** The transaction that ties intent, cart, payment and evidence together, `txn_…`. */
  readonly transactionId: string;
  /** SHA-256 of the canonical cart without its proof, `sha256:…`. */
  readonly cartHash: string;
  /** The merchant’s domain. */
  readonly merchant: string;
  /** An amount in units of the currency: 42.5 is 42.50 USD. */
  readonly amount: number;
  /** ISO 4217 code in upper case. */
  readonly currency: string;
  /** Why a person is asked, one sentence for each rule. */
  readonly causes: readonly {
    /** Which rule asks for a person. */
    readonly cause: 'threshold' | 'new_merchant' | 'anomaly' | 'manual';
    /** One sentence for a person. */
    readonly message: string;
  }[];
  /** When it was made. */
  readonly createdAt: string;
  /** When it was approved or denied. */
  readonly decidedAt?: string;
};

export type ApprovalState = {
  /** The id of this record. */
  readonly id: string;
  /** The page where the person approves or denies; give it to them. */
  readonly url: string;
  /** When it ends. */
  readonly expiresAt: string;
  /** Where the request stands. */
  readonly status: 'pending' | 'approved' | 'denied' | 'expired';
  /** The agent, as did:key of its Ed25519 key. */
  readonly agentDid: string;
  /** The intent, `intent_…`. */
  readonly intentId: string;
  /** The transaction that ties intent, cart, payment and evidence together, `txn_…`. */
  readonly transactionId: string;
  /** SHA-256 of the canonical cart without its proof, `sha256:…`. */
  readonly cartHash: string;
  /** The merchant’s domain. */
  readonly merchant: string;
  /** An amount in units of the currency: 42.5 is 42.50 USD. */
  readonly amount: number;
  /** ISO 4217 code in upper case. */
  readonly currency: string;
  /** Why a person is asked, one sentence for each rule. */
  readonly causes: readonly {
    /** Which rule asks for a person. */
    readonly cause: 'threshold' | 'new_merchant' | 'anomaly' | 'manual';
    /** One sentence for a person. */
    readonly message: string;
  }[];
  /** When it was made. */
  readonly createdAt: string;
  /** When it was approved or denied. */
  readonly decidedAt?: string;
  /** The signed statement that the person was present. */
  readonly hpProof?: HpProof;
};

export type Passkey = {
  /** The id of this record. */
  readonly id: string;
  /** The agent, as did:key of its Ed25519 key. */
  readonly agentDid: string;
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
};

export type PaymentResult =
  | {
      /** The signed payment mandate: a W3C Verifiable Credential. */
      readonly pmVc: Credential;
      /** What the rail answered. */
      readonly railResponse: RailResponse;
    }
  | Refusal;

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
  readonly status:
    | 'PENDING'
    | 'UNKNOWN'
    | 'AUTHORIZED'
    | 'CAPTURED'
    | 'PARTIALLY_REFUNDED'
    | 'REFUNDED'
    | 'DISPUTED'
    | 'FAILED'
    | 'CANCELED';
  /** An amount in units of the currency: 42.5 is 42.50 USD. */
  readonly amount: number;
  /** ISO 4217 code in upper case. */
  readonly currency: string;
  /** The merchant’s domain. */
  readonly merchant: string;
  /** The payment rail. */
  readonly rail: string;
  /** How much was taken so far. */
  readonly captured: number;
  /** How much was given back so far. */
  readonly refunded: number;
  /** When it was made. */
  readonly createdAt: string;
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
  readonly status:
    | 'PENDING'
    | 'UNKNOWN'
    | 'AUTHORIZED'
    | 'CAPTURED'
    | 'PARTIALLY_REFUNDED'
    | 'REFUNDED'
    | 'DISPUTED'
    | 'FAILED'
    | 'CANCELED';
  /** An amount in units of the currency: 42.5 is 42.50 USD. */
  readonly amount: number;
  /** ISO 4217 code in upper case. */
  readonly currency: string;
  /** The merchant’s domain. */
  readonly merchant: string;
  /** The payment rail. */
  readonly rail: string;
  /** How much was taken so far. */
  readonly captured: number;
  /** How much was given back so far. */
  readonly refunded: number;
  /** When it was made. */
  readonly createdAt: string;
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
  readonly reasonCodes: readonly (
    | 'AMOUNT_OVER_CAP'
    | 'CURRENCY_NOT_ALLOWED'
    | 'MERCHANT_NOT_ALLOWED'
    | 'MERCHANT_DENIED'
    | 'MCC_DENIED'
    | 'VELOCITY_EXCEEDED'
    | 'SPENDING_LIMIT_EXCEEDED'
    | 'TIME_WINDOW_VIOLATED'
    | 'GEO_RESTRICTED'
    | 'ANOMALY_DETECTED'
    | 'CART_EXCEEDS_INTENT'
    | 'MERCHANT_MISMATCH'
    | 'INTENT_EXPIRED'
    | 'APPROVAL_TOKEN_EXPIRED'
    | 'AGENT_REVOKED'
    | 'HP_REQUIRED'
    | 'HP_INVALID'
    | 'AGENT_SUSPENDED'
    | 'INTENT_USED'
    | 'CART_EXPIRED'
    | 'MERCHANT_UNVERIFIED'
    | 'RAIL_UNAVAILABLE'
  )[];
  /** The facts behind each reason, by its code; over HTTP errors, the members at fault. */
  readonly details: Readonly<
    Record<
      string,
      {
        /** What was asked for. */
        readonly requested?: number;
        /** What the rule allows. */
        readonly limit?: number;
        /** ISO 4217 code in upper case. */
        readonly currency?: string;
        /** One sentence for a person. */
        readonly message: string;
      }
    >
  >;
  /** Whether the person must be present when the cart is validated. */
  readonly hpRequired: boolean;
  /** When the policy was tried. */
  readonly evaluatedAt: string;
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
  /** What it is for. */
  readonly description: string;
  /** What it can do. */
  readonly capabilities: readonly string[];
  /** The Ed25519 public key: base58 of its 32 bytes, or multibase `z6Mk…`. */
  readonly publicKey: string;
  /** The agent’s own velocity limit, in place of the policy’s. */
  readonly velocity: VelocityLimit | null;
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
  readonly timeWindow: string;
};

export type Merchant = {
  /** The id of this record. */
  readonly id: string;
  /** The merchant’s domain. */
  readonly domain: string;
  /** A did:key: `did:key:z6Mk…`. */
  readonly did: string;
  /** The account of the merchant at the payment rail. */
  readonly railAccountId?: string;
  /** The merchant as the network of the rail knows it; shared payment tokens name it. */
  readonly railProfileId?: string;
  /** When it was made. */
  readonly createdAt: string;
};

export type Instrument = {
  /** The id of this record. */
  readonly id: string;
  /** The agent, as did:key of its Ed25519 key. */
  readonly agentDid?: string;
  /** The person or organization the agent buys for, as did:key. */
  readonly principalDid?: string;
  /** The payment method by its name at the rail. */
  readonly paymentMethod: string;
  /** Whose it is, by the name at the rail. */
  readonly customer?: string;
  /** When it was made. */
  readonly createdAt: string;
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
  readonly revoked: number;
  /** What the tokens were good for, by currency and state. */
  readonly amounts: Readonly<
    Record<
      string,
      {
        /** The sum of price × quantity, exactly. */
        readonly total: number;
        readonly active: number;
        readonly used: number;
        readonly expired: number;
        readonly revoked: number;
      }
    >
  >;
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
  readonly events: readonly (
    | 'payment.authorized'
    | 'payment.captured'
    | 'payment.failed'
    | 'payment.refunded'
    | 'payment.disputed'
    | 'intent.issued'
    | 'intent.denied'
    | 'intent.expired'
    | 'cart.validated'
    | 'cart.rejected'
    | 'agent.created'
    | 'agent.revoked'
    | 'policy.updated'
    | 'policy.violation'
  )[];
  /** The state it is in. */
  readonly status: 'ACTIVE' | 'DISABLED';
  /** When it was made. */
  readonly createdAt: string;
  /** paused: by its owner. gone: it answered 410. failing: nothing arrived for five days. */
  readonly disabledReason?: 'paused' | 'gone' | 'failing';
  /** Since when every attempt has failed. */
  readonly failingSince?: string;
  /** Until then the former secret signs as well. */
  readonly previousSecretUntil?: string;
};

export type NewWebhook = {
  /** The id of this record. */
  readonly id: string;
  /** Where events are posted to; https, and public in production. */
  readonly url: string;
  /** Which events are posted there. */
  readonly events: readonly (
    | 'payment.authorized'
    | 'payment.captured'
    | 'payment.failed'
    | 'payment.refunded'
    | 'payment.disputed'
    | 'intent.issued'
    | 'intent.denied'
    | 'intent.expired'
    | 'cart.validated'
    | 'cart.rejected'
    | 'agent.created'
    | 'agent.revoked'
    | 'policy.updated'
    | 'policy.violation'
  )[];
  /** The state it is in. */
  readonly status: 'ACTIVE' | 'DISABLED';
  /** When it was made. */
  readonly createdAt: string;
  /** paused: by its owner. gone: it answered 410. failing: nothing arrived for five days. */
  readonly disabledReason?: 'paused' | 'gone' | 'failing';
  /** Since when every attempt has failed. */
  readonly failingSince?: string;
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
  /** The HTTP status; 0 where there was no answer. */
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
  /** What kind of failure it was. */
  readonly error?:
    | 'blocked'
    | 'dns'
    | 'refused'
    | 'unreachable'
    | 'reset'
    | 'truncated'
    | 'timeout'
    | 'tls'
    | 'protocol'
    | 'network'
    | 'redirect'
    | 'status';
  /** The first 1 KiB of what was answered. */
  readonly answer?: string;
};

export type WebhookEvent = {
  /** The id of this record. */
  readonly id: string;
  /** What kind of document this is. */
  readonly type:
    | 'payment.authorized'
    | 'payment.captured'
    | 'payment.failed'
    | 'payment.refunded'
    | 'payment.disputed'
    | 'intent.issued'
    | 'intent.denied'
    | 'intent.expired'
    | 'cart.validated'
    | 'cart.rejected'
    | 'agent.created'
    | 'agent.revoked'
    | 'policy.updated'
    | 'policy.violation';
  /** When it was signed. */
  readonly created: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** When, where, and with whom present. */
  readonly context: {
    /** The agent, as did:key of its Ed25519 key. */
    readonly agentDid?: string;
    /** The person or organization the agent buys for, as did:key. */
    readonly principalDid?: string;
    /** The intent, `intent_…`. */
    readonly intentId?: string;
  };
  /** Only on samples: nothing has happened. */
  readonly test?: true;
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
    };
    readonly output: {
      /** The records of this page. */
      readonly data: readonly IntentSummary[];
      /** Whether there is another page. */
      readonly hasMore: boolean;
      /** Leads to the next page; null on the last. */
      readonly cursor: string | null;
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
  /** Lists payments, newest first. */
  readonly listPayments: {
    readonly input: {
      /** How many records to return, 1 to 200. */
      readonly limit?: number;
      /** The cursor of the page before, as it was returned; null on the last page. */
      readonly cursor?: string;
      /** The state it is in. */
      readonly status?:
        | 'PENDING'
        | 'UNKNOWN'
        | 'AUTHORIZED'
        | 'CAPTURED'
        | 'PARTIALLY_REFUNDED'
        | 'REFUNDED'
        | 'DISPUTED'
        | 'FAILED'
        | 'CANCELED';
      /** The agent, as did:key of its Ed25519 key. */
      readonly agentDid?: string;
    };
    readonly output: {
      /** The records of this page. */
      readonly data: readonly Payment[];
      /** Whether there is another page. */
      readonly hasMore: boolean;
      /** Leads to the next page; null on the last. */
      readonly cursor: string | null;
    };
  };
  /** Shows one payment with its mandate. */
  readonly getPayment: {
    readonly input: {
      /** The mandate: `intent_…` for an intent, `pm_…` for a payment. */
      readonly mandateId: string;
    };
    readonly output: PaymentRecord;
  };
  /** Takes the authorized amount, or part of it. */
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
  /** Lets go of an authorization and of what it reserved. */
  readonly cancelPayment: {
    readonly input: {
      /** The mandate: `intent_…` for an intent, `pm_…` for a payment. */
      readonly mandateId: string;
      /** The same key with the same body gets the same answer for 24 hours, instead of a second effect. */
      readonly idempotencyKey?: string;
    };
    readonly output: Payment;
  };
  /** Gives the captured amount back, or part of it. */
  readonly refundPayment: {
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
    };
  };
  /** Creates a policy; it becomes the current one unless "activate" is false. */
  readonly createPolicy: {
    readonly input: CreatePolicy;
    readonly output: Policy;
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
      /** The same key with the same body gets the same answer for 24 hours, instead of a second effect. */
      readonly idempotencyKey?: string;
    };
    readonly output: Policy;
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
      };
    };
    readonly output: Simulation;
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
  /** Revokes an agent for good and voids the approvals it holds. */
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
  /** Lets a suspended agent ask again. */
  readonly reactivateAgent: {
    readonly input: {
      /** A did:key: `did:key:z6Mk…`. */
      readonly did: string;
    };
    readonly output: Agent;
  };
  /** Gives an agent a velocity limit of its own, in place of the policy’s limit per agent. */
  readonly setAgentVelocity: {
    readonly input: {
      /** A did:key: `did:key:z6Mk…`. */
      readonly did: string;
    } & VelocityLimitInput;
    readonly output: Agent;
  };
  /** Binds a key to a merchant’s domain, so that carts it signs are trusted. */
  readonly bindMerchant: {
    readonly input: {
      /** The merchant’s domain. */
      readonly domain: string;
      /** A did:key: `did:key:z6Mk…`. */
      readonly did: string;
      /** The account of the merchant at the payment rail. */
      readonly railAccountId?: string;
      /** The merchant as the network of the rail knows it; shared payment tokens name it. */
      readonly railProfileId?: string;
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
    };
  };
  /** Takes a merchant’s key out of the registry. */
  readonly removeMerchant: {
    readonly input: {
      /** The id of this record. */
      readonly id: string;
    };
    readonly output: undefined;
  };
  /** Registers what an agent, or everybody who buys for a principal, pays with. */
  readonly addInstrument: {
    readonly input: {
      /** The agent, as did:key of its Ed25519 key. */
      readonly agentDid?: string;
      /** The person or organization the agent buys for, as did:key. */
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
    };
    readonly output: {
      /** The records of this page. */
      readonly data: readonly Instrument[];
      /** Whether there is another page. */
      readonly hasMore: boolean;
      /** Leads to the next page; null on the last. */
      readonly cursor: string | null;
    };
  };
  /** Takes a payment method back; purchases from now on cannot use it. */
  readonly removeInstrument: {
    readonly input: {
      /** The id of this record. */
      readonly id: string;
    };
    readonly output: undefined;
  };
  /** Makes a token with which one merchant can be paid once. */
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
  /** Takes a shared payment token back: nothing can be paid with it any more. */
  readonly revokeSpt: {
    readonly input: {
      /** The id of this record. */
      readonly id: string;
    };
    readonly output: Spt;
  };
  /** Makes an API key; the answer is the only place where it is shown. */
  readonly createApiKey: {
    readonly input: {
      /** A name for people. */
      readonly name: string;
      /** What the key may do: any of read, write and admin. None implies another. */
      readonly permissions: readonly ('read' | 'write' | 'admin')[];
      /** Which rate limit holds. */
      readonly tier?: 'free' | 'pro' | 'enterprise';
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
      /** When it was made. */
      readonly createdAt: string;
      /** The API key. It is shown this once. */
      readonly key: string;
    };
  };
  /** Lists API keys, revoked ones too, newest first; of a key itself nothing is known any more. */
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
      }[];
      /** Whether there is another page. */
      readonly hasMore: boolean;
      /** Leads to the next page; null on the last. */
      readonly cursor: string | null;
    };
  };
  /** Revokes an API key; from the answer on it is refused. Revoking it again changes nothing. */
  readonly revokeApiKey: {
    readonly input: {
      /** The id of this record. */
      readonly id: string;
    };
    readonly output: undefined;
  };
  /** Lists people who have logged in, newest first. */
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
        /** The address the identity provider vouched for. */
        readonly email: string | null;
        /** OWNER and ADMIN may do everything, MEMBER reads and writes, VIEWER reads. */
        readonly role: 'OWNER' | 'ADMIN' | 'MEMBER' | 'VIEWER';
        /** When it was made. */
        readonly createdAt: string;
        /** When this person last logged in. */
        readonly lastLoginAt: string;
      }[];
      /** Whether there is another page. */
      readonly hasMore: boolean;
      /** Leads to the next page; null on the last. */
      readonly cursor: string | null;
    };
  };
  /** Gives a person another role. Needs an OWNER or an admin key; one OWNER always remains. */
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
      /** The address the identity provider vouched for. */
      readonly email: string | null;
      /** OWNER and ADMIN may do everything, MEMBER reads and writes, VIEWER reads. */
      readonly role: 'OWNER' | 'ADMIN' | 'MEMBER' | 'VIEWER';
      /** When it was made. */
      readonly createdAt: string;
      /** When this person last logged in. */
      readonly lastLoginAt: string;
    };
  };
  /** Removes a person and ends their logins; whom the identity provider lets in again starts as VIEWER. */
  readonly removeUser: {
    readonly input: {
      /** The id of this record. */
      readonly id: string;
    };
    readonly output: undefined;
  };
  /** Subscribes an address to events. The answer is the only place where the secret is shown. */
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
      readonly eventId?: string;
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
  /** Posts the event of a log record once more, under the same event id, and answers how that went. */
  readonly resendWebhook: {
    readonly input: {
      /** The id of this record. */
      readonly id: string;
    };
    readonly output: WebhookLog;
  };
  /** Shows a webhook subscription. */
  readonly getWebhook: {
    readonly input: {
      /** The id of this record. */
      readonly id: string;
    };
    readonly output: Webhook;
  };
  /** Changes the address or the events of a subscription, pauses it, or lets it go on. */
  readonly updateWebhook: {
    readonly input: {
      /** The id of this record. */
      readonly id: string;
      /** Where events are posted to; https, and public in production. */
      readonly url?: string;
      /** Which events are posted there. */
      readonly events?: readonly (
        | 'payment.authorized'
        | 'payment.captured'
        | 'payment.failed'
        | 'payment.refunded'
        | 'payment.disputed'
        | 'intent.issued'
        | 'intent.denied'
        | 'intent.expired'
        | 'cart.validated'
        | 'cart.rejected'
        | 'agent.created'
        | 'agent.revoked'
        | 'policy.updated'
        | 'policy.violation'
      )[];
      /** The state it is in. */
      readonly status?: 'ACTIVE' | 'DISABLED';
    };
    readonly output: Webhook;
  };
  /** Deletes a subscription and what was still to be delivered to it. Its log stays. */
  readonly deleteWebhook: {
    readonly input: {
      /** The id of this record. */
      readonly id: string;
    };
    readonly output: undefined;
  };
  /** Posts a signed sample once, whatever the subscription asks for, and answers how that went. */
  readonly testWebhook: {
    readonly input: {
      /** The id of this record. */
      readonly id: string;
      /** Which event; the first that is subscribed to when not given. */
      readonly event?:
        | 'payment.authorized'
        | 'payment.captured'
        | 'payment.failed'
        | 'payment.refunded'
        | 'payment.disputed'
        | 'intent.issued'
        | 'intent.denied'
        | 'intent.expired'
        | 'cart.validated'
        | 'cart.rejected'
        | 'agent.created'
        | 'agent.revoked'
        | 'policy.updated'
        | 'policy.violation';
    };
    readonly output: WebhookLog;
  };
  /** Gives a subscription a new secret. For 24 hours the former one signs as well. */
  readonly rotateWebhookSecret: {
    readonly input: {
      /** The id of this record. */
      readonly id: string;
      /** Signs every delivery; one is made when none is given. Shown in this answer only. */
      readonly secret?: string;
    };
    readonly output: NewWebhook;
  };
  /** Gives webhook events as they happen: those since the cursor, or waits for the next one. */
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
      /** Signs what is forwarded; always the same for this tenant. */
      readonly secret: string;
    };
  };
  /** Tells who calls: the person of a login, the agent of a DID proof, the issuer for an API key. */
  readonly currentUser: {
    readonly input: Readonly<Record<string, unknown>>;
    readonly output: {
      /** A did:key: `did:key:z6Mk…`. */
      readonly did: string;
      /** The address the identity provider vouched for. */
      readonly email: string | null;
      /** OWNER and ADMIN may do everything, MEMBER reads and writes, VIEWER reads. */
      readonly role: 'OWNER' | 'ADMIN' | 'MEMBER' | 'VIEWER';
      /** The tenant, `tnt_…`. */
      readonly tenantId: string;
    };
  };
  /** Ends the login of the caller at once, its tokens with it; other credentials have nothing to end. */
  readonly logout: {
    readonly input: Readonly<Record<string, unknown>>;
    readonly output: undefined;
  };
  /** Exports evidence, oldest first, as JSON, NDJSON or CSV, and says whether the chain holds over that range. */
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
    };
  };
  /** Shows one transaction’s evidence and whether the chain over it holds. */
  readonly evidenceBundle: {
    readonly input: {
      /** The transaction that ties intent, cart, payment and evidence together, `txn_…`. */
      readonly transactionId: string;
      /** portable: one signed file that can be checked without this node. */
      readonly format?: 'summary' | 'portable';
    };
    readonly output:
      | EvidenceBundle
      | {
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
            /** By the key of `from`. */
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
            readonly cart?: Credential;
            /** What became of the payment. */
            readonly payment?: Credential;
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
          /** optional: by the rules below. required: always. never: what needs a person is denied. */
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
        /** The signed note: origin, size, root, and the issuer’s signature. */
        readonly note: string;
        /** When it was made. */
        readonly createdAt: string;
      }[];
      /** Whether there is another page. */
      readonly hasMore: boolean;
      /** Leads to the next page; null on the last. */
      readonly cursor: string | null;
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
        /** The signed note: origin, size, root, and the issuer’s signature. */
        readonly note: string;
        /** When it was made. */
        readonly createdAt: string;
      };
      /** Up to this moment. */
      readonly to: {
        /** How many events it is over. */
        readonly size: number;
        /** The signed note: origin, size, root, and the issuer’s signature. */
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
        /** The signed note: origin, size, root, and the issuer’s signature. */
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
  /** Makes a link by which a person enrolls one passkey for an agent, without any other credential. */
  readonly createEnrollment: {
    readonly input: {
      /** The agent, as did:key of its Ed25519 key. */
      readonly agentDid: string;
      /** A name for the passkey; the person may choose another. */
      readonly deviceName?: string;
      /** How long the link works. */
      readonly ttlSeconds?: number;
    };
    readonly output: {
      /** The id of this record. */
      readonly id: string;
      /** The agent, as did:key of its Ed25519 key. */
      readonly agentDid: string;
      /** Opens the page that enrolls a passkey, once. It is shown this once; treat it as a password. */
      readonly url: string;
      /** When it ends. */
      readonly expiresAt: string;
    };
  };
  /** Begins to enroll a passkey for an agent’s owner: options for the browser. */
  readonly beginPasskeyRegistration: {
    readonly input: {
      /** The agent, as did:key of its Ed25519 key. */
      readonly agentDid: string;
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
      /** The agent, as did:key of its Ed25519 key. */
      readonly agentDid: string;
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
      /** SHA-256 of the canonical cart without its proof, `sha256:…`. */
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
  /** Checks the touch of a passkey and answers with the signed proof of presence. */
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
    };
    readonly output: {
      /** The records of this page. */
      readonly data: readonly Passkey[];
      /** Whether there is another page. */
      readonly hasMore: boolean;
      /** Leads to the next page; null on the last. */
      readonly cursor: string | null;
    };
  };
  /** Takes a passkey away; it approves nothing from then on. */
  readonly removePasskey: {
    readonly input: {
      /** The id of this record. */
      readonly id: string;
    };
    readonly output: undefined;
  };
  /** Lists requests for approval, newest first. */
  readonly listApprovals: {
    readonly input: {
      /** How many records to return, 1 to 200. */
      readonly limit?: number;
      /** The cursor of the page before, as it was returned; null on the last page. */
      readonly cursor?: string;
      /** Where the request stands. */
      readonly status?: 'pending' | 'approved' | 'denied' | 'expired';
    };
    readonly output: {
      /** The records of this page. */
      readonly data: readonly Approval[];
      /** Whether there is another page. */
      readonly hasMore: boolean;
      /** Leads to the next page; null on the last. */
      readonly cursor: string | null;
    };
  };
  /** Tells where a request for approval stands, at once or when it is decided; once approved, with the proof. */
  readonly getApproval: {
    readonly input: {
      /** The id of this record. */
      readonly id: string;
      /** Seconds to wait for a decision before the answer says "pending". */
      readonly wait?: number;
    };
    readonly output: ApprovalState;
  };
  /** Denies a request for approval; the agent that asked may withdraw its own. Denying it again changes nothing. */
  readonly denyApproval: {
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
    };
  };
  /** Shows a session: its status, how many messages it carried, and what was mandated in it. */
  readonly getSession: {
    readonly input: {
      /** The session a message belongs to, chosen by the agent. */
      readonly contextId: string;
    };
    readonly output: Session;
  };
  /** Makes a cart signed by the sandbox’s demo merchant. */
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
      /** The person or organization the agent buys for, as did:key. */
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
      readonly payment?:
        | PaymentResult
        | (PaymentResult & {
            /** The payment once captured. */
            readonly capture: Payment;
          });
      /** What was recorded, oldest first. */
      readonly evidence: readonly EvidenceEvent[];
    };
  };
  /** Makes a proof of human presence signed by the sandbox’s demo key. */
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
  /** Has the sandbox’s card holder dispute a captured payment. */
  readonly demoDispute: {
    readonly input: {
      /** The mandate: `intent_…` for an intent, `pm_…` for a payment. */
      readonly mandateId: string;
      /** Why. */
      readonly reason?: string;
    };
    readonly output: Payment;
  };
  /** Clears intents, carts, payments, evidence and velocity. A new evidence chain starts. */
  readonly resetTestData: {
    readonly input: Readonly<Record<string, unknown>>;
    readonly output: undefined;
  };
}

export interface Row {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  /** Members that travel in the path; the others go into the query of a GET or DELETE, or else into the body. */
  readonly inPath?: readonly string[];
  /** True where a key makes it safe to send the same request again. */
  readonly idempotent?: boolean;
}

export const operations: { readonly [Name in keyof Operations]: Row } = {
  issueIntent: { method: 'POST', path: '/ap2/intents', idempotent: true },
  listIntents: { method: 'GET', path: '/ap2/intents' },
  getIntent: { method: 'GET', path: '/ap2/intents/:mandateId', inPath: ['mandateId'] },
  validateCart: { method: 'POST', path: '/ap2/carts/validate', idempotent: true },
  mandatePayment: { method: 'POST', path: '/ap2/payments/mandate', idempotent: true },
  listPayments: { method: 'GET', path: '/ap2/payments' },
  getPayment: { method: 'GET', path: '/ap2/payments/:mandateId', inPath: ['mandateId'] },
  capturePayment: { method: 'POST', path: '/ap2/payments/:mandateId/capture', inPath: ['mandateId'], idempotent: true },
  cancelPayment: { method: 'POST', path: '/ap2/payments/:mandateId/cancel', inPath: ['mandateId'], idempotent: true },
  refundPayment: { method: 'POST', path: '/ap2/payments/:mandateId/refund', inPath: ['mandateId'], idempotent: true },
  currentPolicy: { method: 'GET', path: '/ap2/policies/current' },
  listPolicies: { method: 'GET', path: '/ap2/policies' },
  createPolicy: { method: 'POST', path: '/ap2/admin/policies', idempotent: true },
  updatePolicy: { method: 'PUT', path: '/ap2/admin/policies/:id', inPath: ['id'], idempotent: true },
  simulatePolicy: { method: 'POST', path: '/ap2/admin/policies/:id/simulate', inPath: ['id'] },
  registerAgent: { method: 'POST', path: '/ap2/agents', idempotent: true },
  listAgents: { method: 'GET', path: '/ap2/agents' },
  getAgent: { method: 'GET', path: '/ap2/agents/:did', inPath: ['did'] },
  revokeAgent: { method: 'POST', path: '/ap2/admin/agents/:did/revoke', inPath: ['did'] },
  suspendAgent: { method: 'POST', path: '/ap2/admin/agents/:did/suspend', inPath: ['did'] },
  reactivateAgent: { method: 'POST', path: '/ap2/admin/agents/:did/reactivate', inPath: ['did'] },
  setAgentVelocity: { method: 'PUT', path: '/ap2/admin/agents/:did/velocity', inPath: ['did'] },
  bindMerchant: { method: 'POST', path: '/ap2/admin/merchants' },
  listMerchants: { method: 'GET', path: '/ap2/admin/merchants' },
  removeMerchant: { method: 'DELETE', path: '/ap2/admin/merchants/:id', inPath: ['id'] },
  addInstrument: { method: 'POST', path: '/ap2/admin/instruments' },
  listInstruments: { method: 'GET', path: '/ap2/admin/instruments' },
  removeInstrument: { method: 'DELETE', path: '/ap2/admin/instruments/:id', inPath: ['id'] },
  createSpt: { method: 'POST', path: '/admin/spt', idempotent: true },
  listSpts: { method: 'GET', path: '/admin/spt' },
  sptOverview: { method: 'GET', path: '/admin/spt/stats/overview' },
  getSpt: { method: 'GET', path: '/admin/spt/:id', inPath: ['id'] },
  revokeSpt: { method: 'POST', path: '/admin/spt/:id/revoke', inPath: ['id'] },
  createApiKey: { method: 'POST', path: '/ap2/admin/api-keys', idempotent: true },
  listApiKeys: { method: 'GET', path: '/ap2/admin/api-keys' },
  revokeApiKey: { method: 'DELETE', path: '/ap2/admin/api-keys/:id', inPath: ['id'] },
  listUsers: { method: 'GET', path: '/ap2/admin/users' },
  setUserRole: { method: 'PUT', path: '/ap2/admin/users/:id', inPath: ['id'] },
  removeUser: { method: 'DELETE', path: '/ap2/admin/users/:id', inPath: ['id'] },
  createWebhook: { method: 'POST', path: '/ap2/admin/webhooks', idempotent: true },
  listWebhooks: { method: 'GET', path: '/ap2/admin/webhooks' },
  listWebhookLogs: { method: 'GET', path: '/ap2/admin/webhooks/logs' },
  resendWebhook: { method: 'POST', path: '/ap2/admin/webhooks/logs/:id/resend', inPath: ['id'] },
  getWebhook: { method: 'GET', path: '/ap2/admin/webhooks/:id', inPath: ['id'] },
  updateWebhook: { method: 'PUT', path: '/ap2/admin/webhooks/:id', inPath: ['id'] },
  deleteWebhook: { method: 'DELETE', path: '/ap2/admin/webhooks/:id', inPath: ['id'] },
  testWebhook: { method: 'POST', path: '/ap2/admin/webhooks/:id/test', inPath: ['id'] },
  rotateWebhookSecret: {
    method: 'POST',
    path: '/ap2/admin/webhooks/:id/rotate-secret',
    inPath: ['id'],
    idempotent: true,
  },
  tailEvents: { method: 'GET', path: '/ap2/admin/events' },
  currentUser: { method: 'GET', path: '/ap2/auth/me' },
  logout: { method: 'POST', path: '/ap2/auth/logout' },
  exportEvidence: { method: 'GET', path: '/ap2/evidence/export' },
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
  removePasskey: { method: 'DELETE', path: '/ap2/hp/passkeys/:id', inPath: ['id'] },
  listApprovals: { method: 'GET', path: '/ap2/approvals' },
  getApproval: { method: 'GET', path: '/ap2/approvals/:id', inPath: ['id'] },
  denyApproval: { method: 'POST', path: '/ap2/approvals/:id/deny', inPath: ['id'] },
  createSession: { method: 'POST', path: '/a2a/sessions' },
  listSessions: { method: 'GET', path: '/a2a/sessions' },
  getSession: { method: 'GET', path: '/a2a/sessions/:contextId', inPath: ['contextId'] },
  demoCart: { method: 'POST', path: '/ap2/demo/cart' },
  demoPayment: { method: 'POST', path: '/ap2/demo/payment' },
  demoPresenceProof: { method: 'POST', path: '/ap2/demo/hp-proof' },
  demoDispute: { method: 'POST', path: '/ap2/demo/dispute' },
  resetTestData: { method: 'POST', path: '/ap2/admin/reset-test-data' },
};
