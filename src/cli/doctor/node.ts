/** Examines a running node from outside, by its public answers and, with a key, by its policy and its evidence. */
import { fetchCard, type NodeCard } from '../../../client/card.ts';
import { type Client, countersign } from '../../../client/rest.ts';
import { StoredRules } from '../../../protocol/policy/rules.ts';
import { passkeyTrouble } from '../../access/presence/relyingParty.ts';
import { judgePolicies } from '../../domain/checks/policyInForce.ts';
import { type Finding, fault, ok, warning } from '../../usecase/finding.ts';
import { reasonOf } from '../commandFailure.ts';
import { isWebAddress } from '../target/targetOptions.ts';

const PATIENCE_MS = 5000;

interface NodeExamination {
  readonly findings: readonly Finding[];
  /** Undefined where no node answers. */
  readonly card: NodeCard | undefined;
}

/** @param url as it is given @param apiKey with `read`; without one neither policy nor evidence is looked at */
export async function lookAtNode(url: string, apiKey: string | undefined): Promise<NodeExamination> {
  const check = 'node';
  const none = (message: string, remedy: string): NodeExamination => ({
    findings: [fault(check, message, remedy)],
    card: undefined,
  });
  if (!isWebAddress(url)) {
    return none(`"${url}" is not an address.`, 'set COUNTERSIGN_URL to one such as http://localhost:8402, or unset it');
  }
  const address = url.replace(/\/+$/, '');
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const response = await fetch(`${address}/readyz`, { signal });
    const { warnings = [] } = (await response.json()) as { readonly warnings?: readonly string[] };
    const card = await fetchCard(address, {}, signal);
    const state = response.ok
      ? ok(check, `${card.did} is ready at ${address}.`)
      : fault(
          check,
          `${address} takes no requests now (${response.status}).`,
          'look at its log, and run doctor beside it',
        );
    const told = warnings.map((each) => warning(check, each, 'run countersign doctor beside the node'));
    return { findings: [state, ...told, passkeysAt(card.url), ...(await insideOf(address, apiKey))], card };
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return none(
      `No node answers at ${address}: ${reasonOf(cause)}.`,
      'start it, or set COUNTERSIGN_URL to the node that is meant (unset it for the data folder here)',
    );
  }
}

function passkeysAt(publicUrl: string): Finding {
  const trouble = passkeyTrouble(publicUrl);
  if (trouble === undefined) return ok('passkeys', `Browsers allow them at ${publicUrl}.`);
  return fault('passkeys', trouble, 'set BASE_URL=https://your.host for that node, and run a proxy there');
}

async function insideOf(baseUrl: string, apiKey: string | undefined): Promise<Finding[]> {
  if (apiKey === undefined) return [];
  const client = countersign({ baseUrl, credential: { apiKey } });
  const remedy = 'set COUNTERSIGN_API_KEY to a key that may read';
  const unseen = (check: string) => (error: unknown) => warning(check, `It was not seen: ${reasonOf(error)}`, remedy);
  return [
    await policyOf(client).catch(unseen('policy')),
    await evidenceOf(client).catch(unseen('evidence')),
    ...(await listsOf(client)),
  ];
}

/** What the node finds of the views that its lists read, which it tells those who administer it; none on PostgreSQL. */
async function listsOf(client: Client): Promise<Finding[]> {
  const checks = await client.showHealth({}).then(
    (health) => health.checks,
    () => [],
  );
  return checks.filter(({ check }) => check === 'lists');
}

async function policyOf(client: Client): Promise<Finding> {
  const { name, rules } = await client.currentPolicy();
  return judgePolicies([{ name, rules: StoredRules.parse(rules) }]);
}

async function evidenceOf(client: Client): Promise<Finding> {
  const check = 'evidence';
  const { valid } = await client.verifyEvidence({});
  return valid
    ? ok(check, 'The chain holds, as far as the node itself says.')
    : fault(
        check,
        'The chain is broken.',
        'countersign evidence export --out chain.json, and countersign evidence verify chain.json --issuer DID',
      );
}
