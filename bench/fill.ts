/**
 * Ages a stopped node's database: one real intent is the model for many, with a row in every table that an intent
 * touches, spread evenly over the last two hours, so that some of them leave the hourly window while it is measured.
 */
import Database from 'better-sqlite3';
import { hashEvent } from '../protocol/evidence/chain.ts';
import { makeId, RANDOM_BYTES } from '../protocol/wire/id.ts';
import { nativeSuite } from '../src/crypto/nativeSuite.ts';
import type { RequestRow } from '../src/store/statements/callers/requests.ts';
import type { EvidenceRow } from '../src/store/statements/evidence/events.ts';
import type { IntentRow } from '../src/store/statements/purchases/intents.ts';
import { SUM_ANEW } from './sumAnew.ts';

const SPAN_MS = 2 * 3600 * 1000;

interface Model {
  readonly intent: IntentRow;
  readonly request: RequestRow;
  readonly event: EvidenceRow;
}

/** @param file a database with at least one intent, issued over A2A */
export function fillIntents(file: string, count: number, now: number, randomBytes: (size: number) => Buffer): void {
  const db = new Database(file);
  const model: Model = {
    intent: db.prepare('SELECT * FROM intents LIMIT 1').get() as IntentRow,
    request: db.prepare("SELECT * FROM requests WHERE gate = 'a2a' LIMIT 1").get() as RequestRow,
    event: db.prepare("SELECT * FROM evidence WHERE event_type = 'INTENT_ISSUED' LIMIT 1").get() as EvidenceRow,
  };
  let head = db.prepare('SELECT * FROM evidence ORDER BY seq DESC LIMIT 1').get() as EvidenceRow;
  const inserts = {
    intent: inserter(db, 'intents'),
    request: inserter(db, 'requests'),
    event: inserter(db, 'evidence'),
  };
  db.transaction(() => {
    for (let i = 0; i < count; i++) {
      const at = now - SPAN_MS + Math.floor((i * SPAN_MS) / count);
      const copy = copyOf(model, head, at, (prefix) => makeId(prefix, at, randomBytes(RANDOM_BYTES)));
      inserts.intent(copy.intent);
      inserts.request(copy.request);
      inserts.event(copy.event);
      head = copy.event;
    }
    for (const statement of SUM_ANEW) db.exec(statement);
  })();
  db.pragma('wal_checkpoint(TRUNCATE)');
  db.close();
}

function copyOf(
  { intent, request, event }: Model,
  head: EvidenceRow,
  at: number,
  newId: (prefix: string) => string,
): Model {
  const mandateId = newId('intent_');
  const transactionId = newId('txn_');
  const renamed = (text: string) =>
    text.replaceAll(intent.mandate_id, mandateId).replaceAll(intent.transaction_id, transactionId);
  const record = { id: newId('evt_'), seq: head.seq + 1, data: renamed(event.data), hash_prev: head.hash_curr };
  const hash_curr = hashEvent(nativeSuite(), {
    id: record.id,
    seq: record.seq,
    eventType: event.event_type,
    actorDid: event.actor_did,
    dataText: record.data,
    hashPrev: record.hash_prev,
    createdAt: new Date(at).toISOString(),
  });
  return {
    intent: {
      ...intent,
      mandate_id: mandateId,
      transaction_id: transactionId,
      credential: renamed(intent.credential),
      created_at: at,
      // Ahead of the sweeper, which would otherwise be busy with them while others are measured.
      expires_at: at + 23 * 3600 * 1000,
    },
    request: {
      ...request,
      request_key: newId('copy_'),
      answer: renamed(request.answer ?? ''),
      created_at: at,
    },
    event: { ...event, ...record, hash_curr, created_at: at, transaction_id: transactionId },
  };
}

function inserter(db: Database.Database, table: string): (row: object) => void {
  const columns = (db.pragma(`table_info(${table})`) as { name: string }[]).map(({ name }) => name);
  const statement = db.prepare(
    `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map((name) => `@${name}`).join(', ')})`,
  );
  return (row) => void statement.run(row);
}
