/** How every command fails: exit codes, sentences with a remedy, JSON errors; and that help loads next to nothing. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, normalize } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { WEBHOOK_EVENTS } from '../../protocol/webhook/event.ts';
import * as lists from '../../src/cli/input/closedLists.ts';
import { countersign } from '../support/command.ts';
import { runHere } from './runHere.ts';

/** An address where nothing listens. */
const NOWHERE = 'http://127.0.0.1:1';
const START_IT = 'start it, or name another one with --url or COUNTERSIGN_URL';
const AT_NOWHERE = { COUNTERSIGN_URL: NOWHERE, COUNTERSIGN_API_KEY: 'ak_test_none' };

describe('the command line', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'countersign-program-'));
    await mkdir(join(folder, 'damaged'));
    await writeFile(join(folder, 'text.json'), 'rules: none');
    await writeFile(join(folder, 'number.json'), '5');
    await writeFile(join(folder, 'list.json'), '[]');
    await writeFile(join(folder, 'damaged', 'countersign.db'), 'not a database');
    await writeFile(join(folder, 'damaged', 'issuer.key'), `${Buffer.alloc(32, 7).toString('base64url')}\n`);
    await chmod(join(folder, 'damaged', 'issuer.key'), 0o600);
  });
  after(() => rm(folder, { recursive: true, force: true }));

  /** The words of a command, with @name for a file in the folder. */
  const words = (command: string) =>
    command.split(' ').map((word) => (word.startsWith('@') ? join(folder, word.slice(1)) : word));

  const WRONG_USE: readonly (readonly [command: string, stderr: RegExp])[] = [
    ['agnt list', /^Unknown command 'agnt'\. Did you mean agent\?\nSee: countersign --help\n$/],
    ['agent lst', /^Unknown command 'lst'\. Did you mean list\?\nSee: countersign agent --help\n$/],
    ['approval list', /^Unknown command 'approval'\. Did you mean approvals\?/],
    ['revoke x', /^Unknown command 'revoke'\. Did you mean "agent revoke" or "delegation revoke" or "key revoke"\?/],
    ['payment', /\n"countersign payment" needs one of its commands: list, show, disputes(, [a-z-]+)+\.\n$/],
    ['notify add pigeon x', /^"pigeon" is not one of email, slack, discord, teams, telegram, plain\./],
    ['notify add telegram 1', /needs the token of a bot/],
    ['notify add slack x --about weather', /"weather" is not one of/],
    ['--jsn', /^Unknown option '--jsn'\./],
    ['agent list --jsn', /^Unknown option '--jsn'\. Did you mean --json\?\nSee: countersign agent list --help\n$/],
    ['agent list --statsu ACTIVE', /Did you mean --status\?/],
    ['agent show', /^Missing required argument 'agent'\.\nSee: countersign agent show --help\n$/],
    ['agent show a b', /^Too many arguments for 'show'\. Expected 1 argument but got 2\./],
    ['agent revoke did:key:x', /^Required option '--reason <text>' not specified\./],
    ['upgrade', /^Required option '--check' not specified\./],
    ['upgrade --check --from ftp://releases.example', /is no https address\.\n$/],
    ['agent limit did:key:x --window 1h', /^Give --transactions, --amount or both\.\n$/],
    ['agent limit did:key:x', /^Give --transactions, --amount or both with --window, or --limits\.\n$/],
    ['agent limit did:key:x --amount 5', /^Give --window with --transactions or --amount, such as 24h\.\n$/],
    ['agent limit did:key:x --limits @number.json', /number\.json does not hold a list; one is \[\{"name": /],
    ['limits --agent', /^Option '--agent <agent>' argument missing\./],
    ['agent limit did:key:x --window soon --amount 5', /--window .*such as 30m, 24h or 7d\./],
    ['agent suspend', /^Give an agent, or --all for every active one\.\n$/],
    ['agent suspend x --all', /^Give an agent, or --all for every active one\.\n$/],
    ['agent add --name x', /^Give either --public-key or --key-file\.\n$/],
    ['merchant bind shop.example', /^Give one of the three: a DID, --jwk/],
    ['merchant bind shop.example did:key:x --jwks-url https://x.example', /^Give one of the three/],
    ['merchant bind shop.example did:key:x --mcc food', /--mcc .*It must be a code of four digits such as 5411\./],
    ['checkout validate checkout.json --merchant shop.example', /^Required option '--intent <id>' not specified\./],
    ['checkout validate none.json --intent intent_1 --merchant shop.example', /none\.json/],
    ['delegation add open.sdjwt', /^Required option '--agent <agent>' not specified\./],
    ['delegation show', /^Missing required argument 'id'/],
    ['mandate-issuer add Bank --kind bank', /'--kind <kind>' argument 'bank' is invalid\. Allowed choices are/],
    ['mandate-issuer add Bank', /^Required option '--kind <kind>' not specified\./],
    ['mandate-issuer add Bank --kind card-issuer', /^Give one of the two: --jwk or --x5c-root/],
    ['wallet add', /^Missing required argument 'network'\./],
    ['wallet show', /^Missing required argument 'id'\./],
    ['guard show', /^Missing required argument 'id'\./],
    ['guard remove', /^Missing required argument 'id'\./],
    ['guard accept grd_1 --server shop', /^Required option '--tools <tool@hash...>' not specified\./],
    ['merchant remove', /^Missing required argument 'id'\./],
    ['seed --seed x', /'--seed <number>' argument 'x' is invalid\. It must be a whole number from 1 on\./],
    ['playground --agents 13', /^There are 12 agents at most\.\n$/],
    ['playground --pace fast', /'--pace <seconds>' argument 'fast' is invalid\. It must be seconds such as 2 or 0\.5/],
    ['agent list --limit', /^Option '--limit <count>' argument missing\./],
    ['agent list --limit x', /'--limit <count>' argument 'x' is invalid\. It must be a whole number from 1 on\./],
    ['agent list --limit 0', /whole number from 1 on/],
    ['agent list --limit 1.5', /whole number from 1 on/],
    ['agent enroll-link did:key:x --minutes x', /--minutes .*whole number from 1 on/],
    ['policy replay @text.json --days -1', /--days/],
    ['policy simulate --currency USD --amount all', /'--amount <amount>' argument 'all' is invalid\. .*such as 42\.50/],
    ['payment refund pm_x --amount 0', /such as 42\.50/],
    ['spend --from yesterday', /'--from <day>' .*It must be a day such as 2026-03-01\./],
    ['spend --by shop', /Allowed choices are agent, merchant, day, month, principal, category\./],
    ['evidence export --from yesterday', /'--from <moment>' .*such as 2026-03-01/],
    ['agent list --status ACTVE', /Allowed choices are ACTIVE, REVOKED, SUSPENDED\./],
    ['payment disputes --status open', /Allowed choices are needs_response, under_review, won, lost, inquiry/],
    ['payment list --status PAID', /Allowed choices are PENDING, UNKNOWN, AUTHORIZED, CAPTURED, PARTIALLY_REFUNDED/],
    ['task list --state open', /Allowed choices are submitted, working, completed/],
    ['decisions list --outcome maybe', /Allowed choices are allowed, refused, approval\./],
    ['decisions list --reason none', /Allowed choices are AMOUNT_OVER_CAP, /],
    ['decisions show', /^Missing required argument 'transaction'\./],
    ['approvals show', /^Missing required argument 'id'\./],
    ['approvals list --status open', /Allowed choices are pending, approved, denied, expired\./],
    ['user remove', /^Missing required argument 'id'\./],
    ['key create --name x --tier gold', /Allowed choices are free, pro, enterprise\./],
    ['key create --name x --permissions read,wirte', /"wirte" is not one of read, write, admin\./],
    ['webhook create http://x.example --events agent.creatd', /"agent\.creatd" is not one of payment\.authorized, /],
    ['tail --types x', /"x" is not one of payment\.authorized, /],
    ['trigger nothing', /Allowed choices are payment\.authorized, /],
    ['completion csh', /Allowed choices are bash, zsh, fish\./],
    ['evidence export --format xml', /Allowed choices are json, ndjson, csv\./],
    ['evidence search --type INTENT', /^"INTENT" is not an event type; it must be one of INTENT_ISSUED, /],
    ['agent list --url nowhere --key x', /^"nowhere" is not an address; one looks like http:\/\/localhost:8402\.\n$/],
    [`agent list --url ${NOWHERE}`, /^A running node wants a key: give --key, or set COUNTERSIGN_API_KEY\.\n$/],
    ['health --url nowhere', /is not an address/],
    ['listen --key x --forward-to 3000', /^"3000" is not an address to forward to/],
    ['payment capture pm_x', /^Only a running node asks the rail\. Name a running node with --url/],
    ['webhook test wh_x', /^Only a running node delivers\. /],
    ['policy test @none.json @text.json', /none\.json does not exist; check the path\.\n$/],
    ['policy diff @text.json', /text\.json is not JSON \(.+\); correct it, or give the path of another file\.\n$/],
    ['policy diff @number.json', /number\.json does not hold a policy; a policy is /],
    ['policy diff @list.json', /list\.json does not hold a policy; a policy is /],
    ['policy test @list.json @text.json', /list\.json does not hold a policy; a policy is /],
    ['policy apply @damaged', /damaged is a folder; give the path of a file\.\n$/],
    ['policy apply @text.json/x', /x does not exist: a part of its path is a file and not a folder/],
    ['agent add --name x --key-file @none', /none does not exist; check the path\.\n$/],
    ['agent add --name x --key-file @text.json', /text\.json has 11 bytes and a seed 32; /],
    [
      'agent keygen --out @text.json',
      /text\.json exists, and a file is never overwritten here; give another path\.\n$/,
    ],
    ['agent keygen --out @no/key', /^The folder \S+\/no does not exist; make it: mkdir -p \S+\/no\n$/],
    [
      'evidence verify @text.json --issuer x --witness y',
      /^--witness y: must be a verifier key of the form name\+hash\+key/,
    ],
    [
      'evidence verify @text.json --issuer x --witness-quorum 1',
      /^--witness-quorum 1 is more than the 0 that --witness names/,
    ],
    ['guard --config @none', /none cannot be read: /],
    ['guard --port x', /'--port <port>' argument 'x' is invalid\. It must be a port, 0 to 65535\./],
    ['guard check --config @none', /none cannot be read: /],
    ['witness', /^Required option '--log <origin=key>' not specified\./],
    ['witness --log x', /^--log x: must be an origin and a key with "=" between; .*countersign evidence log\n$/],
    ['witness --log a=did:key:x', /^--log a=did:key:x: must end in a did:key of Ed25519, or a verifier key;/],
    ['witness --log a=b+c+d', /^--log a=b\+c\+d: must be a verifier key of the form name\+hash\+key;/],
    ['witness --log a=b --port x', /'--port <port>' argument 'x' is invalid\. It must be a port, 0 to 65535\./],
    ['witness --log a=b --name a+b', /^"a\+b" is no name of a key: /],
    ['witness --log a=b --name a,b', /^"a,b" is no name of a key: it must have no space, no comma and no plus sign;/],
    [
      `witness${' --log a=did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK'.repeat(17)} --dir @none`,
      /: is more than 16 keys of this origin; /,
    ],
    ['evidence verify @none --issuer did:key:x', /none does not exist; check the path\.\n$/],
    ['evidence export --out @text.json/x', /text\.json is a file and not a folder; give the path of a folder\.\n$/],
    ['restore @none.tar', /none\.tar does not exist; check the path\.\n$/],
    ['restore @damaged', /damaged is a folder; give the path of a file\.\n$/],
    ['backup @no/backup.tar', /^The folder \S+\/no does not exist; make it: mkdir -p /],
    ['migrate --from @text.json --to sqlite:x', /'--from <database>' .*It must be sqlite:FOLDER or postgres:/],
    ['migrate --from sqlite:/none', /^There is no database in \/none; give --from the DATA_DIR/],
    ['migrate --from sqlite:/none --to sqlite:/none', /^There is no database in \/none; give --from the DATA_DIR/],
    ['openapi --base-url nowhere', /^The settings cannot be used:\nBASE_URL="nowhere": must be an http/],
  ];
  for (const [command, stderr] of WRONG_USE) {
    test(`countersign ${command}: wrong use`, async () => {
      const ended = await runHere(words(command));
      assert.equal(ended.code, 2, ended.stderr);
      assert.match(ended.stderr, stderr);
      assert.doesNotMatch(ended.stderr, /^ +at /m, 'no stack trace');
      assert.equal(ended.stdout, '');
    });
  }

  test('without a command it shows its help, and serves nothing', async () => {
    const { code, stdout, stderr } = await runHere([], { DATA_DIR: join(folder, 'untouched') });
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^Usage: countersign .*serve/s);
    await assert.rejects(stat(join(folder, 'untouched')), /ENOENT/);
  });

  test('a command of an extension that EXTENSIONS leaves out is not shown, and says so', async () => {
    const ask = (extensions: string, ...words: string[]) => runHere(words, { EXTENSIONS: extensions });
    for (const [on, off, extension] of [
      ['validate', 'acp', 'mandates'],
      ['acp', 'validate', 'acp'],
    ] as const) {
      const { stdout } = await ask(extension, 'checkout', '--help');
      assert.match(stdout, new RegExp(`^  ${on} `, 'm'));
      assert.doesNotMatch(stdout, new RegExp(`^  ${off} `, 'm'));
    }
    const refused = await ask('mandates', 'checkout', 'acp', 'session.json');
    assert.deepEqual([refused.code, refused.stderr], [2, 'This node runs without acp: EXTENSIONS does not name it.\n']);
    assert.doesNotMatch((await ask('stripe', '--help')).stdout, /^ +checkout /m);
    assert.match((await ask('acp', '--help')).stdout, /^ +checkout /m);
  });

  test('without a node that answers every command ends with 3, where the address was given', async () => {
    for (const command of ['agent list', 'payment capture pm_x', 'evidence export', 'tail', 'trigger agent.created']) {
      const ended = await runHere(words(command), AT_NOWHERE);
      assert.deepEqual([ended.code, ended.stderr], [3, `No node answers at ${NOWHERE}; ${START_IT}.\n`], command);
    }
    const health = await runHere(['health'], AT_NOWHERE);
    assert.equal(health.code, 3);
  });

  test('a folder without a node, and a file that is no database, are named with the remedy', async () => {
    const fresh = await runHere(['agent', 'list'], { DATA_DIR: join(folder, 'fresh') });
    assert.equal(fresh.code, 1);
    assert.match(fresh.stderr, /^No node was started on \S+fresh yet: start one with "countersign serve"/);
    for (const command of ['agent list', 'serve', 'key rotate-issuer', `backup ${folder}`]) {
      const damaged = await runHere(words(command), { DATA_DIR: join(folder, 'damaged'), PORT: '0' });
      assert.equal(damaged.code, 1, damaged.stderr);
      assert.match(
        damaged.stderr,
        /damaged\/countersign\.db cannot be used: .*; Restore your newest backup: countersign restore FILE --data-dir /,
      );
    }
    const file = await runHere(['serve'], { DATA_DIR: join(folder, 'text.json'), PORT: '0' });
    assert.equal(file.code, 2, file.stderr);
    assert.match(file.stderr, /text\.json is a file and not a folder/);
  });

  test('a port that is taken is named, with the variable that chooses another', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    try {
      const { port } = other.address() as AddressInfo;
      const env = { DATA_DIR: join(folder, 'taken'), PORT: String(port) };
      const ended = await runHere(['serve'], env);
      assert.equal(ended.code, 1);
      const sentence = `Port ${port} of 127.0.0.1 is taken by another program; stop it, or set PORT to another port.\n`;
      assert.equal(ended.stderr, sentence);
      const backup = await runHere(['backup', join(folder, 'taken.tar')], { DATA_DIR: env.DATA_DIR });
      assert.equal(backup.code, 1);
      assert.match(
        backup.stderr,
        /taken\/countersign\.db is not the data of a node: none has come through its first start/,
      );
    } finally {
      other.close();
    }
    const elsewhere = await runHere(['serve'], { DATA_DIR: join(folder, 'taken'), PORT: '0', HOST: '203.0.113.1' });
    assert.match(
      elsewhere.stderr,
      /^203\.0\.113\.1 is no address of this machine; set HOST to one that is, such as 127/,
    );
  });

  const ERRORS: readonly (readonly [command: string, env: Record<string, string>, code: number, name: string])[] = [
    ['agent lst', {}, 2, 'WRONG_USE'],
    ['agent list --jsn', {}, 2, 'WRONG_USE'],
    ['agent list --limit x', {}, 2, 'WRONG_USE'],
    ['policy diff @none.json', {}, 2, 'WRONG_USE'],
    ['agent list', { PORT: 'x' }, 2, 'INVALID_CONFIGURATION'],
    ['config check', { PORT: 'x', AP2_ENV: 'live' }, 2, 'INVALID_CONFIGURATION'],
    ['agent list', AT_NOWHERE, 3, 'UNREACHABLE'],
    ['health', AT_NOWHERE, 3, 'UNREACHABLE'],
    ['agent list', { DATA_DIR: '/none' }, 1, 'FAILED'],
  ];
  for (const [command, env, code, name] of ERRORS) {
    test(`countersign ${command} --json: an error as JSON, ${name}`, async () => {
      const ended = await runHere([...words(command), '--json'], env);
      assert.equal(ended.code, code, ended.stderr);
      const { error } = JSON.parse(ended.stderr);
      assert.equal(error.code, name);
      assert.match(error.message, /^[A-Z/].+[.:?]$/);
      assert.equal(ended.stdout, '');
      assert.equal(ended.stderr.trimEnd().split('\n').length, 1, 'one line');
    });
  }

  test('an error as JSON names each member at fault', async () => {
    const { stderr } = await runHere(['config', 'check', '--json'], { PORT: 'x', AP2_ENV: 'live' });
    const paths = JSON.parse(stderr).error.details.map(({ path }: { path: string }) => path);
    assert.deepEqual(paths.sort(), ['AP2_ENV', 'PORT']);
  });

  test('help and version are no failure', async () => {
    const [version, help, list] = await Promise.all([
      runHere(['--version']),
      runHere(['--help']),
      runHere(['agent', 'list', '--help']),
    ]);
    assert.deepEqual([version.code, help.code, list.code], [0, 0, 0]);
    assert.equal(`${version.stdout}`, `${JSON.parse(await readFile('package.json', 'utf8')).version}\n`);
    assert.match(help.stdout, /Run a node:\n +init .*\n.*\n +serve /);
    assert.match(list.stdout, /--status <status> +the state it is in \(choices: "ACTIVE",/);
  });

  test('help of a noun with long commands fits a terminal of 80 columns, too', async () => {
    for (const noun of ['payment', 'request', 'policy']) {
      const { stdout } = await runHere([noun, '--help']);
      const long = stdout.split('\n').filter((line) => line.length > 80);
      assert.deepEqual(long, [], noun);
    }
  });

  test('the program itself ends with the same codes', async () => {
    const [wrong, gone, help] = await Promise.all([
      countersign(['agnt']),
      countersign(['agent', 'list', '--json'], AT_NOWHERE),
      countersign(['--help']),
    ]);
    assert.deepEqual([wrong.code, gone.code, help.code], [2, 3, 0]);
    assert.equal(JSON.parse(gone.stderr).error.code, 'UNREACHABLE');
  });

  test('help, version and completion load commander and the declarations of commands, and nothing else', async () => {
    const loaded = await staticImports('src/main.ts');
    const cheap = ['commander', 'node:fs', 'node:module', 'node:path', 'node:sea'];
    const packages = [...loaded].filter((path) => !path.endsWith('.ts') && !cheap.includes(path));
    assert.deepEqual(packages, []);
    const rooms = [...loaded].filter((path) => path.endsWith('.ts') && !path.startsWith('src/cli/'));
    assert.deepEqual(rooms.sort(), ['src/assets/isFirst.ts', 'src/main.ts']);
  });

  test('the closed list of events is that of the schemas, in its order', () => {
    assert.deepEqual(lists.EVENT_TYPES, WEBHOOK_EVENTS);
  });

  test('options that are members of an operation are called, described and checked as its schema says', async () => {
    const { stdout } = await runHere(['decisions', 'list', '--help']);
    const told = stdout.replace(/\s+/g, ' ');
    assert.match(told, /--agent <agent> the agent, by its DID or name/);
    assert.match(
      told,
      /--outcome <outcome> approval: nothing but a person’s touch was missing \(choices: "allowed", "refused", "approval"\)/,
    );
    assert.match(told, /--reason <reason> .*"AMOUNT_OVER_CAP"/);
    assert.match(told, /--from <moment> from this moment on \(ISO 8601\)/);
    assert.doesNotMatch(told, /cursor|reason-code|did:key/);
    const task = await runHere(['task', 'list', '--state', 'sleeping']);
    assert.match(task.stderr, /submitted, working, completed/);
  });
});

/** What a file loads before any of its code runs: types are erased, and `import()` waits until it is called. */
async function staticImports(file: string, seen = new Set<string>()): Promise<Set<string>> {
  seen.add(file);
  const text = await readFile(file, 'utf8');
  for (const [, clause = '', path = ''] of text.matchAll(/^import (?!type )([^;]*?)from '([^']+)';/gms)) {
    const isTypesOnly = /^\{[^}]*\}/.test(clause) && !/[{,]\s*(?!type )\w/.test(clause.trim());
    if (isTypesOnly) continue;
    const target = path.startsWith('.') ? normalize(join(dirname(file), path)) : path;
    if (seen.has(target)) continue;
    if (path.startsWith('.')) await staticImports(target, seen);
    else seen.add(target);
  }
  return seen;
}
