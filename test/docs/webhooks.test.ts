/** docs/reference/webhooks.md: every event is documented by an example its schema takes, and every verifier verifies. */
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { WEBHOOK_DATA, WEBHOOK_EVENTS, WebhookEvent } from '../../protocol/webhook/event.ts';
import { WEBHOOK_EXAMPLES } from '../../protocol/webhook/exampleEvents.ts';
import { signatureHeaders, signingKey } from '../../src/webhooks/signature.ts';

const run = promisify(execFile);
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const BODY = '{"id":"evt_1","data":{"merchant":"bücher.example"}}';

interface Case {
  readonly name: string;
  readonly headers: Record<string, string>;
  readonly body: string;
  readonly secret: string;
  readonly valid: boolean;
}

function cases(): Case[] {
  const timestamp = Math.floor(Date.now() / 1000);
  const signed = (at: number, ...secrets: [string, ...string[]]) =>
    signatureHeaders({ id: 'evt_1', timestamp: at, body: BODY }, secrets.map(signingKey) as never);
  const good = signed(timestamp, SECRET);
  const rotated = signed(timestamp, 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD', SECRET);
  const of = (name: string, headers: Record<string, string>, valid: boolean, body = BODY, secret = SECRET) => ({
    name,
    headers,
    body,
    secret,
    valid,
  });
  return [
    of('as it was sent', good, true),
    of('during a rotation', rotated, true),
    of('under a secret without base64', signed(timestamp, 'a plain secret'), true, BODY, 'a plain secret'),
    of('another body', good, false, `${BODY} `),
    of('another secret', good, false, BODY, 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'),
    of('another id', { ...good, 'webhook-id': 'evt_2' }, false),
    of('an old one', signed(timestamp - 400, SECRET), false),
    of('one of tomorrow', signed(timestamp + 400, SECRET), false),
    of(
      'an old one with a new moment',
      { ...signed(timestamp - 400, SECRET), 'webhook-timestamp': `${timestamp}` },
      false,
    ),
    of('no headers', {}, false),
    of('an empty signature', { ...good, 'webhook-signature': '' }, false),
    of('a short signature', { ...good, 'webhook-signature': 'v1,AAAA' }, false),
  ];
}

describe('docs/reference/webhooks.md', () => {
  let page: string;
  let folder: string;
  before(async () => {
    page = await readFile('docs/reference/webhooks.md', 'utf8');
    folder = await mkdtemp(join(tmpdir(), 'countersign-webhook-docs-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const block = (language: string): string => {
    const found = new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(page)?.[1];
    assert.ok(found, `there is a block of ${language}`);
    return found;
  };

  /** Lets a verifier judge every case. @param command runs it with the cases as JSON in a file */
  async function judge(command: (file: string) => [string, string[]]): Promise<void> {
    const all = cases();
    const file = join(folder, 'cases.json');
    await writeFile(file, JSON.stringify(all));
    const [program, args] = command(file);
    const { stdout } = await run(program, args, { cwd: folder });
    const verdicts: boolean[] = JSON.parse(stdout);
    for (const [index, { name, valid }] of all.entries()) assert.equal(verdicts[index], valid, name);
  }

  test('documents each event by one example that its schema takes', () => {
    const sections = [...page.matchAll(/^### (\S+)\n\n([\s\S]*?)```json\n([\s\S]*?)```/gm)];
    assert.deepEqual(
      sections.map(([, name]) => name),
      [...WEBHOOK_EVENTS],
    );
    for (const [, name, about, json] of sections) {
      const event = WebhookEvent.parse(JSON.parse(json as string));
      assert.equal(event.type, name);
      assert.ok((about as string).trim().length > 20, `${name} is explained`);
      const data = WEBHOOK_DATA[event.type].strict().safeParse(event.data);
      assert.ok(data.success, `${name}: ${data.error?.message}`);
      assert.deepEqual(event.data, WEBHOOK_EXAMPLES[event.type], 'the sample that a test delivery sends');
    }
  });

  test('has a verifier in TypeScript that takes what is genuine and nothing else', async () => {
    await writeFile(join(folder, 'verify.mts'), block('ts'));
    await writeFile(
      join(folder, 'judge.mts'),
      `import { readFileSync } from 'node:fs';
       import { verify } from './verify.mts';
       const cases = JSON.parse(readFileSync(process.argv[2]!, 'utf8'));
       console.log(JSON.stringify(cases.map((each: any) => verify(each.headers, each.body, each.secret))));`,
    );
    const files = { entryPoints: ['judge.mts'], outfile: join(folder, 'judge.mjs'), absWorkingDir: folder };
    await build({ ...files, bundle: true, platform: 'node', format: 'esm' });
    await judge((file) => [process.execPath, ['judge.mjs', file]]);
  });

  const has = (program: string, argument: string) => spawnSync(program, [argument]).status === 0;

  test('has one in Python', { skip: !has('python3', '--version') && 'there is no python3 here' }, async () => {
    await writeFile(join(folder, 'verify.py'), block('python'));
    await writeFile(
      join(folder, 'judge.py'),
      `import json, sys
from verify import verify
cases = json.load(open(sys.argv[1], encoding="utf-8"))
print(json.dumps([verify(each["headers"], each["body"].encode(), each["secret"]) for each in cases]))`,
    );
    await judge((file) => ['python3', ['judge.py', file]]);
  });

  test('has one in Go', { skip: !has('go', 'version') && 'there is no go here' }, async () => {
    await writeFile(join(folder, 'go.mod'), 'module judge\n\ngo 1.20\n');
    await writeFile(join(folder, 'verify.go'), block('go').replace('package webhook', 'package main'));
    await writeFile(
      join(folder, 'judge.go'),
      `package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
)

func main() {
	var cases []struct {
		Headers map[string]string
		Body    string
		Secret  string
	}
	text, _ := os.ReadFile(os.Args[1])
	if err := json.Unmarshal(text, &cases); err != nil {
		panic(err)
	}
	verdicts := []bool{}
	for _, each := range cases {
		header := http.Header{}
		for name, value := range each.Headers {
			header.Set(name, value)
		}
		verdicts = append(verdicts, Verify(header, []byte(each.Body), each.Secret))
	}
	out, _ := json.Marshal(verdicts)
	fmt.Println(string(out))
}
`,
    );
    await judge((file) => ['go', ['run', '.', file]]);
  });
});
