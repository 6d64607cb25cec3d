/** Where one is told of what happens: this browser, other browsers, and programs that take a plain text. */
import { useState } from 'preact/hooks';
import { node } from '../../node/node.ts';
import { type NotificationPreferences, storePreferences } from '../../notifications/preferences.ts';
import { ability, type Place, startTelling, stopTelling } from '../../notifications/thisBrowser.ts';
import { Button } from '../../parts/Button.tsx';
import { Card } from '../../parts/Card.tsx';
import { Field } from '../../parts/form/Field.tsx';
import { Form } from '../../parts/form/Form.tsx';
import { Sheet } from '../../parts/Sheet.tsx';
import { say, sayTrouble } from '../../parts/toasts.ts';
import { failureText } from '../../parts/values/failureText.ts';
import { When } from '../../parts/values/When.tsx';
import { deviceText } from './deviceText.ts';
import { PreferenceFields } from './PreferenceFields.tsx';

interface NotificationsProps {
  readonly applicationServerKey: string;
  readonly places: readonly Place[];
  /** Where this browser is told; undefined where it is not. */
  readonly here: string | undefined;
  onDone(): void;
}

const FIRST_PREFERENCES: Omit<NotificationPreferences, 'name'> = {
  about: ['approvals', 'disputes', 'agents'],
  details: false,
};

type Open = 'browser' | 'plain' | Place;

export function Notifications({ applicationServerKey, places, here, onDone }: NotificationsProps) {
  const [open, setOpen] = useState<Open>();
  const own = places.find(({ kind, url }) => kind === 'webPush' && url === here);
  const done = (text: string) => {
    setOpen(undefined);
    say(text);
    onDone();
  };
  return (
    <Card title="Notifications">
      <p class="quiet">
        Notifications about what waits for you. They name the agent; amounts and merchants only if you choose that.
      </p>
      <ul class="rows">
        {places.map((place) => (
          <PlaceRow
            key={place.id}
            place={place}
            isHere={place === own}
            onEdit={() => setOpen(place)}
            onRemoved={() => done('No more notifications go there.')}
          />
        ))}
      </ul>
      {own === undefined && <Able />}
      <div class="buttons">
        {own === undefined && ability() === 'able' && (
          <Button onClick={() => setOpen('browser')}>In this browser</Button>
        )}
        <Button onClick={() => setOpen('plain')}>By ntfy</Button>
      </div>
      {open !== undefined && (
        <PreferenceSheet
          open={open}
          applicationServerKey={applicationServerKey}
          isHere={open === own}
          onClose={() => setOpen(undefined)}
          onDone={done}
        />
      )}
    </Card>
  );
}

/** Why this browser is not offered, where it is not. */
function Able() {
  const found = ability();
  if (found === 'able') return null;
  return (
    <p class="quiet">
      {found === 'denied'
        ? 'Notifications of this page are blocked in this browser. Its settings for the page change that.'
        : 'This browser cannot show notifications. On an iPhone or iPad, add the console to the home screen first, and open it from there.'}
    </p>
  );
}

interface PlaceRowProps {
  readonly place: Place;
  readonly isHere: boolean;
  onEdit(): void;
  onRemoved(): void;
}

function PlaceRow({ place, isHere, onEdit, onRemoved }: PlaceRowProps) {
  const { id, name, kind, url, failingSince } = place;
  const attempt = async () => {
    const { outcome, status, error } = await node.tryNotifications({ id });
    if (outcome === 'delivered') return say(kind === 'plain' ? 'A test was sent.' : 'A test is on its way.');
    const answered = status === 0 ? '' : `, which answered ${status}`;
    sayTrouble(new Error(`Nothing arrived at ${new URL(url).host}${answered}. ${failureText(error) ?? ''}`.trimEnd()));
  };
  const remove = async () => {
    if (isHere) await stopTelling();
    else await node.removeNotifications({ id });
    onRemoved();
  };
  return (
    <li class="row">
      <span class="row-main">
        <bdi>{name}</bdi>
        <span class="quiet">
          {isHere ? 'this browser' : kind === 'webPush' ? 'a browser' : new URL(url).host}
          {failingSince !== undefined && (
            <>
              {' '}
              · nothing has arrived since <When time={failingSince} inLink />
            </>
          )}
        </span>
      </span>
      <Button kind="plain" label={`Test notifications to ${name}`} onClick={attempt}>
        Test
      </Button>
      <Button kind="plain" label={`Edit notifications to ${name}`} onClick={onEdit}>
        Edit
      </Button>
      <Button kind="plain" label={`Remove notifications to ${name}`} onClick={remove}>
        Remove
      </Button>
    </li>
  );
}

interface PreferenceSheetProps {
  readonly open: Open;
  readonly applicationServerKey: string;
  readonly isHere: boolean;
  onClose(): void;
  onDone(text: string): void;
}

function PreferenceSheet({ open, applicationServerKey, isHere, onClose, onDone }: PreferenceSheetProps) {
  const isNew = typeof open === 'string';
  const [preferences, setPreferences] = useState<NotificationPreferences>(
    isNew ? { ...FIRST_PREFERENCES, name: nameOf(open) } : open,
  );
  const [plain, setPlain] = useState({ url: '', token: '' });
  const save = async () => {
    const { name, about, details, paymentsFrom } = preferences;
    const kept: NotificationPreferences = {
      name,
      about,
      details,
      paymentsFrom: about.includes('payments') ? (paymentsFrom ?? null) : null,
    };
    if (open === 'browser') await startTelling(applicationServerKey, kept);
    else if (open === 'plain')
      await node.addNotifications({ kind: 'plain', url: plain.url, ...tokenOf(plain), ...kept });
    else await node.changeNotifications({ id: open.id, ...kept });
    if (isHere) storePreferences(kept);
    onDone('Saved.');
  };
  return (
    <Sheet title={isNew ? 'Notifications' : `Notifications to ${open.name}`} onClose={onClose}>
      <Form
        act="Save"
        disabled={preferences.about.length === 0 || preferences.name.trim() === ''}
        onSubmit={save}
        onLeave={onClose}
      >
        {open === 'plain' && <PlainFields plain={plain} onChange={setPlain} />}
        <PreferenceFields preferences={preferences} onChange={setPreferences} />
      </Form>
    </Sheet>
  );
}

interface Plain {
  readonly url: string;
  readonly token: string;
}

function PlainFields({ plain, onChange }: { readonly plain: Plain; onChange(plain: Plain): void }) {
  return (
    <>
      <Field
        label="Address"
        name="url"
        value={plain.url}
        onInput={(url) => onChange({ ...plain, url })}
        input={{ type: 'url', required: true, placeholder: 'https://ntfy.sh/your-own-topic', autoComplete: 'off' }}
        hint="Takes a plain text by POST. Everyone who knows the name of a public topic can read it: choose one that cannot be guessed."
      />
      <Field
        label="Token (optional)"
        name="token"
        value={plain.token}
        onInput={(token) => onChange({ ...plain, token })}
        input={{ type: 'password', autoComplete: 'off' }}
      />
    </>
  );
}

function tokenOf({ token }: Plain): { readonly token?: string } {
  return token === '' ? {} : { token };
}

function nameOf(open: 'browser' | 'plain'): string {
  return open === 'browser' ? deviceText(navigator.userAgent) : 'ntfy';
}
