/** docs/reference/extensions: the worked example byte by byte, and its verifier; and that the parts shown are what is taken. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash, sign } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import type { z } from 'zod';
import { APPROVALS } from '../../protocol/a2a/approvalParts.ts';
import { extensionsOf, MANDATES } from '../../protocol/a2a/extensionUris.ts';
import { DID_PROOF, normalForm } from '../../protocol/a2a/normalForm.ts';
import { checkMessageProof } from '../../protocol/a2a/proofExtension.ts';
import { ApprovalLink } from '../../protocol/approval.ts';
import { APPROVAL_CHECKS } from '../../protocol/approvals/approvalChecks.ts';
import { CartRequest } from '../../protocol/cart.ts';
import { nobleSuite } from '../../protocol/credential/ed25519.ts';
import { IntentRequest, RefusalResult } from '../../protocol/intent.ts';
import { PaymentRequest } from '../../protocol/payment.ts';
import { type Json, jcs, makePeer } from '../support/peer.ts';
import { blocksOf } from '../support/snippets.ts';
import type { Loose } from '../support/world.ts';

describe('docs/reference/extensions/did-proof.md', () => {
  let folder: string;
  let page: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'countersign-extensions-'));
    page = await readFile('docs/reference/extensions/did-proof.md', 'utf8');
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const blocks = (): Loose[] => blocksOf(page, 'json').map((text) => JSON.parse(text));
  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
  const lines = (hex: string) => `${hex.match(/.{1,64}/g)?.join('\n')}\n`;

  test('the worked example is right, byte by byte', () => {
    const [, message] = blocks();
    const { jws, ...options } = message.metadata[DID_PROOF].proof;
    const [seed = ''] = blocksOf(page, 'text');
    const peer = makePeer(Buffer.from(seed.trim(), 'hex'));
    assert.equal(message.metadata[DID_PROOF].from, peer.did);
    const [header, , signature] = jws.split('.');
    const form = jcs(normalForm(message) as Json);
    const hashes = [sha256(jcs(options)), sha256(form)];
    const input = Buffer.concat([Buffer.from(`${header}.`), ...hashes.map((hash) => Buffer.from(hash, 'hex'))]);
    assert.ok(page.includes(`These ${input.length} bytes`));
    const signed = sign(null, input, peer.privateKey);
    assert.equal(signed.toString('base64url'), signature);
    assert.deepEqual(blocksOf(page, 'text'), [
      seed,
      `${jcs(options)}\n`,
      `${hashes[0]}\n`,
      `${form}\n`,
      `${hashes[1]}\n`,
      lines(input.toString('hex')),
      lines(signed.toString('hex')),
    ]);
  });

  test('this code takes the message of the example, and finds the hash on the page', () => {
    const [declared, message] = blocks();
    const check = checkMessageProof(nobleSuite, message, { to: declared.params.did });
    assert.ok(check?.ok, JSON.stringify(check));
    assert.ok(blocksOf(page, 'text').includes(`${check.hash}\n`));
  });

  test('the verifier on the page says true of the message, and false of an altered one', async () => {
    const [, message] = blocks();
    const [verifier = ''] = blocksOf(page, 'js');
    await writeFile(join(folder, 'verify.mjs'), verifier);
    const verdict = async (given: object) => {
      await writeFile(join(folder, 'message.json'), JSON.stringify(given));
      return (await promisify(execFile)(process.execPath, ['verify.mjs'], { cwd: folder })).stdout;
    };
    assert.equal(await verdict(message), 'true\n');
    assert.equal(await verdict({ ...message, taskId: '', parts: [...message.parts] }), 'true\n');
    assert.equal(await verdict({ ...message, taskId: 'task_1' }), 'false\n');
    assert.equal(await verdict({ ...message, parts: [{ text: ' ' }, message.parts[1]] }), 'false\n');
  });

  test('the message of v0.3 is the message of v1.0, translated by the table of the page', () => {
    const [, message, { kind, role, parts, ...former }] = blocks();
    assert.equal(kind, 'message');
    const translated = {
      ...former,
      role: { user: 'ROLE_USER', agent: 'ROLE_AGENT' }[role as string],
      parts: parts.map(({ kind: _, ...part }: Loose) => part),
    };
    assert.deepEqual(normalForm(translated), normalForm(message));
    assert.deepEqual(translated.metadata, message.metadata);
  });

  test('the declaration is that of the card', () => {
    const [declared] = blocks();
    assert.deepEqual(
      extensionsOf({ did: declared.params.did, baseUrl: 'https://pay.example.com' }).find(
        ({ uri }) => uri === DID_PROOF,
      ),
      declared,
    );
  });
});

describe('docs/reference/extensions/approval.md', () => {
  const PAGE = 'docs/reference/extensions/approval.md';
  const VECTORS = 'docs/reference/extensions/approval-vectors.json';

  test('the declaration is that of the card', async () => {
    const [declared] = blocksOf(await readFile(PAGE, 'utf8'), 'json').map((text) => JSON.parse(text));
    const { issuer: did, origin: baseUrl } = declared.params;
    assert.deepEqual(
      extensionsOf({ did, baseUrl }).find(({ uri }) => uri === APPROVALS),
      declared,
    );
  });

  test('the page has each check by its name, in order', async () => {
    const page = await readFile(PAGE, 'utf8');
    const names = [...page.matchAll(/^\| (\d) \| (\w+) \|/gm)].map(([, , name]) => name);
    assert.deepEqual(names, APPROVAL_CHECKS);
  });

  test('the verifier on the page gives each vector its checks', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'countersign-approval-page-'));
    try {
      const [verifier = ''] = blocksOf(await readFile(PAGE, 'utf8'), 'js');
      await writeFile(join(folder, 'verify.mjs'), verifier);
      const vectors = await readFile(VECTORS, 'utf8');
      await writeFile(join(folder, 'approval-vectors.json'), vectors);
      const { stdout } = await promisify(execFile)(process.execPath, ['verify.mjs'], { cwd: folder });
      const expected = JSON.parse(vectors).rows.map(
        ({ name, fails }: Loose) => `${name}: ${fails.join(', ') || 'approved'}\n`,
      );
      assert.equal(stdout, expected.join(''));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});

/** What the parts of the page hold, by their names. */
const PARTS: Readonly<Record<string, z.ZodType>> = {
  'countersign.intent': IntentRequest,
  'countersign.cart': CartRequest,
  'countersign.payment': PaymentRequest,
  'countersign.refusal': RefusalResult,
  'countersign.approval': ApprovalLink,
};

test('docs/reference/extensions/mandates.md: each part that is shown is one that its schema takes', async () => {
  const page = await readFile('docs/reference/extensions/mandates.md', 'utf8');
  assert.ok(page.includes(`\`${MANDATES}\``));
  const shown = blocksOf(page, 'json')
    .map((text) => JSON.parse(text))
    .flatMap((block) => (block.parts === undefined ? [block] : block.parts.map(({ data }: Loose) => data)))
    .flatMap((data) => Object.entries<Loose>(data))
    .map(([name, body]) => (body.intent === undefined ? [name, body] : ['countersign.intent', body.intent]));
  for (const [name, body] of shown) {
    const parsed = PARTS[name]?.safeParse(body);
    assert.ok(parsed?.success ?? name === 'countersign.purchase', `${name}: ${parsed?.error?.message}`);
  }
  assert.deepEqual(
    Object.keys(PARTS).filter((name) => !shown.some(([seen]) => seen === name)),
    [],
  );
});
