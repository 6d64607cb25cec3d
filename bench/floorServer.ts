/**
 * The floor under a purchase: a bare HTTP server that does only what no node could leave out, on documents recorded
 * from a real purchase. Per step it parses the body, canonicalizes, hashes, verifies and signs (libsodium) as many
 * documents as the node must, runs its share of 16 SQL statements in a group commit, and sends the recorded answer.
 */
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import Database from 'better-sqlite3';
import canonicalize from 'canonicalize';
import sodium from 'sodium-native';
import type { FloorStep } from './floor.ts';

const { BENCH_STEPS: stepsFile = '', BENCH_DATABASE: databaseFile = '', PORT: port } = process.env;
const steps = JSON.parse(readFileSync(stepsFile, 'utf8')) as FloorStep[];

const publicKey = Buffer.alloc(sodium.crypto_sign_PUBLICKEYBYTES);
const secretKey = Buffer.alloc(64);
sodium.crypto_sign_seed_keypair(publicKey, secretKey, Buffer.alloc(32, 7));
const known = { message: Buffer.alloc(96, 1), signature: Buffer.alloc(sodium.crypto_sign_BYTES) };
sodium.crypto_sign_detached(known.signature, known.message, secretKey);

const database = new Database(databaseFile);
database.pragma('journal_mode = WAL');
database.pragma('synchronous = FULL');
database.exec(`CREATE TABLE facts (id TEXT PRIMARY KEY, data TEXT NOT NULL);
  CREATE TABLE records (id TEXT PRIMARY KEY, owner TEXT NOT NULL, data TEXT NOT NULL, created_at BIGINT NOT NULL)`);
const FACTS = 256;
const insertFact = database.prepare('INSERT INTO facts (id, data) VALUES (?, ?)');
for (let i = 0; i < FACTS; i++) insertFact.run(`fact-${i}`, 'x'.repeat(300));
const findFact = database.prepare('SELECT * FROM facts WHERE id = ?');
const insertRecord = database.prepare('INSERT INTO records (id, owner, data, created_at) VALUES (?, ?, ?, ?)');
const begin = database.prepare('BEGIN IMMEDIATE');
const commit = database.prepare('COMMIT');

let queue: { readonly step: FloorStep; readonly done: () => void }[] = [];
let made = 0;

/** All that arrived in one turn of the event loop shares one commit. */
function committed(step: FloorStep): Promise<void> {
  return new Promise((done) => {
    if (queue.push({ step, done }) > 1) return;
    setImmediate(() => {
      const group = queue;
      queue = [];
      begin.run();
      for (const { step } of group) runStatements(step);
      commit.run();
      for (const { done } of group) done();
    });
  });
}

function runStatements({ reads, rows }: FloorStep): void {
  for (let i = 0; i < reads; i++) findFact.get(`fact-${(made + i) % FACTS}`);
  for (const data of rows) insertRecord.run(`record_${String(++made).padStart(20, '0')}`, 'bench', data, Date.now());
}

/** What is signed of a document: its hash behind that of the proof's other members. */
function payloadOf(document: object): Buffer {
  const proof = { type: 'Ed25519Signature2020', created: new Date().toISOString(), proofPurpose: 'assertionMethod' };
  const digests = [proof, { ...document, bench: made }].map((part) =>
    hash('sha256', canonicalize(part) ?? '', 'buffer'),
  );
  return Buffer.concat([Buffer.alloc(32, 1), ...digests]);
}

async function work(index: number, body: string): Promise<string> {
  const step = steps[index];
  if (step === undefined || typeof JSON.parse(body) !== 'object') throw new Error(`There is no step ${index}.`);
  for (const document of step.verified) {
    payloadOf(document);
    if (!sodium.crypto_sign_verify_detached(known.signature, known.message, publicKey)) throw new Error('libsodium?');
  }
  for (const document of step.signed) {
    sodium.crypto_sign_detached(Buffer.alloc(sodium.crypto_sign_BYTES), payloadOf(document), secretKey);
  }
  for (const row of step.rows) hash('sha256', row, 'hex');
  await committed(step);
  return step.answer;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

createServer(async (request, response) => {
  const text = request.method === 'GET' ? 'ready' : await work(Number(request.url?.slice(1)), await bodyOf(request));
  const answer = Buffer.from(text);
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': answer.length });
  response.end(answer);
}).listen(Number(port), '127.0.0.1');
