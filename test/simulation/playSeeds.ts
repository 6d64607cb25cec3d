/** Plays seeds, as `npm run simulate` asks for them. */
import { loadAll } from './machine/loadAll.ts';
import { playWorld } from './playWorld.ts';

const seed = process.argv[process.argv.indexOf('--seed') + 1] ?? '1';
const steps = Number(process.argv[process.argv.indexOf('--steps') + 1] ?? 10_000);
await loadAll(process.argv[1] as string);
const played = await playWorld({ seed, steps });
console.log(JSON.stringify(played, null, 1));
process.exit(played.violations.length > 0 ? 1 : 0);
