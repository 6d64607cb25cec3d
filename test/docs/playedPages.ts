/** What the pages of docs/ print when they are played, and which of their blocks are not, with the reason. */

/** Languages of blocks that show something and do nothing. */
export const SHOWN: readonly string[] = ['json', 'text', 'mermaid', 'toml'];

/** Pages that ask for a person: the test touches a passkey in their place. */
export const WITH_PERSON: readonly string[] = [
  'docs/tutorials/tutorial-agent.md',
  'docs/tutorials/tutorial-agent-python.md',
  'docs/tutorials/tutorial-mcp.md',
];

/** Pages that start a node themselves. */
export const OWN_NODE: readonly string[] = [
  'docs/tutorials/tutorial-auditor.md',
  'docs/tutorials/tutorial-operator.md',
];

/** What the Python package takes to be installed from a checkout. */
const PYTHON_NEEDS = ['hatchling', 'cryptography', 'httpx', 'pydantic'];

/** What pages have pip install. */
export const PYTHON_PACKAGES: Readonly<Record<string, readonly string[]>> = {
  'docs/guides/check-it-yourself.md': ['jwcrypto'],
  'docs/guides/python.md': PYTHON_NEEDS,
  'docs/tutorials/tutorial-agent-python.md': PYTHON_NEEDS,
};

