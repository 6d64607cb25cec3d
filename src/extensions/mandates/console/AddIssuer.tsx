/** Trusts who signs mandates: by a key, or by the root of its certificates. */
import { useState } from 'preact/hooks';
import type { MandateIssuer, Operations, Principal } from '../../../../client/operations.ts';
import { node } from '../../../../console/node/node.ts';
import { Choice, Field, LongField } from '../../../../console/parts/form/Field.tsx';
import { Form } from '../../../../console/parts/form/Form.tsx';
import { say } from '../../../../console/parts/toasts.ts';
import { ISSUER_KINDS, ROOT_ALONE } from './issuerKinds.ts';

type Input = Operations['addMandateIssuer']['input'];

const MOST_CHARACTERS = 20_000;
const NOTHING = { name: '', kind: 'agent-provider', key: '', subject: '', principalDid: '' };

interface AddIssuerProps {
  readonly principals: readonly Principal[];
  onDone(): void;
  onLeave(): void;
}

export function AddIssuer({ principals, onDone, onLeave }: AddIssuerProps) {
  const [given, setGiven] = useState(NOTHING);
  const put = (name: keyof typeof NOTHING) => (value: string) => setGiven({ ...given, [name]: value });
  const kind = given.kind as MandateIssuer['kind'];
  const isRoot = given.key.trim() !== '' && !given.key.trim().startsWith('{');
  const add = async () => {
    const { name } = await node.addMandateIssuer(inputOf(given, isRoot));
    say(`Mandates that ${name} signs are taken.`);
    onLeave();
    onDone();
  };
  return (
    <Form
      act="Trust it"
      disabled={given.name.trim() === '' || given.key.trim() === ''}
      onSubmit={add}
      onLeave={onLeave}
    >
      <Field label="Name" name="name" value={given.name} onInput={put('name')} input={{ maxLength: 200 }} />
      <Choice
        label="What it is"
        name="kind"
        value={kind}
        options={Object.entries(ISSUER_KINDS).map(([each, [name]]) => [each, name] as const)}
        onChange={put('kind')}
      />
      <p class="quiet">In short: {ISSUER_KINDS[kind][1]}</p>
      <LongField
        label="Key, or root certificate"
        name={isRoot ? 'x5cRoot' : 'jwk'}
        value={given.key}
        onInput={put('key')}
        maxLength={MOST_CHARACTERS}
        hint="A JSON Web Key {…} of P-256, or the certificate as PEM."
        takesFile
      />
      {isRoot && (
        <Field
          label="The one certificate below it"
          name="leaf"
          value={given.subject}
          onInput={put('subject')}
          hint="By its whole subject, such as CN=Ada Lovelace,O=Bank."
        />
      )}
      {isRoot && given.subject.trim() === '' && <p class="note">{ROOT_ALONE}</p>}
      <Choice
        label="Whose credential it is"
        name="principalDid"
        value={given.principalDid}
        options={[['', 'No one person’s'], ...principals.map(({ did, name }) => [did, name] as const)]}
        onChange={put('principalDid')}
      />
    </Form>
  );
}

/** @throws Error for a key that is no JSON */
function inputOf({ name, kind, key, subject, principalDid }: typeof NOTHING, isRoot: boolean): Input {
  return {
    name: name.trim(),
    kind,
    ...(isRoot ? { x5cRoot: key.trim() } : { jwk: readJwk(key) }),
    ...(isRoot && subject.trim() !== '' ? { leaf: { subject: subject.trim() } } : {}),
    ...(principalDid === '' ? {} : { principalDid }),
  } as Input;
}

function readJwk(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('The key is no JSON. Paste the whole key, from { to }.');
  }
}
