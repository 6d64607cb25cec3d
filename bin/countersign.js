#!/usr/bin/env node
// Starts the program. A package carries it built; a checkout, which has scripts/, builds it when its sources changed.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { nameSources } from './stackTraces.js';

nameSources();
const checkout = new URL('../scripts/bundle/program.mjs', import.meta.url);
if (existsSync(checkout)) {
  const { runProgram } = await import(checkout.href);
  await runProgram(fileURLToPath(new URL('..', import.meta.url)));
} else {
  await import('../dist/program/main.js');
}
