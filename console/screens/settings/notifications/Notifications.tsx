/** Where a person is told of what happens: this browser, other browsers, and services that they are at anyway. */
import { useState } from 'preact/hooks';
import { node } from '../../../node/node.ts';
import { ability, type ChannelRecord, stopTelling } from '../../../notifications/thisBrowser.ts';
import { Button } from '../../../parts/Button.tsx';
import { Card } from '../../../parts/Card.tsx';
import { say, sayTrouble } from '../../../parts/toasts.ts';
import { failureText } from '../../../parts/values/failureText.ts';
import { When } from '../../../parts/values/When.tsx';
import { ConfirmSheet } from './ConfirmSheet.tsx';
import { PreferenceSheet, type SheetSubject } from './PreferenceSheet.tsx';
import { SERVICES } from './services.ts';

interface NotificationsProps {
  readonly applicationServerKey: string;
  readonly sendsMail: boolean;
  readonly places: readonly ChannelRecord[];
  /** Where this browser is told; undefined where it is not. */
  readonly here: string | undefined;
  onDone(): void;
}

export function Notifications({ applicationServerKey, sendsMail, places, here, onDone }: NotificationsProps) {
  const [open, setOpen] = useState<SheetSubject>();
  const [confirmed, setConfirmed] = useState<ChannelRecord>();
  const own = places.find(({ kind, url }) => kind === 'webPush' && url === here);
  const done = (text: string) => {
    setOpen(undefined);
    setConfirmed(undefined);
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
            onConfirm={() => setConfirmed(place)}
            onTried={onDone}
            onRemoved={() => done('No more notifications go there.')}
          />
        ))}
      </ul>
      {own === undefined && <Able />}
      <div class="buttons">
        {own === undefined && ability() === 'able' && (
          <Button onClick={() => setOpen('browser')}>In this browser</Button>
        )}
        <Button onClick={() => setOpen('service')}>By e-mail or another service</Button>
      </div>
      {open !== undefined && (
        <PreferenceSheet
          open={open}
          applicationServerKey={applicationServerKey}
          sendsMail={sendsMail}
          isHere={open === own}
          onClose={() => setOpen(undefined)}
          onDone={(text, added) => {
            if (added?.silent !== 'unconfirmed') return done(text);
            setOpen(undefined);
            setConfirmed(added);
            onDone();
          }}
        />
      )}
      {confirmed !== undefined && (
        <ConfirmSheet place={confirmed} onClose={() => setConfirmed(undefined)} onDone={done} />
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
  readonly place: ChannelRecord;
  readonly isHere: boolean;
  onEdit(): void;
  onConfirm(): void;
  onTried(): void;
  onRemoved(): void;
}

function PlaceRow({ place, isHere, onEdit, onConfirm, onTried, onRemoved }: PlaceRowProps) {
  const { id, name, kind, silent } = place;
  const attempt = async () => {
    const { outcome, status, error } = await node.tryNotifications({ id });
    if (outcome === 'delivered') {
      say(kind === 'webPush' ? 'A test is on its way.' : 'A test was sent.');
      return onTried();
    }
    const answered = status === 0 ? '' : `, which answered ${status}`;
    sayTrouble(new Error(`Nothing arrived at ${whereOf(place)}${answered}. ${failureText(error) ?? ''}`.trimEnd()));
    onTried();
  };
  const remove = async () => {
    if (isHere) await stopTelling();
    else await node.removeNotifications({ id });
    onRemoved();
  };
  return (
    <li class="row place">
      <span class="row-main">
        <bdi>{name}</bdi>
        <span class="quiet">
          {isHere ? 'this browser' : whereOf(place)}
          <Standing place={place} />
        </span>
      </span>
      <span class="place-acts">
        {silent === 'unconfirmed' ? (
          <Button kind="plain" label={`Confirm notifications to ${name}`} onClick={onConfirm}>
            Confirm
          </Button>
        ) : (
          <Button kind="plain" label={`Test notifications to ${name}`} onClick={attempt}>
            Test
          </Button>
        )}
        <Button kind="plain" label={`Edit notifications to ${name}`} onClick={onEdit}>
          Edit
        </Button>
        <Button kind="plain" label={`Remove notifications to ${name}`} onClick={remove}>
          Remove
        </Button>
      </span>
    </li>
  );
}

/** A place in a few words: its service, and as much of its address as is no secret. */
function whereOf({ kind, url }: ChannelRecord): string {
  if (kind === 'webPush') return 'a browser';
  if (kind === 'email') return url;
  return kind === 'plain' ? new URL(url).host : `${SERVICES[kind].name}, ${url.slice(url.lastIndexOf('/') + 1)}`;
}

/** Why nothing arrives there, where nothing does. */
function Standing({ place: { silent, failingSince } }: { readonly place: ChannelRecord }) {
  if (silent === 'unconfirmed') return <> · waits for the code that was sent there</>;
  if (silent === 'ended') {
    return <b class="wrong"> · takes nothing more: mend it there and test it, or remove it and add it anew</b>;
  }
  if (failingSince === undefined) return null;
  return (
    <b class="wrong">
      {' '}
      · nothing has arrived since <When time={failingSince} inLink />
    </b>
  );
}
