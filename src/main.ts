/** The entry of the program: hands the command line its words and its environment; beside a first one it is a gate. */
import { isFirst } from './assets/isFirst.ts';

// Each is loaded where it runs alone.
if (isFirst) void import('./cli/program.ts').then(({ runProgram }) => runProgram(process.argv.slice(2), process.env));
else void import('./node/gate/remoteGate.ts').then(({ runGate }) => runGate());
