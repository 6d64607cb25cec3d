// Has what the makers of the protocol publish look at the MCP endpoint of a fresh node: the conformance suite, as far as its
// scenarios are about any server, and the inspector. Both want Node 22 or newer, so they run on the Node of the binary.
//   npm run test:mcp
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { prepareRuntime } from './binary/runtime.mjs';

const TOOLS = { '@modelcontextprotocol/conformance': '0.2.0-alpha.12', '@modelcontextprotocol/inspector': '2.12.0' };
/** The others test the tools of a fixture. */
const SCENARIOS = [
  'tools-list',
  'resources-list',
  'caching',
  'http-header-validation',
  'sep-2164-resource-not-found',
  'server-initialize',
];
const KEY = `ak_test_${'C'.repeat(32)}`;

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const bin = join(installed(join(root, 'dist', 'conformance')), 'node_modules', '.bin');
const { node } = prepareRuntime(root, process.arch);
const dataDir = mkdtempSync(join(tmpdir(), 'countersign-conformance-'));
const port = await freePort();
const served = spawn(process.execPath, [join(root, 'bin', 'countersign.js'), 'serve'], {
  env: {
    ...process.env,
    DATA_DIR: dataDir,
    PORT: String(port),
    BOOTSTRAP_API_KEY: KEY,
    LOG_LEVEL: 'error',
    SANDBOX_BURST: '100000',
  },
  stdio: ['ignore', 'ignore', 'inherit'],
});
const proxy = keyed(port);
let failed = 0;
try {
  await ready(`http://127.0.0.1:${port}/readyz`);
  await new Promise((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const url = `http://localhost:${proxy.address().port}/mcp`;
  for (const scenario of SCENARIOS)
    await run(scenario, ['conformance', 'server', '--url', url, '--scenario', scenario]);
  await run('inspector', ['inspector', '--cli', url, '--transport', 'http', '--method', 'tools/list']);
} finally {
  proxy.close();
  served.kill('SIGTERM');
  await new Promise((resolve) => served.once('exit', resolve));
  rmSync(dataDir, { recursive: true, force: true });
}
process.exit(failed === 0 ? 0 : 1);

/** Not among the project's own packages: the two bring over two hundred. */
function installed(folder) {
  mkdirSync(folder, { recursive: true });
  if (existsSync(join(folder, 'node_modules'))) return folder;
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies: TOOLS }));
  execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--silent'], {
    cwd: folder,
    stdio: 'inherit',
  });
  return folder;
}

/** The suite sends no credential. */
function keyed(to) {
  return createServer((asked, answer) => {
    const headers = { ...asked.headers, host: `localhost:${to}`, authorization: `Bearer ${KEY}` };
    const passed = request(
      { host: '127.0.0.1', port: to, path: asked.url, method: asked.method, headers },
      (response) => {
        answer.writeHead(response.statusCode, response.headers);
        response.pipe(answer);
      },
    );
    passed.on('error', () => answer.destroy());
    asked.pipe(passed);
  });
}

async function run(name, [command, ...args]) {
  const child = spawn(node, [join(bin, command), ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => (output += piece));
  const code = await new Promise((resolve) => child.once('exit', resolve));
  if (code !== 0) failed += 1;
  const result = /Passed: .*/.exec(output)?.[0] ?? `${(output.match(/"name":/g) ?? []).length} names`;
  console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${name}: ${result}`);
  if (code !== 0) console.log(output);
}

async function ready(url) {
  for (let tries = 0; tries < 300; tries += 1) {
    if ((await fetch(url).catch(() => undefined))?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('The node was not ready within 30 s.');
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
