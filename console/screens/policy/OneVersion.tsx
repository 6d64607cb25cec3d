/** One version of a policy: what it says, and how it differs from what is in force. */

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
import { Status } from '../../parts/values/Status.tsx';
import { When } from '../../parts/values/When.tsx';
import { loadRules, type RulesCode } from '../../proofs/loadRules.ts';
import { go } from '../../shell/route.ts';
import type { ScreenProps } from '../../shell/screens.ts';
import { Changes } from './Changes.tsx';
import { draftText, keepDraft, keptDraft } from './draft/keptDraft.ts';
import { currentPolicy, findVersion } from './policies.ts';
import { RuleList } from './RuleList.tsx';

export function OneVersion({ params }: ScreenProps) {
  const wanted = { id: params['id'] ?? '', version: Number(params['version']) };
  const found = useLoaded(
    `version ${wanted.id} ${wanted.version}`,
    async (signal) => {
      const [policy, current, code] = await Promise.all([
        findVersion(wanted, signal),
        currentPolicy(signal),
        loadRules(),
      ]);
      return { policy, current, code };
    },
    ['policy'],
  );
  return (
    <>
      <Head back={{ href: '#/policy', name: 'Policy' }}>
        {found.value?.policy !== undefined && <DraftButton policy={found.value.policy} current={found.value.current} />}
      </Head>
      <div class="split">
        <Shown of={found} rows={2} height={12}>
          {({ policy, current, code }) => (
            <>
              {policy === undefined ? <NoSuch /> : <Version policy={policy} code={code} />}
              {policy !== undefined && <Context policy={policy} />}
              {policy !== undefined && current !== undefined && !policy.isActive && (
                <Card title="Compared with the version in force">
                  <p class="quiet">Publishing this version again would change:</p>
                  <Changes
                    changes={code.changesBetween(current.rules as unknown as Rules, policy.rules as unknown as Rules)}
                  />
                </Card>
              )}
            </>
          )}
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
  readonly policy: Policy;
  readonly code: RulesCode;
}

function Version({ policy: { name, version, rules, isActive }, code }: VersionProps) {
  return (
    <Card
      isMain
      title={
        <>
          Version {version} · <bdi>{name}</bdi>
        </>
      }
      aside={<Status state={isActive ? 'inForce' : 'formerly'} />}
    >
      <RuleList sentences={code.sentencesFor(rules as unknown as Rules)} />
      <details>
        <summary>As JSON</summary>
        <CopyText name="policy" text={draftText(rules)} />
      </details>
    </Card>
  );
}

function Context({ policy: { createdAt, hash } }: Pick<VersionProps, 'policy'>) {
  return (
    <aside class="context">
      <Card title="This version">
        <dl class="facts">
          <Fact name="Published">
            <When time={createdAt} />
          </Fact>
          <Fact name="Hash">
            <code>{hash}</code>
          </Fact>
        </dl>
      </Card>
    </aside>
  );
}
