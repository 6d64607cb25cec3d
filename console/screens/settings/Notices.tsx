/** Where one is told of what happens: this browser, other browsers, and programs that take a plain text. */
import { useState } from 'preact/hooks';
import { explain } from '../../node/explainError.ts';
import { node } from '../../node/node.ts';
import { ability, type Place, startTelling, stopTelling } from '../../notices/thisBrowser.ts';
import { keepWish, type Wish } from '../../notices/wish.ts';
import { Button } from '../../parts/Button.tsx';
import { Card } from '../../parts/Card.tsx';
import { Field } from '../../parts/Field.tsx';
import { Sheet } from '../../parts/Sheet.tsx';
import { say, sayTrouble } from '../../parts/toasts.ts';
import { When } from '../../parts/values/When.tsx';
import { deviceText } from './deviceText.ts';
import { WishFields } from './WishFields.tsx';

interface NoticesProps {
  readonly applicationServerKey: string;
  readonly places: readonly Place[];
  /** Where this browser is told; undefined where it is not. */
  readonly here: string | undefined;
  onDone(): void;
}

const FIRST_WISH: Omit<Wish, 'name'> = { about: ['approvals', 'disputes', 'agents'], details: false };

type Open = 'browser' | 'plain' | Place;

export function Notices({ applicationServerKey, places, here, onDone }: NoticesProps) {
  const [open, setOpen] = useState<Open>();
  const own = places.find(({ kind, url }) => kind === 'webPush' && url === here);
  const done = (text: string) => {
    setOpen(undefined);
    say(text);
    onDone();
  };
  return (
    <Card title="Notices">
      <p class="quiet">
        What waits for you, on your lock screen. A notice names the agent; amounts and merchants only if you say so.
      </p>
      <ul class="rows">
        {places.map((place) => (
          <PlaceRow
            key={place.id}
            place={place}
            isHere={place === own}
            onEdit={() => setOpen(place)}
            onRemoved={() => done('No more notices go there.')}
          />
        ))}
      </ul>
      {own === undefined && <Able />}
      <div class="buttons">
        {own === undefined && ability() === 'able' && (
          <Button kind="first" onClick={() => setOpen('browser')}>
            Notices in this browser
          </Button>
        )}
        <Button onClick={() => setOpen('plain')}>Notices by ntfy</Button>
      </div>
      {open !== undefined && (
        <WishSheet
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
        ? 'This browser was told never to show notices of this page; its settings for the page change that.'
        : 'This browser shows no notices as it is. On an iPhone or iPad, add the console to the home screen first, and open it from there.'}
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
    const { outcome, status, error } = await node.tryNotices({ id });
    if (outcome === 'delivered') return say(kind === 'plain' ? 'A trial was sent.' : 'A trial is on its way.');
    sayTrouble(
      new Error(`Nothing arrived at ${new URL(url).host}: ${error ?? 'it refused'} (${status || 'no answer'}).`),
    );
  };
  const remove = async () => {
    if (isHere) await stopTelling();
    else await node.removeNotices({ id });
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
      <Button kind="plain" label={`Try notices to ${name}`} onClick={attempt}>
        Try
      </Button>
      <Button kind="plain" label={`Change notices to ${name}`} onClick={onEdit}>
        Change
      </Button>
      <Button kind="plain" label={`Remove notices to ${name}`} onClick={remove}>
        Remove
      </Button>
    </li>
  );
}

interface WishSheetProps {
  readonly open: Open;
  readonly applicationServerKey: string;
  readonly isHere: boolean;
  onClose(): void;
  onDone(text: string): void;
}

function WishSheet({ open, applicationServerKey, isHere, onClose, onDone }: WishSheetProps) {
  const isNew = typeof open === 'string';
  const [wish, setWish] = useState<Wish>(isNew ? { ...FIRST_WISH, name: nameOf(open) } : open);
  const [plain, setPlain] = useState({ url: '', token: '' });
  const [trouble, setTrouble] = useState<string>();
  const save = async () => {
    setTrouble(undefined);
    const { name, about, details, paymentsFrom } = wish;
    const kept: Wish = {
      name,
      about,
      details,
      paymentsFrom: about.includes('payments') ? (paymentsFrom ?? null) : null,
    };
    try {
      if (open === 'browser') await startTelling(applicationServerKey, kept);
      else if (open === 'plain') await node.addNotices({ kind: 'plain', url: plain.url, ...tokenOf(plain), ...kept });
      else await node.changeNotices({ id: open.id, ...kept });
      if (isHere) keepWish(kept);
      onDone('Saved.');
    } catch (error) {
      setTrouble(error instanceof Error && error.name === 'Error' ? error.message : explain(error).message);
    }
  };
  return (
    <Sheet title={isNew ? 'Notices' : `Notices to ${open.name}`} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        {open === 'plain' && <PlainFields plain={plain} onChange={setPlain} />}
        <WishFields wish={wish} onChange={setWish} />
        {trouble !== undefined && (
          <p class="trouble" role="alert">
            {trouble}
          </p>
        )}
        <div class="buttons">
          <Button kind="first" type="submit" disabled={wish.about.length === 0 || wish.name.trim() === ''}>
            Save
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </form>
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
        value={plain.url}
        onInput={(url) => onChange({ ...plain, url })}
        input={{ type: 'url', required: true, placeholder: 'https://ntfy.sh/your-own-topic', autoComplete: 'off' }}
        hint="Takes a plain text by POST. Whoever knows the name of a public topic reads it: choose one that nobody guesses."
      />
      <Field
        label="Token, if it wants one"
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
