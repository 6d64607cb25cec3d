/** One version of a policy: what it says, and how it differs from what is in force. */
import type { Policy } from '../../../client/operations.ts';
import type { Rules } from '../../../protocol/policy/rules.ts';
import { useLoaded } from '../../node/useLoaded.ts';
import { Back } from '../../parts/Back.tsx';
import { Button } from '../../parts/Button.tsx';
import { Card } from '../../parts/Card.tsx';
import { CopyText } from '../../parts/CopyText.tsx';
import { Empty } from '../../parts/Empty.tsx';
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
      <Back href="#/policy">Policy</Back>
      <div class="stack narrow">
        <Shown of={found} rows={2} height={12}>
          {({ policy, current, code }) => (
            <>
              {policy === undefined ? <NoSuch /> : <Version policy={policy} current={current} code={code} />}
              {policy !== undefined && current !== undefined && !policy.isActive && (
                <Card title="Against what is in force">
                  <p class="quiet">Were it published again, it would change this:</p>
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
          <a href="#/policy">Show the versions that there are</a>
        </p>
      </Empty>
    </Card>
  );
}

interface VersionProps {
  readonly policy: Policy;
  readonly current: Policy | undefined;
  readonly code: RulesCode;
}

function Version({ policy, current, code }: VersionProps) {
  const { name, version, rules, isActive, createdAt, hash } = policy;
  const take = () => {
    keepDraft({ text: draftText(rules), over: current && { id: current.id, version: current.version } });
    go('#/policy/draft');
  };
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
      <p class="quiet">
        Written <When time={createdAt} /> · <code>{hash}</code>
      </p>
      <details>
        <summary>As JSON</summary>
        <CopyText name="policy" text={draftText(rules)} />
      </details>
      <div class="buttons">
        <Button onClick={take}>
          {keptDraft() === undefined ? 'Use as a draft' : 'Use as a draft, in place of yours'}
        </Button>
      </div>
    </Card>
  );
}
