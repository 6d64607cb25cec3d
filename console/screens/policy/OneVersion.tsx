/** One version of a policy: what it says, what it changed, and how it differs from what is in force. */

import type { Policy } from '../../../client/operations.ts';
import type { Rules } from '../../../protocol/policy/rules.ts';
import { useLoaded } from '../../node/useLoaded.ts';
import { Button } from '../../parts/Button.tsx';
import { Card } from '../../parts/Card.tsx';
import { CopyText } from '../../parts/CopyText.tsx';
import { Empty } from '../../parts/Empty.tsx';
import { Fact } from '../../parts/Fact.tsx';
import { Head } from '../../parts/Head.tsx';
import { Shown } from '../../parts/Shown.tsx';
import { Technical } from '../../parts/Technical.tsx';
import { Status } from '../../parts/values/Status.tsx';
import { When } from '../../parts/values/When.tsx';
import { loadRules, type RulesCode } from '../../proofs/loadRules.ts';
import { go } from '../../shell/route.ts';
import type { ScreenProps } from '../../shell/screens.ts';
import { Changes } from './Changes.tsx';
import { draftText, keepDraft, keptDraft } from './draft/keptDraft.ts';
import { currentPolicy, findVersion, type PlacedVersion } from './policies.ts';
import { RuleList } from './RuleList.tsx';

export function OneVersion({ params }: ScreenProps) {
  const wanted = { id: params['id'] ?? '', version: Number(params['version']) };
  const found = useLoaded(
    `version ${wanted.id} ${wanted.version}`,
    async (signal) => {
      const [placed, current, code] = await Promise.all([
        findVersion(wanted, signal),
        currentPolicy(signal),
        loadRules(),
      ]);
      return { placed, current, code };
    },
    ['policy'],
  );
  return (
    <>
      <Head back={{ href: '#/policy', name: 'Policy' }}>
        {found.value?.placed !== undefined && (
          <DraftButton policy={found.value.placed.policy} current={found.value.current} />
        )}
      </Head>
      <div class="split">
        <Shown of={found} rows={2} height={12}>
          {({ placed, current, code }) =>
            placed === undefined ? <NoSuch /> : <Version placed={placed} current={current} code={code} />
          }
        </Shown>
      </div>
    </>
  );
}

function NoSuch() {
  return (
    <Card>
      <Empty title="There is no such version">
        <p>
          <a href="#/policy">Show all versions</a>
        </p>
      </Empty>
    </Card>
  );
}

interface DraftButtonProps {
  readonly policy: Policy;
  readonly current: Policy | undefined;
}

function DraftButton({ policy: { rules }, current }: DraftButtonProps) {
  const take = () => {
    keepDraft({ text: draftText(rules), over: current && { id: current.id, version: current.version } });
    go('#/policy/draft');
  };
  return (
    <Button kind="first" onClick={take}>
      {keptDraft() === undefined ? 'Use as a draft' : 'Replace your draft'}
    </Button>
  );
}

interface VersionProps {
  readonly placed: PlacedVersion;
  readonly current: Policy | undefined;
  readonly code: RulesCode;
}

function Version({ placed, current, code }: VersionProps) {
  const { policy, before } = placed;
  const { name, version, isActive } = policy;
  const rules = policy.rules as unknown as Rules;
  const changesOf = (former: Policy, next: Rules) => code.changedSentences(former.rules as unknown as Rules, next);
  return (
    <>
      <div class="stack">
        <Card
          isMain
          title={
            <>
              <bdi>{name}</bdi>, version {version}
            </>
          }
          aside={<Status state={isActive ? 'inForce' : 'formerly'} />}
        >
          <RuleList sentences={code.sentencesFor(rules)} />
          <details>
            <summary>As JSON</summary>
            <CopyText name="policy" text={draftText(policy.rules)} />
          </details>
        </Card>
        <Card title="What it changed">
          {before === undefined ? (
            <p class="quiet">It was the first version.</p>
          ) : (
            <>
              <p class="quiet">
                Of <VersionLink of={before} />, which was in force before it:
              </p>
              <Changes changes={changesOf(before, rules)} />
            </>
          )}
        </Card>
        {current !== undefined && !isActive && (
          <Card title="Compared with the version in force">
            <p class="quiet">Publishing this version again would change:</p>
            <Changes changes={changesOf(current, rules)} />
          </Card>
        )}
      </div>
      <Context placed={placed} />
    </>
  );
}

function VersionLink({ of: { id, version, name } }: { readonly of: Policy }) {
  return (
    <a href={`#/policy/versions/${id}/${version}`}>
      <bdi>{name}</bdi>, version {version}
    </a>
  );
}

function Context({ placed: { policy, after } }: Pick<VersionProps, 'placed'>) {
  const { id, createdAt, isActive, hash } = policy;
  return (
    <aside class="context">
      <Card title="This version">
        <dl class="facts">
          <Fact name={isActive ? 'In force since' : 'Published'}>
            <When time={createdAt} />
          </Fact>
          {!isActive && after !== undefined && (
            <Fact name="Followed by">
              <VersionLink of={after} /> <When time={after.createdAt} />
            </Fact>
          )}
        </dl>
        <Technical ids={{ Policy: id, 'Hash of the rules': hash }} />
      </Card>
    </aside>
  );
}
