/** The checks of `countersign doctor` that a node can make of itself while it runs. */
import { z } from 'zod';
import { NodeHealth } from '../../../protocol/overview/nodeHealth.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import { isoTime } from '../../../protocol/wire/time.ts';
import { isLoopback } from '../../access/clientAddress.ts';
import { passkeyTrouble } from '../../access/presence/relyingParty.ts';
import { judgeSpace } from '../../domain/checks/diskSpace.ts';
import { oldBackup } from '../../domain/checks/oldBackup.ts';
import { checkDeliveries, checkEndpoints, checkPayments } from '../../domain/checks/overdue.ts';
import { checkPolicy } from '../../domain/checks/policyInForce.ts';
import { findTenant } from '../../store/statements/node/tenants.ts';
import type { Reader, ViewsState } from '../../store/store.ts';
import type { Deps } from '../../usecase/deps.ts';
import { type Finding, fault, ok, warning } from '../../usecase/finding.ts';
import { inSteps, useCase } from '../../usecase/useCase.ts';

const NoInput = z.object({});

export const showHealth = useCase({
  summary: 'Shows what the node finds of its own health, each with a remedy where something is wrong.',
  input: NoInput,
  output: NodeHealth,
  permission: 'admin',
  run: inSteps<z.output<typeof NoInput>, NodeHealth>(async (deps, { tenantId }) => {
    const checks = [...(await findings(deps, tenantId))];
    const {
      store,
      settings,
      issuer,
      settings: { version },
      data: { backups },
    } = deps;
    return compact({
      healthy: checks.every(({ level }) => level !== 'fault'),
      version,
      environment: settings.environment,
      engine: store.engine,
      issuer: issuer.did,
      lastBackupAt: isoTime(backups?.lastAt() ?? null),
      rails: railsOf(deps),
      checks,
    });
  }),
});

async function findings(deps: Deps, tenantId: string): Promise<Finding[]> {
  const {
    store,
    operations: { examiners },
  } = deps;
  // Some look at each delivery there is: beside the writer.
  const reader: Reader = { engine: store.engine, read: (script) => store.readApart(script) };
  const now = deps.clock();
  const space = deps.data.freeSpace();
  return [
    ...(space === undefined ? [] : [judgeSpace(space.bytes, space.folder)]),
    fileOf(deps),
    ...viewsOf(store.stats().views),
    checkpointOf(deps, tenantId),
    ...(await Promise.all(examiners.map((examine) => examine(reader, now, tenantId)))).flat(),
    clockOf(deps),
    passkeysOf(deps),
    await checkPolicy(reader, tenantId),
    await checkPayments(reader, now, tenantId),
    await checkDeliveries(reader, now, tenantId),
    await checkEndpoints(reader, now, tenantId),
    ...(await backupOf(deps, tenantId, now)),
  ];
}

function railsOf({ rails }: Pick<Deps, 'rails'>): NodeHealth['rails'] {
  return [...rails.values()].map(({ id, isKeptByNode, capabilities, answerDispute }) => ({
    name: id,
    movesMoney: isKeptByNode !== true,
    ...capabilities,
    takesEvidence: answerDispute !== undefined,
  }));
}

function fileOf({
  data: {
    file: { damage },
  },
}: Deps): Finding {
  const check = 'database';
  if (damage === undefined) return ok(check, 'It answers, and the node has found no damage.');
  return fault(check, `countersign.db is damaged: ${damage}.`, 'stop the node, then: countersign restore FILE');
}

function viewsOf(views: ViewsState | undefined): Finding[] {
  if (views === undefined) return [];
  const check = 'lists';
  const { behindMs, failure, isFar } = views;
  const rest = isFar
    ? 'lists read the ledger until they are near it, and take longer'
    : 'lists read what is new from there';
  const behind = `Their views are ${(behindMs / 1000).toFixed(1)} s behind the ledger; ${rest}`;
  if (failure === undefined) return [ok(check, `${behind}.`)];
  const remedy = 'free space in the data folder; or stop the node, then: countersign data rebuild-views';
  return [warning(check, `${behind}. They could not be written: ${failure}.`, remedy)];
}

function checkpointOf({ evidence: { checkpoints } }: Pick<Deps, 'evidence'>, tenantId: string): Finding {
  const check = 'checkpoint';
  const broken = checkpoints.faults.get(tenantId);
  if (broken === undefined) return ok(check, 'The evidence extends the last checkpoint that was kept.');
  const remedy = 'compare with checkpoints kept elsewhere; then: countersign restore FILE';
  return fault(check, `${broken} The node signs none until they agree.`, remedy);
}

function clockOf(deps: Pick<Deps, 'metrics'>): Finding {
  const check = 'clock';
  const times = deps.metrics.timesSetBack();
  if (times === 0) return ok(check, 'It was not set back since the node started.');
  return warning(check, `It was set back since the node started (${times}).`, 'timedatectl set-ntp true');
}

function passkeysOf({ settings: { baseUrl, environment } }: Deps): Finding {
  const trouble = passkeyTrouble(baseUrl);
  if (trouble === undefined && environment === 'production' && isLoopback(baseUrl)) {
    const message = `Browsers allow them at ${baseUrl} on the node's machine alone: nobody reaches it from a phone.`;
    return fault('passkeys', message, 'set BASE_URL=https://your.host and run a proxy there');
  }
  if (trouble === undefined) return ok('passkeys', `Browsers allow them at ${baseUrl}.`);
  return fault('passkeys', trouble, 'set BASE_URL=https://your.host and run a proxy there');
}

async function backupOf(deps: Pick<Deps, 'data' | 'store'>, tenantId: string, now: number): Promise<Finding[]> {
  const {
    data: { backups },
  } = deps;
  if (backups === undefined) return [];
  const tenant = await deps.store.read(() => findTenant(tenantId));
  const last = backups.lastAt();
  const old = oldBackup(last, tenant?.created_at ?? now, now);
  if (old !== undefined) return [warning('backup', old, 'countersign backup FILE')];
  // Of a new node that has none there is nothing good to say either.
  return last === undefined ? [] : [ok('backup', 'The last one is not old.')];
}
