// Plays simulated worlds: `npm run simulate -- --help` says how, docs/simulation.md what they are.
import { spawn } from 'node:child_process';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleSimulation } from './bundle/bundleSimulation.mjs';
import { writeFigures } from './figures.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
process.chdir(root);
const file = await bundleSimulation(root);
const args = process.argv.slice(2);
const child = spawn(process.execPath, ['--enable-source-maps', '--max-semi-space-size=64', file, ...args], {
  stdio: 'inherit',
});
child.on('close', (code) => {
  // A year takes long, and is not a part of `npm run test:long`.
  if (args.includes('--year')) writeFigures(root, new Date().toISOString().slice(0, 10));
  process.exit(code ?? 1);
});
