#!/usr/bin/env node
// Runs the TypeScript sources through tsx; nothing is built beforehand.
import { register } from 'tsx/esm/api';

register();
await import('../src/main.ts');
