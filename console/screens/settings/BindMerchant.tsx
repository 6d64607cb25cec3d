/** Binds a key, or the names by which it is paid at rails, to a merchant's domain. */
import { useState } from 'preact/hooks';
import type { Operations } from '../../../client/operations.ts';
import { runsWith } from '../../node/here.ts';
import { node } from '../../node/node.ts';
import { CategoryField } from '../../parts/form/CategoryField.tsx';
import { Choice, Field } from '../../parts/form/Field.tsx';
import { Form } from '../../parts/form/Form.tsx';
import { say } from '../../parts/toasts.ts';

type Input = Operations['bindMerchant']['input'];

const KINDS = [
  ['did', 'A DID'],
  ['jwksUrl', 'An address of JSON Web Keys'],
  ['jwk', 'A JSON Web Key'],
  ['payee', 'No key: only who is paid'],
] as const;
type Kind = (typeof KINDS)[number][0];

const KEY_FIELDS: Readonly<Record<Exclude<Kind, 'payee'>, readonly [label: string, hint: string]>> = {
  did: ['DID', 'did:key:z6Mk…, or did:web: and the domain.'],
  jwksUrl: ['Address', 'https://…, where the merchant lists its keys.'],
  jwk: ['JSON Web Key', '{"kty": …}, the public half.'],
};

const TYPED = { autoComplete: 'off', autoCapitalize: 'none', spellcheck: false } as const;
const NOTHING = { domain: '', key: '', account: '', profile: '', accounts: '', mcc: '', country: '', form: '' };

/** How a merchant reads the header of a signed request that names who signs. */
const AGENT_FORMS = [
  ['', 'Not known'],
  ['string', 'As a text (first draft)'],
  ['dictionary', 'As a dictionary (later drafts)'],
] as const;

interface BindMerchantProps {
  onDone(): void;
  onLeave(): void;
}

export function BindMerchant({ onDone, onLeave }: BindMerchantProps) {
  const [kind, setKind] = useState<Kind>('did');
  const [given, setGiven] = useState(NOTHING);
  const put = (name: keyof typeof NOTHING) => (value: string) => setGiven({ ...given, [name]: value });
  const bind = async () => {
    const { domain } = await node.bindMerchant(inputOf(kind, given));
    say(
      kind === 'payee' ? `${domain} is paid by what is bound.` : `Carts of ${domain} that this key signs are trusted.`,
    );
    onLeave();
    onDone();
  };
  return (
    <Form
      act="Bind merchant"
      disabled={given.domain.trim() === '' || isIncomplete(kind, given)}
      onSubmit={bind}
      onLeave={onLeave}
    >
      <Field
        label="Domain"
        name="domain"
        value={given.domain}
        onInput={put('domain')}
        input={{ ...TYPED, required: true, inputMode: 'url', placeholder: 'shop.example' }}
      />
      <Choice label="Key as" value={kind} options={KINDS} onChange={(chosen) => setKind(chosen as Kind)} />
      {kind === 'payee' ? <PayeeFields given={given} put={put} /> : <KeyField kind={kind} given={given} put={put} />}
      <MoreFields isPayee={kind === 'payee'} given={given} put={put} />
    </Form>
  );
}

/** What must be there besides the domain. */
function isIncomplete(kind: Kind, { key, profile, accounts }: typeof NOTHING): boolean {
  return kind === 'payee' ? profile.trim() === '' && accounts.trim() === '' : key.trim() === '';
}

function KeyField({ kind, given, put }: FieldsProps & { readonly kind: Exclude<Kind, 'payee'> }) {
  const [label, hint] = KEY_FIELDS[kind];
  return (
    <Field
      label={label}
      name={kind}
      value={given.key}
      onInput={put('key')}
      hint={hint}
      input={{ ...TYPED, required: true }}
    />
  );
}

/** Who is paid where a server asks for money by HTTP, and no cart is signed. */
function PayeeFields({ given, put }: FieldsProps) {
  return (
    <>
      <Field
        label="Profile at the rail"
        name="railProfileId"
        value={given.profile}
        onInput={put('profile')}
        hint="profile_…, to which shared payment tokens are made out (MPP)."
        input={TYPED}
      />
      <Field
        label="Accounts on chains"
        name="payTo"
        value={given.accounts}
        onInput={put('accounts')}
        hint="eip155:8453:0x…, with commas between (x402)."
        input={TYPED}
      />
    </>
  );
}

interface FieldsProps {
  readonly given: typeof NOTHING;
  put(name: keyof typeof NOTHING): (value: string) => void;
}

/** What else is known of a merchant; folded, as most merchants need none of it. */
function MoreFields({ isPayee, given, put }: FieldsProps & { readonly isPayee: boolean }) {
  return (
    <details>
      <summary>Rail account, category and country</summary>
      <Field
        label="Account at the rail"
        name="railAccountId"
        value={given.account}
        onInput={put('account')}
        input={TYPED}
      />
      {!isPayee && <PayeeFields given={given} put={put} />}
      <CategoryField name="mcc" value={given.mcc} onInput={put('mcc')} />
      <Field
        label="Country"
        name="country"
        value={given.country}
        onInput={put('country')}
        hint="Two letters, such as DE."
        input={{ ...TYPED, maxLength: 2 }}
      />
      {runsWith('http-signatures') && (
        <Choice
          label="It reads Signature-Agent"
          name="signatureAgentForm"
          value={given.form}
          options={AGENT_FORMS}
          onChange={put('form')}
        />
      )}
    </details>
  );
}

/** @throws Error for a key that is no JSON */
function inputOf(kind: Kind, { domain, key, account, profile, accounts, mcc, country, form }: typeof NOTHING): Input {
  const optional = {
    railAccountId: account.trim(),
    railProfileId: profile.trim(),
    mcc: mcc.trim(),
    country: country.trim().toUpperCase(),
    signatureAgentForm: form,
  };
  const present = Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== ''));
  const payTo = accounts.split(/[\s,]+/).filter((each) => each !== '');
  const bound = kind === 'payee' ? {} : { [kind]: kind === 'jwk' ? readJwk(key) : key.trim() };
  return { domain: domain.trim(), ...bound, ...(payTo.length > 0 ? { payTo } : {}), ...present } as Input;
}

function readJwk(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('The key is no JSON. Paste the whole key, from { to }.');
  }
}
