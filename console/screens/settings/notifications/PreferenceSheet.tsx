/** A new place for notifications, or what one that is there is told of. */
import { useState } from 'preact/hooks';
import { node } from '../../../node/node.ts';
import { type NotificationPreferences, storePreferences } from '../../../notifications/preferences.ts';
import { type ChannelRecord, startTelling } from '../../../notifications/thisBrowser.ts';
import { Choice, Field } from '../../../parts/form/Field.tsx';
import { Form } from '../../../parts/form/Form.tsx';
import { Sheet } from '../../../parts/Sheet.tsx';
import { deviceText } from '../deviceText.ts';
import { firstDigest, PreferenceFields } from './PreferenceFields.tsx';
import { SERVICES, type ServiceKind } from './services.ts';

/** This browser, a service that is to be chosen, or a place that is there. */
export type SheetSubject = 'browser' | 'service' | ChannelRecord;

const FIRST_PREFERENCES: Omit<NotificationPreferences, 'name'> = {
  about: ['approvals', 'disputes', 'agents'],
  details: false,
};

interface PreferenceSheetProps {
  readonly open: SheetSubject;
  readonly applicationServerKey: string;
  readonly sendsMail: boolean;
  readonly isHere: boolean;
  onClose(): void;
  onDone(text: string, added?: ChannelRecord): void;
}

export function PreferenceSheet({
  open,
  applicationServerKey,
  sendsMail,
  isHere,
  onClose,
  onDone,
}: PreferenceSheetProps) {
  const isNew = typeof open === 'string';
  const [address, setAddress] = useState<Address>({ kind: sendsMail ? 'email' : 'slack', text: '', token: '' });
  const [preferences, setPreferences] = useState<NotificationPreferences>(
    isNew ? { ...FIRST_PREFERENCES, name: open === 'browser' ? deviceText(navigator.userAgent) : '' } : open,
  );
  const lacksMail = open === 'service' && address.kind === 'email' && !sendsMail;
  const save = async () => {
    const { name, about, details, paymentsFrom, digest = firstDigest() } = preferences;
    const kept: NotificationPreferences = {
      name: name.trim() === '' ? SERVICES[address.kind].name : name,
      about,
      details,
      paymentsFrom: about.includes('payments') ? (paymentsFrom ?? null) : null,
      ...(about.includes('digest') ? { digest } : {}),
    };
    if (open === 'service') return onDone('Saved.', await node.addNotifications({ ...givenOf(address), ...kept }));
    if (open === 'browser') await startTelling(applicationServerKey, kept);
    else await node.changeNotifications({ id: open.id, ...kept });
    if (isHere) storePreferences(kept);
    onDone('Saved.');
  };
  return (
    <Sheet title={isNew ? 'Notifications' : `Notifications to ${open.name}`} onClose={onClose}>
      <Form act="Save" disabled={preferences.about.length === 0 || lacksMail} onSubmit={save} onLeave={onClose}>
        {open === 'service' && <AddressFields address={address} sendsMail={sendsMail} onChange={setAddress} />}
        <PreferenceFields
          preferences={preferences}
          namePlaceholder={open === 'service' ? SERVICES[address.kind].name : undefined}
          onChange={setPreferences}
        />
      </Form>
    </Sheet>
  );
}

interface Address {
  readonly kind: ServiceKind;
  readonly text: string;
  readonly token: string;
}

/** As the API takes it. */
function givenOf({ kind, text, token }: Address) {
  if (kind === 'email') return { kind, address: text };
  if (kind === 'telegram') return { kind, chatId: text.trim(), token: token.trim() };
  return kind === 'plain' && token !== '' ? { kind, url: text, token } : { kind, url: text };
}

const CHOICES = Object.entries(SERVICES).map(([kind, { name }]) => [kind, name] as const);

interface AddressFieldsProps {
  readonly address: Address;
  readonly sendsMail: boolean;
  onChange(address: Address): void;
}

function AddressFields({ address, sendsMail, onChange }: AddressFieldsProps) {
  const { kind, text, token } = address;
  const service = SERVICES[kind];
  const { label, type, placeholder } = service.address;
  return (
    <>
      <Choice
        label="By"
        value={kind}
        options={CHOICES}
        onChange={(chosen) => onChange({ kind: chosen as ServiceKind, text: '', token: '' })}
      />
      {kind === 'email' && !sendsMail ? (
        <p class="quiet">
          This node sends no mail yet. Its operator sets <code>SMTP_URL</code> and <code>SMTP_FROM</code> first.
        </p>
      ) : (
        <Field
          label={label}
          name={kind === 'email' ? 'address' : kind === 'telegram' ? 'chatId' : 'url'}
          value={text}
          onInput={(typed) => onChange({ ...address, text: typed })}
          input={{
            type: type as 'text',
            required: true,
            placeholder,
            autoComplete: type === 'email' ? 'email' : 'off',
          }}
          hint={service.hint}
        />
      )}
      {service.token !== undefined && (
        <Field
          label={service.token.label}
          name="token"
          value={token}
          onInput={(typed) => onChange({ ...address, token: typed })}
          input={{ type: 'password', required: service.token.required, autoComplete: 'off' }}
        />
      )}
    </>
  );
}
