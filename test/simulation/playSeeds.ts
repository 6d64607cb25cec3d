/** Plays seeds, as `npm run simulate` asks for them. */
import { loadAll } from './machine/loadAll.ts';
import { tellStory } from './oracle/tellStory.ts';
import { playWorld } from './playWorld.ts';

const seed = process.argv[process.argv.indexOf('--seed') + 1] ?? '1';
const steps = Number(process.argv[process.argv.indexOf('--steps') + 1] ?? 10_000);
await loadAll(process.argv[1] as string);
const { played, history } = await playWorld({ seed, steps, without: [] });
console.log(JSON.stringify(played, null, 1));
if (played.violations[0]) console.log(tellStory(history, played.violations[0]).join('\n'));
process.exit(played.violations.length > 0 ? 1 : 0);
