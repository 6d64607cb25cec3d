/** Takes an open mandate for an agent: its limits are read in words before it is kept. */
import { useState } from 'preact/hooks';
import type { Delegation, Principal } from '../../../../client/operations.ts';
import { activeAgents } from '../../../../console/node/agentNames.ts';
import { node } from '../../../../console/node/node.ts';
import { Choice, LongField } from '../../../../console/parts/form/Field.tsx';
import { Form } from '../../../../console/parts/form/Form.tsx';
import { say } from '../../../../console/parts/toasts.ts';
import { limitText } from './limitText.ts';
import { NoPassage } from './NoPassage.tsx';

/** As many characters as the node takes. */
const MOST_CHARACTERS = 65_536;
const NOTHING = { token: '', agentDid: '', principalDid: '' };

type MandatePreview = Pick<Delegation, 'principalDid' | 'limits' | 'delegated'>;

interface AddMandateProps {
  readonly principals: readonly Principal[];
  onDone(): void;
  onLeave(): void;
}

export function AddMandate({ principals, onDone, onLeave }: AddMandateProps) {
  const [given, setGiven] = useState(NOTHING);
  const [preview, setPreview] = useState<MandatePreview>();
  const put = (name: keyof typeof NOTHING) => (value: string) => {
    setGiven({ ...given, [name]: value });
    setPreview(undefined);
  };
  const { token, agentDid, principalDid } = given;
  const input = { token: token.trim(), agentDid, ...(principalDid === '' ? {} : { principalDid }) };
  const read = async () => setPreview(await allowed(node.previewDelegation(input)));
  const keep = async () => {
    const { delegated } = await allowed(node.registerDelegation(input));
    say(delegated ? 'Kept. The agent can buy by it.' : 'Kept. The agent may not spend this money yet.');
    onLeave();
    onDone();
  };
  return (
    <Form
      act={preview === undefined ? 'Read it' : 'Keep it'}
      disabled={token.trim() === '' || agentDid === ''}
      onSubmit={preview === undefined ? read : keep}
      onLeave={onLeave}
    >
      <Choice
        label="Agent"
        name="agentDid"
        value={agentDid}
        options={[['', 'Choose…'], ...activeAgents().map(({ did, displayName }) => [did, displayName] as const)]}
        onChange={put('agentDid')}
      />
      <Choice
        label="Whose money"
        name="principalDid"
        value={principalDid}
        options={[['', 'As its issuer says'], ...principals.map(({ did, name }) => [did, name] as const)]}
        onChange={put('principalDid')}
      />
      <LongField
        label="Mandate"
        name="token"
        value={token}
        onInput={put('token')}
        maxLength={MOST_CHARACTERS}
        hint="Paste the permission as you got it, or choose its file."
        takesFile
      />
      {preview !== undefined && <Preview of={preview} principals={principals} />}
    </Form>
  );
}

interface PreviewProps {
  readonly of: MandatePreview;
  readonly principals: readonly Principal[];
}

function Preview({ of: { principalDid, limits, delegated }, principals }: PreviewProps) {
  return (
    <>
      <div class="note" role="status">
        <p>It allows this, and nothing is kept yet:</p>
        <p>
          <strong>{limitText(limits)}</strong>
        </p>
      </div>
      {!delegated && <NoPassage did={principalDid} name={principals.find(({ did }) => did === principalDid)?.name} />}
    </>
  );
}

/** @throws Error with every sentence against it */
async function allowed<Answer extends object>(asked: Promise<Answer>): Promise<Extract<Answer, { limits: unknown }>> {
  const answer = await asked;
  if ('limits' in answer) return answer as Extract<Answer, { limits: unknown }>;
  const { details } = answer as unknown as { details: Readonly<Record<string, { message: string }>> };
  throw new Error(
    Object.values(details)
      .map(({ message }) => message)
      .join(' '),
  );
}
