/** The entry of the program: hands the command line its words and its environment. */
import { runProgram } from './cli/program.ts';

void runProgram(process.argv.slice(2), process.env);
