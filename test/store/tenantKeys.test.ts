/**
 * What a database asks for that divides its rows by tenant: each key has the tenant in it, each statement says whose rows it
 * means, and none needs what one engine alone has. The exceptions are named here, each with its reason.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { TABLES } from '../../src/store/statements/tables.ts';
import { all } from '../../src/store/store.ts';
import { VIEWS } from '../../src/store/views/views.ts';
import { engines } from '../support/engines.ts';
import { sqlTexts } from '../support/sqlTexts.ts';

const CREDENTIAL = 'a caller is found by it before its tenant is known';
const KEY = 'found by its own key, which holds an unpredictable id';
const WORK = 'work of all tenants, done by whichever node comes to it';
const NOTICE = 'a notice of the rail names nothing else';
const LISTS = 'a status list has mandates of all tenants, and its readers are of none';
const BUILT = 'its conditions are given by those who call it';

/** Primary keys and unique indexes without the tenant: copied to every server where rows are divided, or unique for each tenant. */
const KEYS: Readonly<Record<string, string>> = {
  settings_pkey: 'of the whole database',
  tenants_pkey: 'the tenants themselves',
  nodes_pkey: 'the nodes serve all tenants',
  agents_pkey: CREDENTIAL,
  api_keys_pkey: KEY,
  api_keys_hash_key: CREDENTIAL,
  proofs_seen_pkey: 'a proof is used up for its agent, before its tenant is known',
  users_pkey: KEY,
  logins_pkey: KEY,
  refresh_tokens_pkey: CREDENTIAL,
  login_attempts_used_pkey: 'a login is used up before its user is known',
  passkeys_pkey: KEY,
  passkeys_credential_id_key: CREDENTIAL,
  presence_challenges_pkey: KEY,
  presence_challenges_challenge_key: CREDENTIAL,
  enrollments_pkey: KEY,
  enrollments_token_hash_key: CREDENTIAL,
  invitations_pkey: KEY,
  invitations_token_hash_key: CREDENTIAL,
  approval_requests_pkey: KEY,
  approvals_pkey: CREDENTIAL,
  mandate_delegations_pkey: KEY,
  mandate_issuers_pkey: KEY,
  merchants_pkey: KEY,
  instruments_pkey: KEY,
  wallets_pkey: KEY,
  guards_pkey: KEY,
  rail_attempts_pkey: KEY,
  rail_events_pkey: NOTICE,
  receipt_keys_pkey: 'the node’s own, of all tenants',
  status_lists_pkey: LISTS,
  status_signers_pkey: LISTS,
  credential_status_pkey: LISTS,
  shared_payment_tokens_pkey: KEY,
  tasks_pkey: KEY,
  webhooks_pkey: KEY,
  webhook_events_pkey: KEY,
  webhook_deliveries_pkey: KEY,
};

/** Statements that do not say whose rows they mean, by reason. */
const STATEMENTS: Readonly<Record<string, readonly string[]>> = {
  [LISTS]: ['credentialStatus.ts listSetWords', 'statusLists.ts closeStatusLists'],
  [CREDENTIAL]: [
    'agents.ts findAgentAnywhere',
    'apiKeys.ts findApiKeyByHash',
    'apiKeys.ts recordApiKeyUse',
    'approvals.ts findApprovalRequestAnywhere',
    'approvals.ts findApprovalStanding',
    'enrollments.ts findEnrollmentByHash',
    'invitations.ts findInvitationByHash',
    'logins.ts findRefreshToken',
  ],
  [KEY]: [
    'approvalTokens.ts markApprovalTokenUsed',
    'approvals.ts settleApprovalRequest',
    'enrollments.ts markEnrollmentUsed',
    'invitations.ts markInvitationUsed',
    'logins.ts markRefreshTokenUsed',
    'passkeys.ts recordPasskeyUse',
    'railAttempts.ts claimRailAttempt',
    'railAttempts.ts closeRailAttempt',
    'railAttempts.ts findRailAttempt',
    'railAttempts.ts flagRailAttempt',
    'railAttempts.ts postponeRailAttempt',
    'requests.ts listRequestsOfAttempt',
    'subscriptions.ts deleteTaskPush',
    'subscriptions.ts listTaskPushes',
    'tasks.ts claimTask',
    'tasks.ts postponeTask',
    'tasks.ts saveSealedTask',
    'tasks.ts setTaskPushes',
    'wallets.ts findWalletById',
  ],
  [NOTICE]: [
    'payments.ts findPaymentAtRail',
    'sharedPaymentTokens.ts findNotifiedToken',
    'httpPayments.ts findHttpPaymentOfCredential',
  ],
  [WORK]: [
    'approvals.ts listOverdueApprovalRequests',
    'approvals.ts listRequestsToEscalate',
    'approvals.ts listRequestsToRemind',
    'checkoutMandates.ts listSealedCheckoutMandates',
    'deliveries.ts countUndelivered',
    'deliveries.ts countIn',
    'deliveries.ts dropDeliveries',
    'deliveries.ts dropOrphans',
    'deliveries.ts hasLostLeases',
    'deliveries.ts hastenDeliveries',
    'deliveries.ts holdDeliveries',
    'deliveries.ts isLeasedElsewhere',
    'deliveries.ts listQueues',
    'deliveries.ts markDelivered',
    'deliveries.ts markUndelivered',
    'deliveries.ts releaseDelivery',
    'deliveries.ts releaseLostLeases',
    'events.ts findNewestEventTime',
    'disputes.ts listUnrecordedSubmissions',
    'httpPayments.ts listHttpPaymentsToConfirm',
    'httpPayments.ts listSealedHttpPayments',
    'intents.ts listLapsedHolds',
    'intents.ts listOverdueIntents',
    'payments.ts countUnknownPayments',
    'payments.ts listEndingHolds',
    'payments.ts listPaidAmounts',
    'railAttempts.ts countFlaggedAttempts',
    'railAttempts.ts hastenRailAttempts',
    'railAttempts.ts listDueAttempts',
    'requests.ts listOrphanedRequests',
    'sharedPaymentTokens.ts listOverdueTokens',
    'subscriptions.ts claimDigest',
    'subscriptions.ts countFailingWebhooks',
    'subscriptions.ts endResuming',
    'subscriptions.ts listDueDigests',
    'subscriptions.ts listFailingWebhooks',
    'subscriptions.ts listSealedSecrets',
    'subscriptions.ts lockWebhook',
    'subscriptions.ts setFailing',
    'subscriptions.ts setReached',
    'tasks.ts listDueTasks',
    'tasks.ts listSealedTasks',
    'walk.ts walkNewest',
    'webhookEvents.ts findOldestDelivery',
    'webhookEvents.ts listBodies',
    'wallets.ts listPlainRpcUrls',
    'wallets.ts listSealedWallets',
    'wallets.ts sealRpcUrl',
    'wallets.ts saveSealedWallet',
  ],
  [BUILT]: [
    'byAmount.ts listByAmount',
    'payments.ts listSortedPayments',
    'queries.ts deleteOldest',
    'queries.ts listPage',
    'queries.ts listPageAt',
    'search.ts pages',
    'spendSums.ts daysPart',
    'spendSums.ts quartersPart',
    'spendSums.ts rowsPart',
    'tableDefinition.ts updateOf',
    'tasks.ts countTasks',
    'tasks.ts pageOf',
    'windowUse.ts listHeld',
    'windowUse.ts listHistory',
    'windowUse.ts makeText',
  ],
};

