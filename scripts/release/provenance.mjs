// Where a release comes from: a statement of in-toto (https://in-toto.io/Statement/v1) with SLSA's provenance
// (https://slsa.dev/spec/v1.0/provenance). It has no time of its own, so the same commit and tools give the same statement; its signature
// is that of SHA256SUMS, which names it.
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import packages from '../packages.json' with { type: 'json' };
import { sha256Of } from './signSums.mjs';

/** @param folder with every file that it tells of @param release.materials resource descriptors */
export function writeProvenance(folder, { version, commit, materials, architectures }) {
  const subject = readdirSync(folder)
    .sort()
    .map((name) => ({ name, digest: { sha256: sha256Of(join(folder, name)) } }));
  const source = `git+${packages.repository}`;
  const statement = {
    _type: 'https://in-toto.io/Statement/v1',
    subject,
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: `${packages.repository}/blob/main/CONTRIBUTING.md#release`,
        externalParameters: { source, version, architectures },
        internalParameters: { SOURCE_DATE_EPOCH: commit.epoch },
        resolvedDependencies: [{ uri: source, digest: { gitCommit: commit.hash } }, ...materials],
      },
      runDetails: {
        builder: {
          id: `${packages.repository}/blob/main/scripts/release.mjs`,
          version: { node: process.versions.node, platform: `${process.platform}-${process.arch}` },
        },
      },
    },
  };
  writeFileSync(join(folder, `${packages.program}-${version}.intoto.json`), `${JSON.stringify(statement, null, 2)}\n`);
}
