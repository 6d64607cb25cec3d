/** What `countersign mandate-issuer` does with the registry of mandate issuers of a node. */
import type { MandateIssuer, Operations } from '../../../client/operations.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import { hashOfCertificate } from '../../crypto/certificates.ts';
import { WrongUse } from '../commandFailure.ts';
import { readJsonFile, readTextFile } from '../input/files.ts';
import { columns, facts, localTime } from '../output/layout.ts';
import { print } from '../output/print.ts';
import { newest } from '../target/names.ts';
import type { TargetOptions } from '../target/targetOptions.ts';
import { withTarget } from '../target/withTarget.ts';

type Env = NodeJS.ProcessEnv;
type Input = Operations['addMandateIssuer']['input'];

interface AddOptions extends TargetOptions {
  readonly kind: Input['kind'];
  readonly jwk?: string;
  readonly x5cRoot?: string;
  readonly leaf?: string;
  readonly leafSubject?: string;
  readonly principal?: string;
}

export function addMandateIssuer(env: Env, name: string, options: AddOptions): Promise<void> {
  const { kind, jwk: keyFile, x5cRoot: rootFile, principal: principalDid } = options;
  if ((keyFile === undefined) === (rootFile === undefined)) {
    throw new WrongUse('Give one of the two: --jwk or --x5c-root, each with a file.');
  }
  const jwk = keyFile === undefined ? undefined : (readJsonFile(keyFile) as Input['jwk']);
  const x5cRoot = rootFile === undefined ? undefined : readTextFile(rootFile);
  const leaf = leafIn(options);
  return withTarget(env, options, async ({ client }) => {
    const issuer = await client.addMandateIssuer({ name, kind, ...compact({ jwk, x5cRoot, leaf, principalDid }) });
    print(options, issuer, describe(issuer));
  });
}

/** @throws WrongUse for both, and for a file that holds no certificate */
function leafIn({ leaf: file, leafSubject: subject }: AddOptions): Input['leaf'] {
  if (file !== undefined && subject !== undefined) throw new WrongUse('Give one of the two: --leaf or --leaf-subject.');
  if (file === undefined) return subject === undefined ? undefined : { subject };
  const hash = hashOfCertificate(readTextFile(file));
  if (hash === undefined) throw new WrongUse(`${file} holds no certificate (PEM).`);
  return { 'x5t#S256': hash };
}

export function listMandateIssuers(env: Env, options: TargetOptions & { limit: number }): Promise<void> {
  return withTarget(env, options, async ({ client }) => {
    const issuers = await newest(options.limit, (page) => client.listMandateIssuers(page));
    const rows = issuers.map((issuer) => [
      issuer.id,
      issuer.kind,
      localTime(issuer.createdAt),
      issuer.name,
      trustOf(issuer),
    ]);
    print(options, issuers, columns(['ISSUER', 'KIND', 'SINCE', 'NAME', 'TRUSTS'], rows));
  });
}

export function removeMandateIssuer(env: Env, id: string, options: TargetOptions): Promise<void> {
  return withTarget(env, options, async ({ client }) => {
    await client.removeMandateIssuer({ id });
    print(options, { id, removed: true }, `${id} is removed.`);
  });
}

function trustOf({ jwk, x5cRoot, leaf }: MandateIssuer): string {
  if (leaf !== undefined && x5cRoot !== undefined) {
    return `the certificate ${leaf.subject ?? leaf['x5t#S256']} below ${x5cRoot.subject}`;
  }
  if (x5cRoot !== undefined) return `certificates below ${x5cRoot.subject}, until ${localTime(x5cRoot.validUntil)}`;
  const kid = jwk?.['kid'];
  return typeof kid === 'string' ? `key ${kid}` : 'key';
}

/** One issuer, a member a line. */
function describe(issuer: MandateIssuer): string {
  return facts({
    Issuer: issuer.id,
    Name: issuer.name,
    Kind: issuer.kind,
    Trusts: trustOf(issuer),
    'Whose money': issuer.principalDid,
    SHA256: issuer.x5cRoot?.sha256,
    Since: localTime(issuer.createdAt),
  });
}
