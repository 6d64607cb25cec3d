/**
 * Later versions of the program, as far as a world can have them: this program with more files of the schema, which do to living data
 * what migrations do. What they add is not used. The tables that they rebuild are those of the newest schema: a migration that changes
 * these tables is copied into the version here.
 */
import type { SchemaFile } from '../../../src/store/schema/migrate.ts';

/** What one version does to the data of the one before. */
interface NextVersion {
  readonly name: string;
  readonly text: string;
  /** Whether nodes of the version before can go on beside it, since it only adds. */
  readonly isAddition: boolean;
}

export const NEXT_VERSIONS: readonly NextVersion[] = [
  {
    name: 'column',
    isAddition: true,
    text: `
ALTER TABLE payments ADD COLUMN noted TEXT NOT NULL DEFAULT 'nothing';
CREATE INDEX payments_by_note ON payments (tenant_id, noted, mandate_id) WHERE noted <> 'nothing';
UPDATE payments SET noted = 'by the upgrade' WHERE status = 'CAPTURED';
`,
  },
  {
    name: 'tables',
    isAddition: false,
    text: `
CREATE TABLE evidence_before AS SELECT * FROM evidence;
DROP VIEW evidence_lists;
DROP TABLE evidence;
CREATE TABLE evidence (
  tenant_id TEXT NOT NULL,
  seq BIGINT NOT NULL,
  id TEXT NOT NULL,
  event_type TEXT NOT NULL,
  actor_did TEXT NOT NULL,
  data TEXT NOT NULL,
  hash_prev TEXT NOT NULL,
  hash_curr TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  transaction_id TEXT,
  context_id TEXT,
  run_seq BIGINT NOT NULL DEFAULT 1,
  latest_at BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant_id, seq)
);
INSERT INTO evidence (tenant_id, seq, id, event_type, actor_did, data, hash_prev, hash_curr, created_at, transaction_id,
    context_id, run_seq, latest_at)
  SELECT tenant_id, seq, id, event_type, actor_did, data, hash_prev, hash_curr, created_at, transaction_id, context_id,
    run_seq, latest_at
  FROM evidence_before;
DROP TABLE evidence_before;
/* postgres only */ CREATE INDEX evidence_by_transaction ON evidence (tenant_id, transaction_id, seq) WHERE transaction_id IS NOT NULL;
CREATE VIEW evidence_lists AS
  SELECT tenant_id, seq, event_type, actor_did, transaction_id, context_id, created_at FROM evidence;
INSERT INTO settings (name, value) VALUES ('views_generation', '1')
  ON CONFLICT (name) DO UPDATE SET value = settings.value || '1';
CREATE TABLE deliveries_before AS SELECT * FROM webhook_deliveries;
DROP TABLE webhook_deliveries;
CREATE TABLE webhook_deliveries (
  id TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL,
  webhook_id TEXT NOT NULL,
  event_id TEXT NOT NULL,
  event_type TEXT NOT NULL,
  state TEXT NOT NULL,
  attempts BIGINT NOT NULL,
  max_attempts BIGINT NOT NULL,
  next_at BIGINT NOT NULL,
  leased_by TEXT,
  created_at BIGINT NOT NULL
);
INSERT INTO webhook_deliveries (id, tenant_id, webhook_id, event_id, event_type, state, attempts, max_attempts, next_at,
    leased_by, created_at)
  SELECT id, tenant_id, webhook_id, event_id, event_type, state, attempts, max_attempts, next_at, leased_by, created_at
  FROM deliveries_before;
DROP TABLE deliveries_before;
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (webhook_id, next_at) WHERE state = 'PENDING';
CREATE INDEX webhook_deliveries_leased ON webhook_deliveries (leased_by) WHERE state = 'LEASED';
CREATE INDEX webhook_deliveries_held_by_age ON webhook_deliveries (id) WHERE state = 'HELD';
CREATE INDEX webhook_deliveries_held_in_order ON webhook_deliveries (webhook_id, id) WHERE state = 'HELD';
`,
  },
  {
    name: 'one_more',
    isAddition: true,
    text: `
CREATE TABLE notes_of_intents (tenant_id TEXT NOT NULL, mandate_id TEXT NOT NULL, PRIMARY KEY (tenant_id, mandate_id));
INSERT INTO notes_of_intents (tenant_id, mandate_id) SELECT tenant_id, mandate_id FROM intents;
`,
  },
];

/** A fault that only shows once the rest is done. */
const MISTAKE = 'INSERT INTO table_of_no_version (tenant_id) VALUES (1);';

/** Which program is installed. */
export interface Program {
  /** How many versions later than this one. */
  readonly version: number;
  /** Whether its last file ends with a mistake, so that it cannot start. */
  readonly isBroken: boolean;
}

/**
 * @param known how many files the schema of this program has
 * @param versions what each later version does
 * @returns the files that a program has beyond those
 */
export function filesBeyond(known: number, versions: readonly NextVersion[], program: Program): SchemaFile[] {
  return versions.slice(0, program.version).map(({ name, text }, index) => {
    const number = String(known + index + 1).padStart(3, '0');
    const isWrong = program.isBroken && index + 1 === program.version;
    return { name: `${number}_${name}.sql`, text: isWrong ? `${text}${MISTAKE}\n` : text };
  });
}

/** A version that does what the options name. */
export function versionOf(text: string): NextVersion {
  return { name: 'given', text, isAddition: false };
}
