/** What deploy/ says, read as its programs read it. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { type Config, readConfig, SETTINGS } from '../../src/node/config/config.ts';
import { readSettings } from '../../src/node/config/settingLayers.ts';

type Environment = Readonly<Record<string, string>>;

interface ComposeService {
  readonly image: string;
  readonly user?: string;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly cap_add?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly environment: Environment;
  readonly secrets?: readonly string[];
  readonly networks?: readonly string[];
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly stop_grace_period?: string;
  readonly logging?: { readonly options: Environment };
}

interface ComposeFile {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly networks: Readonly<
    Record<string, { readonly internal?: boolean; readonly ipam?: { readonly config: readonly { subnet: string }[] } }>
  >;
  readonly volumes: Readonly<Record<string, null>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
}

/** deploy/compose.yaml with its anchors merged and its variables as they stand, but the name of the host filled in. */
export function composeFile(): ComposeFile {
  const text = readFileSync('deploy/compose.yaml', 'utf8').replaceAll(/\$\{COUNTERSIGN_HOST:\?[^}]*\}/g, 'pay.example');
  const { 'x-node': _node, 'x-locked-in': _lockedIn, ...file } = parse(text, { merge: true });
  return file;
}

const INSTRUCTIONS =
  /^(FROM|RUN|CMD|LABEL|EXPOSE|ENV|ADD|COPY|ENTRYPOINT|VOLUME|USER|WORKDIR|ARG|STOPSIGNAL|HEALTHCHECK|SHELL)$/;

interface Instruction {
  readonly name: string;
  readonly text: string;
}

/** The instructions of deploy/Dockerfile by stage, each line with its continuations. */
export function dockerfileStages(): Instruction[][] {
  const text = readFileSync('deploy/Dockerfile', 'utf8');
  const lines = text
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n');
  const stages: Instruction[][] = [];
  for (const line of lines.filter((each) => each.trim() !== '')) {
    const [, name = '', rest = ''] = /^(\S+) +(.*)$/.exec(line) ?? [];
    assert.match(name, INSTRUCTIONS, line);
    if (name === 'FROM') stages.push([]);
    stages.at(-1)?.push({ name, text: rest });
  }
  return stages;
}

/** @returns every document of a file of Kubernetes */
export function manifestsIn(file: string): Record<string, unknown>[] {
  return parseAllDocuments(readFileSync(join('deploy/kubernetes', file), 'utf8')).map((document) => {
    assert.deepEqual(document.errors, [], file);
    return document.toJS();
  });
}

/** What secrets.sh makes, by the names of the files. */
const SECRETS: Environment = {
  'database-url': 'postgres://countersign:secret@postgres:5432/countersign',
  'admin-key': `ak_live_${'a'.repeat(32)}`,
};

/** The settings of a node with this environment, its secrets at hand. @throws AssertionError for what is no setting */
export function readByNode(environment: Environment): Config {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-deploy-'));
  try {
    const at = (name: string, path: string) => {
      const isSecret = name.endsWith('_FILE') && !SETTINGS.includes(name);
      if (!isSecret) return path;
      const secret = SECRETS[basename(path)];
      assert.ok(secret, `${name}: no such secret is made`);
      writeFileSync(join(folder, basename(path)), `${secret}\n`);
      return join(folder, basename(path));
    };
    for (const name of Object.keys(environment)) {
      const isKnown = SETTINGS.includes(name) || SETTINGS.includes(name.replace(/_FILE$/, ''));
      assert.ok(isKnown, `${name} is no setting`);
      const page = readFileSync('docs/reference/configuration.md', 'utf8');
      assert.ok(page.includes(`\`${name.replace(/_FILE$/, '')}`), `${name} is not documented`);
    }
    const env = Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, at(name, value)]));
    return readConfig(readSettings(env).values);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
