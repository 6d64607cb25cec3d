/** The load generator: wrk where it is installed, otherwise autocannon; prepared bodies, each sent once. */
import { execFileSync, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';
import { cpuSecondsOf } from './server.ts';

export interface Load {
  readonly url: string;
  readonly connections: number;
  readonly seconds: number;
  readonly bodies: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  /** A folder for what the generator reads and writes. */
  readonly folder: string;
}

export interface Measured {
  readonly requests: number;
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Processor time of the generator, in seconds. */
  readonly generatorCpuSeconds: number;
  /** Some of the answers, for a closer look. */
  readonly samples: readonly string[];
}

export const generator: 'wrk' | 'autocannon' = (() => {
  try {
    execFileSync('wrk', ['-v'], { stdio: 'ignore' });
  } catch (error) {
    // It answers -v with its usage and an exit code of 1.
    if ((error as { code?: string }).code === 'ENOENT') return 'autocannon';
  }
  return 'wrk';
})();

/** @throws Error on any answer but a 200 with a JSON-RPC result, on a socket error, and when the bodies run out */
export function applyLoad(load: Load): Promise<Measured> {
  return generator === 'wrk' ? runWrk(load) : runAutocannon(load);
}

async function runWrk(load: Load): Promise<Measured> {
  const bodiesFile = join(load.folder, 'bodies.txt');
  const samplesFile = join(load.folder, 'samples.txt');
  writeFileSync(bodiesFile, `${load.bodies.join('\n')}\n`);
  const script = fileURLToPath(new URL('wrk.lua', import.meta.url));
  const headers = Object.entries(load.headers).map(([name, value]) => `${name}: ${value}`);
  const size = ['-t1', `-c${load.connections}`, `-d${load.seconds}s`, '--timeout', '10s'];
  const child = spawn('wrk', [...size, '-s', script, load.url, '--', bodiesFile, samplesFile, ...headers]);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  let generatorCpuSeconds = 0;
  const watch = setInterval(() => {
    generatorCpuSeconds = Math.max(generatorCpuSeconds, cpuSecondsOf(child.pid as number));
  }, 100);
  await new Promise((resolve) => child.once('close', resolve));
  clearInterval(watch);

  const line = /^BENCH (.*)$/m.exec(output)?.[1];
  if (line === undefined) throw new Error(`wrk failed:\n${output}`);
  const { wrong, socketErrors, exhausted, ...figures } = JSON.parse(line) as Record<string, number>;
  if (exhausted) throw new Error(`The ${load.bodies.length} prepared bodies ran out before the time was up.`);
  if (wrong || socketErrors) throw new Error(`${wrong} wrong answers, ${socketErrors} socket errors:\n${output}`);
  const samples = readFileSync(samplesFile, 'utf8').split('\n').slice(0, -1);
  return { ...(figures as unknown as Omit<Measured, 'samples'>), generatorCpuSeconds, samples };
}

async function runAutocannon(load: Load): Promise<Measured> {
  let sent = 0;
  let wrong = '';
  const samples: string[] = [];
  const before = process.cpuUsage();
  const result = await autocannon({
    url: load.url,
    connections: load.connections,
    duration: load.seconds,
    requests: [
      {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...load.headers },
        setupRequest: (request) => ({ ...request, body: load.bodies[sent++] ?? '{}' }),
        onResponse: (status, body) => {
          if (status !== 200 || !body.includes('"result"')) wrong ||= `${status} ${body}`;
          else if (sent % 200 === 1) samples.push(body);
        },
      },
    ],
  });
  const used = process.cpuUsage(before);
  if (sent > load.bodies.length) throw new Error(`The ${load.bodies.length} prepared bodies ran out.`);
  if (wrong !== '' || result.errors > 0) throw new Error(`wrong answers or ${result.errors} socket errors: ${wrong}`);
  return {
    requests: result.requests.total,
    seconds: result.duration,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    generatorCpuSeconds: (used.user + used.system) / 1e6,
    samples,
  };
}
