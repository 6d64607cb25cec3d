/** deploy/kubernetes is what the API of Kubernetes takes, locks the node in, and sets what a node reads. */
import assert from 'node:assert/strict';
import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import type { Deployment } from 'kubernetes-types/apps/v1.js';
import type { ConfigMap, Namespace, PodSpec, Service } from 'kubernetes-types/core/v1.js';
import type { Ingress, NetworkPolicy } from 'kubernetes-types/networking/v1.js';
import type { PodDisruptionBudget } from 'kubernetes-types/policy/v1.js';
import { parseAllDocuments } from 'yaml';
import { imageSettings, manifestsIn, readByNode } from '../support/deployFiles.ts';

const FOLDER = 'deploy/kubernetes';
const FILES = readdirSync(FOLDER).filter((file) => file !== 'kustomization.yaml');
const [kustomization = {}] = manifestsIn('kustomization.yaml');
const manifests = FILES.flatMap(manifestsIn);
const ofKind = <Manifest>(kind: string, name?: string) => {
  const found = manifests.find(
    (each) => each['kind'] === kind && (name === undefined || (each['metadata'] as { name?: string }).name === name),
  );
  assert.ok(found, `there is no ${kind} ${name ?? ''}`);
  return found as Manifest;
};
const hasKubectl = spawnSync('kubectl', ['version', '--client']).status === 0;

const deployment = ofKind<Deployment>('Deployment');
const pod = deployment.spec?.template.spec as PodSpec;
const container = pod.containers[0];
const settings = ofKind<ConfigMap>('ConfigMap').data ?? {};

/** What the compiler says of manifests as values of the types that are made of the OpenAPI document of Kubernetes. */
async function faultsOf(documents: readonly Record<string, unknown>[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-kubernetes-'));
  try {
    await mkdir(join(folder, 'node_modules'));
    await symlink(resolve('node_modules/kubernetes-types'), join(folder, 'node_modules', 'kubernetes-types'));
    const lines = documents.map((document, index) => {
      const [group = '', version] = String(document['apiVersion']).split('/');
      const module = version === undefined ? `core/${group}` : `${group.replace('.k8s.io', '')}/${version}`;
      const type = `import('kubernetes-types/${module}').${document['kind']}`;
      return `export const manifest${index}: ${type} = ${JSON.stringify(document)};\n`;
    });
    await writeFile(join(folder, 'manifests.ts'), lines.join(''));
    const compilerOptions = { strict: true, noEmit: true, module: 'NodeNext', target: 'ES2022', types: [] };
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['manifests.ts'] }));
    const compiled = promisify(execFile)(resolve('node_modules/.bin/tsc'), ['--project', folder]);
    return await compiled.then(({ stdout }) => stdout).catch(({ stdout }) => String(stdout));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

test('the API of Kubernetes has every member of the manifests, with the type of its value', async () => {
  assert.equal(await faultsOf(manifests), '');
  const misspelt = structuredClone(deployment);
  Object.assign(misspelt.spec?.template.spec as object, { automountServiceAccountTokens: 'no' });
  assert.match(await faultsOf([{ ...misspelt }]), /automountServiceAccountTokens/);
});

test('kustomization.yaml names every file, and the version of the program', () => {
  assert.deepEqual((kustomization['resources'] as string[]).toSorted(), FILES.toSorted());
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  const [image] = kustomization['images'] as { name: string; newTag: string }[];
  assert.deepEqual([image?.name, image?.newTag], [container?.image, version]);
});

test('kubectl builds them', { skip: !hasKubectl && 'there is no kubectl here' }, async () => {
  const built = execFileSync('kubectl', ['kustomize', FOLDER], { encoding: 'utf8' });
  const documents = parseAllDocuments(built).map((document) => document.toJS());
  assert.equal(documents.length, manifests.length);
  assert.equal(await faultsOf(documents), '');
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  assert.match(built, new RegExp(`image: registry\\.example/countersign:${version.replaceAll('.', '\\.')}\n`));
});

test('the pod meets the restricted Pod Security Standard, with a root that nothing writes to', () => {
  assert.equal(pod.containers.length, 1);
  assert.deepEqual(container?.securityContext, {
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  });
  const { runAsNonRoot, runAsUser, seccompProfile } = pod.securityContext ?? {};
  assert.deepEqual([runAsNonRoot, seccompProfile?.type], [true, 'RuntimeDefault']);
  assert.match(readFileSync('deploy/Dockerfile', 'utf8'), new RegExp(`^USER ${runAsUser}:`, 'm'));
  assert.equal(pod.automountServiceAccountToken, false);
  assert.ok(container?.resources?.limits?.['memory'] && container.resources.requests?.['cpu']);
  const labels = ofKind<Namespace>('Namespace').metadata?.labels ?? {};
  assert.equal(labels['pod-security.kubernetes.io/enforce'], 'restricted');
});

