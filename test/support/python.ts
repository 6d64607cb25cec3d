/** A Python of its own for a test, with packages that pip finds on this machine. */
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Asks a script that reads one JSON object and writes one.
 * @param path where Python finds what the script imports
 */
export function askPython<Answer>(script: string, path: string | undefined, asked: object): Answer {
  const { status, stdout, stderr } = spawnSync('python3', [script], {
    input: JSON.stringify(asked),
    encoding: 'utf8',
    env: { ...process.env, PYTHONPATH: path },
    maxBuffer: 16 * 1024 * 1024,
  });
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout);
}

/** What pip is to do without an answer from an index, and without a cache of who runs the tests. */
const PIP = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--retries', '0'];

/** @param folder that is not there yet @returns the Python in it @throws where this machine has no Python with venv */
export async function makeVenv(folder: string): Promise<string> {
  await run('python3', ['-m', 'venv', folder]);
  return join(folder, 'bin', 'python');
}

/** Installs packages. @returns why pip does not find them on this machine, which a test that needs them says as it is skipped */
export async function pipInstall(python: string, packages: readonly string[]): Promise<string | undefined> {
  try {
    await run(python, [...PIP, ...packages], { timeout: 300_000 });
    return undefined;
  } catch (error) {
    return `pip does not find ${packages.join(', ')} here: ${String(error).slice(0, 300)}`;
  }
}

/** What LangChain's tools import. */
const LANGCHAIN_NEEDS = 'anyio distro jsonpatch orjson packaging pyyaml requests requests-toolbelt sniffio tenacity';

/**
 * Installs LangChain's core; where an index has not all that its models take, without that: its tools need none of it.
 * @returns as pipInstall
 */
export async function installLangchain(python: string): Promise<string | undefined> {
  const isWhole = await run(python, [...PIP, 'langchain-core'], { timeout: 300_000 }).then(
    () => true,
    () => false,
  );
  if (isWhole) return undefined;
  const needs = [...LANGCHAIN_NEEDS.split(' '), 'typing-extensions', 'uuid-utils', 'websockets', 'xxhash', 'zstandard'];
  return (await pipInstall(python, ['--no-deps', 'langchain-core', 'langsmith'])) ?? pipInstall(python, needs);
}