/** Functions that not every engine has. */
const OWN_FUNCTIONS: Readonly<Record<string, string>> = {
  EXTRACT: 'the time of PostgreSQL’s clock, which SQLite is not asked for',
  clock_timestamp: 'as EXTRACT',
};
const FUNCTIONS = ['CAST', 'COALESCE', 'COUNT', 'MAX', 'MIN', 'OVER', 'ROW_NUMBER', 'SUBSTR', 'SUM'];
const WORDS = [
  'AND',
  'AS',
  'EXISTS',
  'FROM',
  'IN',
  'JOIN',
  'OR',
  'SELECT',
  'UNION ALL',
  'VALUES',
  'WHERE',
  'CONFLICT',
  'INTO',
];

const ofTenants = [...TABLES, ...VIEWS].filter(({ columns }) => 'tenant_id' in columns).map(({ name }) => name);

test('each key of a table has the tenant in it, or is named with its reason', async (t) => {
  const postgres = engines().find(({ name }) => name === 'postgres') ?? assert.fail();
  const database = await postgres.open();
  t.after(() => database.drop());
  const sql = `SELECT CAST(indexrelid::regclass AS text) AS name, pg_get_indexdef(indexrelid) AS definition FROM pg_index
    JOIN pg_class ON pg_class.oid = indexrelid WHERE indisunique AND relnamespace = 'public'::regnamespace`;
  const keys = await database.store.read(() => all<{ name: string; definition: string }>(sql));
  const without = keys.filter(({ definition }) => !/\btenant_id\b/.test(definition)).map(({ name }) => name);
  assert.deepEqual(without.filter((name) => name !== 'schema_migrations_pkey').sort(), Object.keys(KEYS).sort());
});

test('each statement on rows of tenants says whose it means, or is named with its reason', () => {
  const without = new Set<string>();
  for (const { place, sql } of sqlTexts()) {
    if (/^\s*INSERT/.test(sql) || /\bWHERE\b[\s\S]*\btenant_id\b/.test(sql)) continue;
    const tables = [...sql.matchAll(/\b(?:FROM|JOIN|UPDATE)\s+(\w+|\$\{)/g)].map(([, name]) => String(name));
    if (tables.some((table) => table === '${' || ofTenants.includes(table))) without.add(place);
  }
  assert.deepEqual([...without].sort(), Object.values(STATEMENTS).flat().sort());
});

// A migration adds the order of bytes to each column where PostgreSQL has another one; nothing else is to depend on it.
test('no statement and no table asks for a collation, or for a function that is not named', () => {
  const schema = readdirSync('data/schema').map((file) => ({
    place: file,
    sql: readFileSync(`data/schema/${file}`, 'utf8').replaceAll(/--[^\n]*/g, ''),
  }));
  const found = new Set<string>();
  for (const { place, sql } of [...sqlTexts(), ...schema]) {
    assert.doesNotMatch(sql, /\bCOLLATE\b/i, place);
    if (place.endsWith('.sql')) continue;
    const code = sql.replaceAll(/\$\{[^}]*\}/g, '').replaceAll(/\b(?:INSERT\s+INTO|WITH RECURSIVE)\s+\w+\s*\(/g, '');
    for (const [, name = ''] of code.matchAll(/(?<!\.)\b([A-Za-z_]+)\s*\(/g)) found.add(name);
  }
  const known = new Set([...FUNCTIONS, ...WORDS, ...Object.keys(OWN_FUNCTIONS)]);
  assert.deepEqual(
    [...found].filter((name) => !known.has(name)),
    [],
  );
});