test('a node reads every setting that it is given, and every secret is a file that is mounted and named', () => {
  const config = readByNode({ ...imageSettings(), ...settings });
  assert.equal(config.environment, 'production');
  const [data, secrets] = container?.volumeMounts ?? [];
  assert.ok(config.dataDir.startsWith(`${data?.mountPath}/`));
  const named = Object.entries(settings).filter(([name]) => name.endsWith('_FILE'));
  for (const [name, path] of named) assert.ok(path.startsWith(`${secrets?.mountPath}/`), name);
  const comment = readFileSync(join(FOLDER, 'kustomization.yaml'), 'utf8');
  const made = [...comment.matchAll(/--from-file=deploy\/secrets\/([\w-]+)/g)].map(([, name]) => name);
  assert.deepEqual(made.sort(), named.map(([, path]) => path.split('/').at(-1)).sort());
  // Read by the group, which is the node's, and by no other.
  assert.equal(pod.volumes?.find(({ name }) => name === secrets?.name)?.secret?.defaultMode, 0o440);
  assert.equal(pod.securityContext?.fsGroup, pod.securityContext?.runAsGroup);
});

test('one port leads from the ingress to the node', () => {
  const { port } = readByNode({});
  const [named] = container?.ports ?? [];
  assert.deepEqual([named?.containerPort, named?.name], [port, 'http']);
  const [service] = ofKind<Service>('Service').spec?.ports ?? [];
  assert.equal(service?.targetPort, named?.name);
  const { startupProbe, readinessProbe, livenessProbe } = container ?? {};
  const asked = [startupProbe, readinessProbe, livenessProbe].map((probe) => probe?.httpGet);
  assert.deepEqual(
    asked,
    ['/readyz', '/readyz', '/healthz'].map((path) => ({ path, port: 'http' })),
  );
  const hosts = ofKind<Ingress>('Ingress').spec?.rules?.map(({ host }) => `https://${host}`);
  assert.deepEqual(hosts, [settings['BASE_URL']]);
});

test('nothing goes in or out unless it is named: the ingress controller, PostgreSQL, DNS, and https to public addresses', () => {
  const none = ofKind<NetworkPolicy>('NetworkPolicy', 'deny-by-default').spec;
  assert.deepEqual(none, { podSelector: {}, policyTypes: ['Ingress', 'Egress'] });
  const own = ofKind<NetworkPolicy>('NetworkPolicy', 'countersign').spec;
  const portsOf = (rules: readonly { ports?: { port?: number | string }[] }[] = []) =>
    rules.map(({ ports }) => ports?.map(({ port }) => port));
  assert.deepEqual(portsOf(own?.ingress), [['http']]);
  assert.deepEqual(portsOf(own?.egress), [[5432], [53, 53], [443]]);
  // The metadata of clouds is among what is left out.
  const open = own?.egress?.at(-1)?.to?.map(({ ipBlock }) => ipBlock?.except?.length ?? 0) ?? [];
  assert.ok(
    open.every((left) => left > 1) && own?.egress?.at(-1)?.to?.[0]?.ipBlock?.except?.includes('169.254.0.0/16'),
  );
});

test('two nodes on two machines, of which one always serves, have the time to end that a node takes', () => {
  assert.equal(deployment.spec?.replicas, 2);
  assert.equal(deployment.spec?.strategy?.rollingUpdate?.maxUnavailable, 0);
  const selector = { 'app.kubernetes.io/name': 'countersign' };
  assert.deepEqual(deployment.spec?.selector.matchLabels, selector);
  assert.deepEqual(pod.topologySpreadConstraints?.[0]?.labelSelector?.matchLabels, selector);
  const budget = ofKind<PodDisruptionBudget>('PodDisruptionBudget').spec;
  assert.deepEqual([budget?.minAvailable, budget?.selector?.matchLabels], [1, selector]);
  const stop = /^const STOP_MS = ([\d_]+);$/m.exec(readFileSync('src/node/startNode.ts', 'utf8'))?.[1];
  const before = container?.lifecycle?.preStop?.sleep?.seconds ?? 0;
  const grace = Number(pod.terminationGracePeriodSeconds);
  assert.ok(grace >= before + Number(stop?.replaceAll('_', '')) / 1000 + 3);
});
