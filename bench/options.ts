/** What a run measures, and for how long. */
import { parseArgs } from 'node:util';

export interface Options {
  /** Length of each measurement. */
  readonly seconds: number;
  /** How often each pair is measured, one side after the other. */
  readonly rounds: number;
  readonly only: string | undefined;
  /** How many intents the larger of two histories has. */
  readonly intents: number;
  /** The engine of the histories; both when not given. */
  readonly engine: string | undefined;
  /** Another tree of this project, whose built program is measured beside this one. */
  readonly against: string | undefined;
}

/** @throws TypeError for an option that does not exist, Error for one that is no positive number */
export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seconds: { type: 'string', default: '5' },
      rounds: { type: 'string', default: '3' },
      only: { type: 'string' },
      intents: { type: 'string', default: '1000000' },
      engine: { type: 'string' },
      against: { type: 'string' },
    },
  });
  const number = (name: 'seconds' | 'rounds' | 'intents') => {
    const value = Number(values[name]);
    if (!Number.isInteger(value) || value < 1) throw new Error(`--${name} must be a positive whole number.`);
    return value;
  };
  if (values.engine !== undefined && !['sqlite', 'postgres'].includes(values.engine)) {
    throw new Error('--engine must be sqlite or postgres.');
  }
  const { only, engine, against } = values;
  return { seconds: number('seconds'), rounds: number('rounds'), only, engine, against, intents: number('intents') };
}
