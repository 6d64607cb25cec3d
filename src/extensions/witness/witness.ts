/** The extension of witnesses: has others cosign what a node signs of its evidence, and `countersign witness`, which cosigns that of other nodes. */
import { extension } from '../extension.ts';
import { haveCosigned } from './asking/haveCosigned.ts';
import { witnessSchedule } from './asking/witnessChains.ts';
import { askedWitnesses, namedWitnesses } from './asking/witnesses.ts';
import { examineChains } from './asking/witnessStanding.ts';
import { witnessFaults, witnessVariables } from './witnessSettings.ts';

const CONTRADICTED =
  'A witness has seen other evidence than this node has; see countersign doctor, and /docs/evidence#witnesses.';

export const witness = extension({
  name: 'witness',
  settings: { variables: witnessVariables, faults: witnessFaults },
  programs: { witness: async (options, host) => (await import('./serving/runWitness.ts')).runWitness(options, host) },
  examine: (values, ...asked) => examineChains(namedWitnesses(values), ...asked),
  start({ metrics }, values) {
    const witnesses = askedWitnesses(values, values.WEBHOOK_ALLOW_PRIVATE);
    const { alarms, named } = witnesses;
    metrics.gauge(
      'countersign_witness_refusals',
      'Witnesses that contradict the evidence of a tenant, as this node knows.',
      () => [...alarms.values()].reduce((sum, { refused }) => sum + refused.length, 0),
    );
    metrics.gauge(
      'countersign_witness_quorum_missing',
      'Tenants whose checkpoints fewer witnesses have cosigned than should have, as this node knows.',
      () => [...alarms.values()].filter(({ missing }) => missing !== undefined).length,
    );
    if (named.length === 0) return {};
    return {
      schedules: [witnessSchedule(witnesses)],
      cosigners: [(deps, tenantId, atLeast) => haveCosigned({ ...deps, witnesses }, tenantId, atLeast)],
      watches: [
        {
          alarms(tenantId) {
            const { refused = [], missing } = alarms.get(tenantId) ?? {};
            return missing === undefined ? refused : [...refused, missing];
          },
          warnings: () => ([...alarms.values()].some(({ refused }) => refused.length > 0) ? [CONTRADICTED] : []),
        },
      ],
    };
  },
});