/** What each page with blocks to play is to print. */
export const TOLD: Readonly<Record<string, readonly RegExp[]>> = {
  'README.md': [
    / wants .*[\s\S]*\. The agents are revoked\.\n/,
    /status: 'requires_capture'/,
    /"valid":true/,
    /'INTENT_ISSUED',\s+'CART_VALIDATED',\s+'PM_ISSUED',\s+'PAYMENT_AUTHORIZED'/,
    /\/enroll\//,
    /allowed: true\n$/,
  ],
  'docs/guides/a2a.md': [/TASK_STATE_COMPLETED \[ 'intentResult', 'cartResult', 'paymentResult' \]\n$/],
  'docs/guides/ap2.md': [/"allowed":true/, /"amount":42.5,.*"status":"requires_capture"/],
  'docs/reference/mandate-chains.md': [
    /"valid":true/,
    /"valid":false,"reason":"It is for another checkout than the one whose hash was given\."/,
    /^Hop 1 of 2 {2}mandate\.payment\.open\.1 {2}example\+sd-jwt, key surface-1, 2 disclosed, 1 withheld$/m,
    /^amount +42\.00 USD$/m,
    /^It holds\. Whether it was used before, only a ledger knows\.$/m,
  ],
  'docs/guides/authentication.md': [
    /"hasMore":false/,
    /403 FORBIDDEN$/m,
    /intent_/m,
    /\/welcome\//,
    /The login goes on at http.*code_challenge=/,
    /"email":"alice@people.example","role":"OWNER"/,
    /alice@people.example is OWNER$/m,
    /"type":"IntentResult"/,
    /AMOUNT_OVER_CAP 500.00 USD is 300.00 over the cap/m,
    /HTTP\/1.1 101 Switching Protocols/,
    /small IntentResult$/m,
    /large Refused by policy: AMOUNT_OVER_CAP/m,
  ],
  'docs/reference/credentials.md': [
    /Domain +shop\.example\nDID +did:key:z6Mk\w+\nCategory +5411\nCountry +US\n/,
    /\n29\.9 USD for shop\.example, sha256:\w{3}…\ntrue\n$/,
  ],
  'docs/explanation/evidence.md': [/^\d+ events hold$/m, /✓/, /countersign\/evidence\/\w+=did:key/],
  'docs/reference/extensions/approval.md': [
    /^as signed: approved\namount 299 in the binding: action, challenge\n[\s\S]*of another cart: action\n$/,
  ],
  'docs/reference/extensions/did-proof.md': [/^true\n$/],
  'docs/guides/mcp.md': [/ak_test_\w{32}/],
  'docs/guides/deploy.md': [/^PORT +environment +\d+$/m],
  'docs/guides/monitoring.md': [/is ready\./, /✓ evidence +\d+ chained events hold/],
  'docs/guides/backup.md': [
    /before-upgrade\.tar: \d+ rows, \d+ chained events/,
    /elsewhere\.tar: \d+ rows/,
    /Made +each day at 2:00 UTC\nKept +the newest 14, /,
    /before-upgrade\.tar can be restored, to /,
    /✓ restored holds the backup of .*every chain verified/,
    /✓ evidence +\d+ chained events hold/,
    /chained events arrived as they were[\s\S]*chained events arrived as they were/,
    /Next: copy issuer\.key and root\.key to back/,
  ],
  'docs/guides/overview.md': [/"from":"2026-11-01"|"data":\[\]|"total/],
  'docs/reference/policies.md': [
    /2 of 2 cases came out as expected\.\n0 requests: /,
    /spend\.presence_cap +looser +cap with a person 200 → 250 USD\n/,
    /The current policy is another one\.\nversion 2 of "Household" is in force .*\nPolicy +pol_\w+\nVersion +2, current\nName +Household\n/,
    /The rules are the same\.\n$/,
  ],
  'docs/guides/examples.md': [
    /^130 purchases over 30 days, .*\n[\s\S]*chained events, valid$/m,
    / wants .* at \S+\.example, for .*\n[\s\S]*\. The agents are revoked\.\n$/m,
  ],
  'docs/guides/check-it-yourself.md': [
    /^(?=[\s\S]*jose: 29\.9 USD for shop\.example, holds\n)(?=[\s\S]*document: 29\.9 USD for shop\.example, holds\n)(?=[\s\S]*python: 29\.9 USD for shop\.example, holds\n)/,
    /jose: .*, revoked\ndocument: .*, revoked\npython: .*, revoked\n$/,
  ],
  'docs/guides/python.md': [
    /^paid: 29\.9 USD requires_capture\nmandate holds: True$/m,
    /^CAPTURED 29\.9 Coffee beans, 1 kg and 1 other\n404 NOT_FOUND$/m,
    /^Sandbox.* True$/m,
    /^\['buy', 'wait_for_approval', .*\]\n\{"allowed": false, .*"It would pass with at most 200\.00 USD\./m,
  ],
  'docs/guides/payment-credentials.md': [
    /^\{"allowed":true,"approvalToken":.*\n.*"status":"requires_capture".*"paymentReceipt":.*\n.*"reasonCodes":\["MANDATE_USED"\]/m,
  ],
  'docs/guides/http-payments.md': [/true mpp Authorization\n/, /"status":"CAPTURED"/],
  'docs/guides/external-payments.md': [/^CAPTURED\n/m, /true 24\.5 USD\n/, /"status":"CAPTURED".*"captured":20/],
  'docs/guides/acp.md': [/acct_1TeaShop/, /^\[ 'payment_data' \]\nCAPTURED 15\n/m],
  'docs/guides/signed-requests.md': [
    /^Signature,Signature-Agent,Signature-Input$/m,
    /^Signature-Agent +dictionary$/m,
    /\{"keys":\[\{"kty":"OKP"/,
  ],
  'docs/guides/ucp.md': [
    /"dev\.ucp\.shopping\.ap2_mandate"/,
    /^requires_capture true$/m,
    /^completed: chk_ 2990 USD$/m,
  ],
  'docs/guides/stripe.md': [/"pm_1QkPaymentMethod"/, /"spt_\w+"/],
  'docs/tutorials/tutorial-agent.md': [
    /^paid: requires_capture$/m,
    /\/enroll\//,
    /^HP_REQUIRED 150\.00 USD is 50\.00 over .*\nThe person decides at .*\napproved with the person: true$/m,
    /^AMOUNT_OVER_CAP .*\nMERCHANT_DENIED .*\n404 NOT_FOUND http.*\/docs\/errors#NOT_FOUND\n$/m,
  ],
  'docs/tutorials/tutorial-agent-python.md': [
    /^paid: requires_capture pm_\w+$/m,
    /"used": 42\.5,\s+"left": 177\.5/,
    /^AMOUNT_OVER_CAP .*\nSPENDING_LIMIT_EXCEEDED .*\nOf 220 USD in 24h 177\.5 is left\.\nIt would pass with at most 177\.50 USD\.$/m,
    /\/enroll\//,
    /^Waiting for the person, at .*\npaid: requires_capture pm_\w+$/m,
    /It would pass with at most 27\.50 USD; or from \S+Z on, if nothing else is bought until then\.\n$/,
  ],
  'docs/tutorials/tutorial-auditor.md': [
    /^chain\.json has 12 events, as json\.\n✓ The chain of 12 events holds\.\n.* cosigned by the witness witness\.example$/m,
    /^✓ txn_\w+ holds, in a chain of 12 events; .*\n(.*\n){5}.*PAYMENT_REFUNDED \(event 12\)\n.* cosigned by /m,
    /^countersign\/evidence\/tnt_\w+\n12\n.*\n\n— did:key:.*\n— witness\.example /m,
    /^✓ The chain of 15 events holds\.$/m,
    /^✗ events: .* event 8 does not match its hash\.\nexit code 1\n✗ kept checkpoint: .* it had 15 events .* has 12 now\.\nexit code 1\n/m,
  ],
  'docs/tutorials/tutorial-merchant.md': [
    /^signed: 29\.9 USD until \S+Z$/m,
    /^(pm_\w+): 29\.9 USD for shop\.example\nINVALID_MANDATE .*\n[\s\S]*delivered 204 .*\nwithout a signature: 401\n[\s\S]*\npayment\.captured a sample\nrefused: .*\npayment\.captured \1\n$/m,
  ],
  'docs/tutorials/tutorial-mcp.md': [
    /^check_limits: .*300\.00 USD of 300\.00 USD is left\.\npolicy_explain: It would be allowed\.$/m,
    /^list_purchases: pm_\w+: 42\.50 USD to shop\.example, AUTHORIZED$/m,
    /^policy_explain: It would be refused\. .* It would pass with at most 200\.00 USD\.\nrequest_intent: Refused\. /m,
    /^wait_for_approval: The person approved; .*\nvalidate_cart: The cart is approved .*\npay: The rail says requires_capture /m,
  ],
  'docs/tutorials/tutorial-operator.md': [
    /^DATA_DIR +environment +\/.*\/data$/m,
    /"soon": must be a whole number\nexit code 2$|^exit code 2$/m,
    /is ready\.\nCountersign sandbox node on SQLite$/m,
    /^(pm_\w+) +CAPTURED [\s\S]*\n✓ evidence +\d+ chained events hold\.[\s\S]*\ncountersign_decisions_total\{step="mandatePayment",outcome="allowed"\} 1\n[\s\S]*\n\1 +CAPTURED /m,
    /^✓ rehearsal holds the backup of .*every chain verified\.$/m,
    /^✓ The database has schema version \d+, the newest\.$/m,
  ],
  'docs/tutorials/tutorial-owner.md': [
    /Own limit +5 purchases and 300\.00 USD in 24h/,
    /3 of 3 cases came out as expected\./,
    /Version +2, current/,
    /Works once, until/,
    /AGENT_CREATED +Shopping agent/,
    /Status +SUSPENDED[\s\S]+Status +ACTIVE[\s\S]+Status +REVOKED/,
    /✓ The chain of \d+ events holds\.\n$/,
  ],
  'docs/reference/webhooks.md': [/"secret":"whsec_/, /payment\.captured/, /^listening$/m],
};

interface NotPlayed {
  readonly page: string;
  /** The first line of the block. */
  readonly begins: string;
  readonly reason: string;
}

const not = (page: string, begins: string, reason: string): NotPlayed => ({ page, begins, reason });

/** The blocks that no test plays as a reader would. */
export const NOT_PLAYED: readonly NotPlayed[] = [
  not(
    'README.md',
    'npm start',
    'installs the packages and serves until it is stopped: test/node and test/cli start it',
  ),
  not('README.md', 'npm test', 'is the suite that this test is a part of'),
  not('README.md', 'claude mcp add --transport http', 'a host of another maker'),
  not('docs/guides/a2a.md', 'import { followTask }', 'names a task of the reader’s: test/client/followTask'),
  not(
    'docs/guides/a2a.md',
    'import asyncio',
    'A2A’s library for Python, which is not everywhere: test/python/a2aSdk plays it where it is',
  ),
  not(
    'docs/guides/ap2.md',
    'countersign merchant bind shop.example --jwk',
    'three ways to choose from: test/cli/merchant',
  ),
  not(
    'docs/explanation/evidence.md',
    '$ countersign witness --log',
    'serves until it is stopped, for a chain of the reader: test/extensions/witness',
  ),
  not('docs/reference/commands.md', 'countersign login', 'a person allows it in a browser: test/browser/programLogin'),
  not('docs/explanation/evidence.md', 'WITNESSES="friend.example', 'a setting, as a witness printed it'),
  not(
    'docs/explanation/evidence.md',
    '$ countersign evidence verify bundle.json',
    'needs a bundle that a witness cosigned: test/extensions/witness',
  ),
  not('docs/guides/deploy.md', '$ npm run build:binary', 'takes minutes, and the rights of root: test/binary'),
  not('docs/guides/containers.md', '$ docker build', 'needs a daemon for containers: test/binary, test/deploy'),
  not('docs/guides/containers.md', '# docker run', 'needs a daemon for containers: test/binary'),
  not('docs/guides/containers.md', '$ sh deploy/secrets.sh', 'needs a cluster: test/deploy'),
  not('docs/guides/deploy.md', 'AP2_ENV=production', 'settings of a service under systemd'),
  not('docs/guides/deploy.md', '# systemctl enable --now countersign', 'needs systemd'),
  not('docs/guides/backup.md', '$ export AWS_ACCESS_KEY_ID', 'needs a bucket: test/cli/backup'),
  not('docs/guides/backup.md', '$ pg_dump', 'needs the tools of PostgreSQL'),
  not('docs/guides/witness.md', "# echo 'WITNESS_ARGUMENTS", 'needs systemd'),
  not('docs/guides/keys.md', '$ countersign key rotate-issuer', 'needs the node stopped: test/cli'),
  not(
    'docs/guides/payment-credentials.md',
    'countersign mandate-issuer add',
    'keys of parties of the reader’s: test/cli/mandateIssuer',
  ),
  not(
    'docs/guides/payment-credentials.md',
    'countersign delegation add',
    'a mandate of the reader’s: test/cli/delegation',
  ),
  not('docs/guides/guard.md', 'countersign guard check', 'a server of the reader’s: test/extensions/guard/program'),
  not(
    'docs/guides/http-payments.md',
    'import { countersign, payFetch }',
    'asks a server of the reader’s: test/client/payFetch',
  ),
  not('docs/guides/external-payments.md', 'import { execFile }', 'needs Link: test/extensions/external/linkWallet'),
  not('docs/guides/http-payments.md', 'import { countersign, mppPay }', 'needs mppx: test/extensions/mpp/stock'),
  not(
    'docs/guides/http-payments.md',
    'import { countersign, x402Scheme }',
    'needs the packages of x402: test/extensions/x402/stockClient',
  ),
  not(
    'docs/guides/signed-requests.md',
    '$ countersign request sign',
    'asks a merchant of the reader’s: test/cli/request',
  ),
  not(
    'docs/guides/signed-requests.md',
    'import httpx\nfrom countersign_client import SigningTransport',
    'asks a merchant of the reader’s: packages/python/tests',
  ),
  not('docs/guides/presence.md', 'pay.example.com {', 'settings of a proxy with a public name'),
  not('docs/guides/presence.md', '$ BASE_URL=https://pay.example.com', 'serves at a public name'),
  not('docs/guides/presence.md', '$ node bin/countersign.js agent', 'needs the public name, and a phone'),
  not('docs/guides/presence.md', '$ export URL=', 'needs a touch between its requests: test/presence'),
  not('docs/explanation/scaling.md', '$ npm run bench', 'measures for minutes'),
  not('docs/explanation/simulation.md', 'npm run simulate', 'runs for minutes: test/simulation'),
  not(
    'docs/guides/python.md',
    'from countersign_client import Agent, Key\nfrom',
    'LangChain, of which not all is everywhere: test/python',
  ),
  not('docs/guides/stripe.md', '$ STRIPE_SECRET_KEY', 'needs an account at Stripe: test/rails'),
  not('docs/reference/webhooks.md', '$ countersign listen', 'follows until it is stopped: test/cli'),
  not(
    'docs/reference/webhooks.md',
    'package webhook',
    'Go, which is not everywhere: test/docs/webhooks plays it where it is',
  ),
];
