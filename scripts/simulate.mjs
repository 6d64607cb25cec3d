// Plays simulated worlds: `npm run simulate -- --help` says how, docs/simulation.md what they are.
import { spawn } from 'node:child_process';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleSimulation } from './bundle/bundleSimulation.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
process.chdir(root);
const file = await bundleSimulation(root);
const child = spawn(process.execPath, ['--enable-source-maps', '--max-semi-space-size=64', file, ...process.argv.slice(2)], { stdio: 'inherit' });
child.on('close', (code) => process.exit(code ?? 1));
