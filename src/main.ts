/** The entry of the program: hands the command line its words and its environment; beside a first one it does its part. */
import { besideWork } from './assets/isFirst.ts';

// Each is loaded where it runs alone.
if (besideWork === undefined) {
  void import('./cli/program.ts').then(({ runProgram }) => runProgram(process.argv.slice(2), process.env));
} else if (besideWork === 'backup') {
  void import('./node/backups/backupBeside.ts').then(({ runBackup }) => runBackup());
} else {
  void import('./node/gate/remoteGate.ts').then(({ runGate }) => runGate());
}
