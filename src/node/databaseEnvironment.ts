/** Which environment a database is of: what was sold in the sandbox is never served as production, nor the reverse. */
import { findSetting, setOnce } from '../store/statements/node/settings.ts';
import type { Store } from '../store/store.ts';
import { type Config, ConfigError } from './config/config.ts';

const ENVIRONMENT = 'environment';

/** Writes it down at the first start. @throws ConfigError when the database is of the other one */
export async function claimEnvironment({ environment }: Config, store: Store): Promise<void> {
  const claimed = await store.write('bootstrap', function* () {
    yield* setOnce(ENVIRONMENT, environment);
    return yield* findSetting(ENVIRONMENT);
  });
  compare(environment, claimed);
}

/** As claimEnvironment, for what only looks at the database. */
export async function checkEnvironment({ environment }: Config, store: Store): Promise<void> {
  compare(environment, await store.read(() => findSetting(ENVIRONMENT)));
}

function compare(environment: Config['environment'], claimed: string | undefined): void {
  if (claimed === undefined || claimed === environment) return;
  throw new ConfigError(
    `AP2_ENV="${environment}": the database is of the ${claimed}; set AP2_ENV=${claimed}, or name another database`,
  );
}
