/** `countersign init`: a file of settings to begin with, in the present folder. */
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { SETTINGS_FILE } from '../../node/config/settingLayers.ts';
import { codeOf } from '../../store/failure.ts';
import { CommandRefusal } from '../commandFailure.ts';
import { configFrom } from '../input/configOf.ts';
import { print } from '../output/print.ts';

interface Options {
  readonly production?: boolean;
  readonly baseUrl?: string;
  readonly json?: boolean;
}

/** @throws WrongUse for an address that is none, CommandRefusal where the file is there */
export function initSettings({ production = false, baseUrl, ...options }: Options): void {
  const values = {
    AP2_ENV: production ? 'production' : 'sandbox',
    ...(baseUrl === undefined ? {} : { BASE_URL: baseUrl }),
    DATA_DIR: './data/node',
  };
  configFrom(values);
  const lines = Object.entries(values).map(([name, value]) => `${name} = ${JSON.stringify(value)}\n`);
  try {
    writeFileSync(SETTINGS_FILE, ABOUT + lines.join(''), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    throw new CommandRefusal(
      'CONFLICT',
      `${resolve(SETTINGS_FILE)} is there; change what it says, or begin in another folder.`,
    );
  }
  const said = `${SETTINGS_FILE} says how this node is set up: ${values.AP2_ENV}, with its data in ${values.DATA_DIR}.`;
  print(options, { file: resolve(SETTINGS_FILE), settings: values }, `${said}\nNext: countersign serve`);
}

const ABOUT = `# The settings of a Countersign node: those of "countersign config check", by the same names. The environment goes before them.
# Secrets are better in files of their own: DATABASE_URL_FILE = "/run/secrets/database-url".
`;
