/** The policy: what is in force as sentences, the versions before it, and the way to a draft of the next one. */

import type { Rules as GivenRules, Policy } from '../../../client/operations.ts';
import type { Rules } from '../../../protocol/policy/rules.ts';
import { may } from '../../login/may.ts';
import { node } from '../../node/node.ts';
import { useLoaded } from '../../node/useLoaded.ts';
import { Card } from '../../parts/Card.tsx';
import { Empty } from '../../parts/Empty.tsx';
import { Fact } from '../../parts/Fact.tsx';
import { Head } from '../../parts/Head.tsx';
import { Shown } from '../../parts/Shown.tsx';
import { Technical } from '../../parts/Technical.tsx';
import { MoreButton } from '../../parts/table/MoreButton.tsx';
import { Status } from '../../parts/values/Status.tsx';
import { When } from '../../parts/values/When.tsx';
import { loadRules, type RulesCode } from '../../proofs/loadRules.ts';
import { hrefOf, pagesIn } from '../../shell/places.ts';
import { go } from '../../shell/route.ts';
import type { ScreenProps } from '../../shell/screens.ts';
import { keptDraft } from './draft/keptDraft.ts';
import { currentPolicy, type LimitCount, type PolicyPage } from './policies.ts';
import { RuleList } from './RuleList.tsx';

const PAGE = 20;

export function PolicyScreen({ query }: ScreenProps) {
  const pages = pagesIn(query);
  const found = useLoaded('policies', (signal) => load(pages, signal), ['policy'], pages);
  return (
    <>
      <Head title="Policy">
        <a class="button first" href="#/policy/draft">
          {draftAct()}
        </a>
      </Head>
      <Shown of={found} rows={2} height={12}>
        {({ current, counted, versions, hasMore, code }) => (
          <div class={current === undefined ? 'stack' : 'split'}>
            {current === undefined ? <None /> : <InForce policy={current} code={code} counted={counted} />}
            <div class="stack">
              <Versions versions={versions} code={code} />
              {hasMore && (
                <MoreButton onMore={() => go(hrefOf('/policy', { pages: String(pages + 1) }), { replace: true })} />
              )}
            </div>
            {current !== undefined && <Context policy={current} />}
          </div>
        )}
      </Shown>
    </>
  );
}

function draftAct(): string {
  if (keptDraft() !== undefined) return 'Open your draft';
  return may('admin') ? 'Write a draft' : 'Try a draft';
}

async function load(pages: number, signal: AbortSignal) {
  const versions: Policy[] = [];
  const [current, code] = await Promise.all([currentPolicy(signal), loadRules()]);
  let cursor: string | null | undefined;
  for (let page = 0; page < pages && cursor !== null; page++) {
    const input = { limit: PAGE, ...(cursor === undefined ? {} : { cursor }) };
    const next: PolicyPage = await node.listPolicies(input, { signal });
    versions.push(...next.data);
    cursor = next.cursor;
  }
  return { current, counted: await countedNow(current, signal), versions, hasMore: cursor !== null, code };
}

/** The policy is read where what is used is not known. */
async function countedNow(current: Policy | undefined, signal: AbortSignal): Promise<readonly LimitCount[]> {
  if (current?.rules.risk === undefined) return [];
  const rules = current.rules as GivenRules;
  return (await node.comparePolicies({ former: rules, next: rules }, { signal }).catch(() => undefined))?.limits ?? [];
}

function None() {
  return (
    <Card>
      <Empty title="No policy is in force">
        <p>Until one is published, every purchase is refused. Write a draft of the first one.</p>
      </Empty>
    </Card>
  );
}

interface InForceProps {
  readonly policy: Policy;
  readonly code: RulesCode;
  readonly counted: readonly LimitCount[];
}

function InForce({ policy: { name, rules }, code, counted }: InForceProps) {
  return (
    <Card title={<bdi>{name}</bdi>} aside={<Status state="inForce" />}>
      <RuleList sentences={code.sentencesFor(rules as unknown as Rules)} counted={counted} />
    </Card>
  );
}

function Context({ policy: { id, version, createdAt, hash } }: { readonly policy: Policy }) {
  return (
    <aside class="context stack">
      <Card title="This version">
        <dl class="facts">
          <Fact name="Version">{version}</Fact>
          <Fact name="In force since">
            <When time={createdAt} />
          </Fact>
        </dl>
        <Technical ids={{ Policy: id, 'Hash of the rules': hash }} />
        {keptDraft() !== undefined && <p class="note">You have a draft that is not published.</p>}
      </Card>
    </aside>
  );
}

function Versions({ versions, code }: { readonly versions: readonly Policy[]; readonly code: RulesCode }) {
  return (
    <Card title="Versions">
      {versions.length === 0 ? (
        <Empty title="No version yet" />
      ) : (
        <ul class="rows">
          {versions.map((policy, index) => (
            <li key={`${policy.id} ${policy.version}`}>
              <VersionRow policy={policy} before={versions[index + 1]} code={code} />
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

interface VersionRowProps {
  readonly policy: Policy;
  /** The one that was written before it, where it is listed too. */
  readonly before: Policy | undefined;
  readonly code: RulesCode;
}

/** So many changes are told in a row. */
const MOST_TOLD = 3;

function VersionRow({ policy, before, code }: VersionRowProps) {
  const { id, version, name, isActive, createdAt } = policy;
  const changes =
    before === undefined
      ? []
      : code.changedSentences(before.rules as unknown as Rules, policy.rules as unknown as Rules);
  const all = changes.flatMap((change) => [
    ...change.next.map((sentence) => `+ ${sentence}`),
    ...change.former.map((sentence) => `− ${sentence}`),
  ]);
  const told = all.slice(0, MOST_TOLD);
  const more = all.length - told.length;
  return (
    <a class="row place" href={hrefOf(`/policy/versions/${id}/${version}`)}>
      <span class="row-main">
        <span>
          <bdi>{name}</bdi>, version {version}
        </span>
        {/* Never cut: what is not read is not known. */}
        <div class="quiet">
          {before === undefined ? 'First version shown' : all.length === 0 && 'No rule changed'}
          {told.map((change) => (
            <div key={change}>
              <bdi>{change}</bdi>
            </div>
          ))}
          {more > 0 && `And ${more} more`}
        </div>
      </span>
      <span class="row-end">
        {isActive && <Status state="inForce" />}
        <When time={createdAt} inLink />
      </span>
    </a>
  );
}
