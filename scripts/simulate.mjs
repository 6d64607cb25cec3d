// Plays simulated worlds: `npm run simulate -- --help` says how, docs/explanation/simulation.md what they are. For worlds on PostgreSQL a server is
// started here, where time is real, and stopped once they are over.
import { spawn } from 'node:child_process';
import { dirname } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { bundleSimulation } from './bundle/bundleSimulation.mjs';
import { writeFigures } from './figures.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
process.chdir(root);
const bundle = await bundleSimulation(root);
const args = process.argv.slice(2);
const isOnPostgres = args.includes('--engine=postgres') || args[args.indexOf('--engine') + 1] === 'postgres';
const postgres = isOnPostgres ? await startServer() : undefined;
const env = postgres === undefined ? process.env : { ...process.env, SIMULATION_SERVER: postgres.url };
const options = ['--enable-source-maps', '--max-semi-space-size=64'];
const child = spawn(process.execPath, [...options, bundle.file, ...args], { stdio: 'inherit', env });
// The child learns of them too; the server goes after it.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.on('close', async (code) => {
  await postgres?.stop();
  // A year takes long, and is not a part of `npm run test:long`.
  if (args.includes('--year')) writeFigures(root, new Date().toISOString().slice(0, 10));
  process.exit(code ?? 1);
});

async function startServer() {
  const { startPostgres } = await import(pathToFileURL(bundle.server).href);
  return startPostgres();
}
