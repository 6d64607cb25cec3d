/** One principal: who may spend its money, what was spent, whose passkeys approve, and what is paid with. */

import { useState } from 'preact/hooks';
import type { Principal } from '../../../client/operations.ts';
import { node } from '../../node/node.ts';
import { useLoaded } from '../../node/useLoaded.ts';
import { Card } from '../../parts/Card.tsx';
import { Empty } from '../../parts/Empty.tsx';
import { Fact } from '../../parts/Fact.tsx';
import { Field } from '../../parts/form/Field.tsx';
import { Form } from '../../parts/form/Form.tsx';
import { Head } from '../../parts/Head.tsx';
import { ExtensionCards } from '../../parts/holders/ExtensionCards.tsx';
import { HolderPasskeys } from '../../parts/holders/HolderPasskeys.tsx';
import { SheetButton } from '../../parts/SheetButton.tsx';
import { Shown } from '../../parts/Shown.tsx';
import { Technical } from '../../parts/Technical.tsx';
import { say } from '../../parts/toasts.ts';
import { dayBefore, timezone, today } from '../../parts/values/days.ts';
import { When } from '../../parts/values/When.tsx';
import type { ScreenProps } from '../../shell/screens.ts';
import { DelegatedAgents } from './DelegatedAgents.tsx';
import { PrincipalInstruments } from './PrincipalInstruments.tsx';
import { PrincipalSpend } from './PrincipalSpend.tsx';
import { SharedLimits } from './SharedLimits.tsx';

const KINDS = ['principal', 'delegation', 'agent', 'hp', 'instrument', 'payment', 'intent', 'policy', 'user'];
const DAYS = 30;
const MOST = 200;
/** As many as the node takes in one question. */
const MOST_LIMITS = 50;

export function OnePrincipal({ params }: ScreenProps) {
  const did = params['did'] ?? '';
  const found = useLoaded(`principal ${did}`, (signal) => load(did, signal), KINDS);
  return (
    <>
      <Head back={{ href: '#/principals', name: 'Whose money' }}>
        {found.value !== undefined && <RenameButton principal={found.value.principal} onDone={found.reload} />}
      </Head>
      <div class="split">
        <Shown of={found} rows={4} height={9}>
          {({ principal, limits, shared, spend, passkeys, instruments, user }) => (
            <>
              <Summary principal={principal} user={user} />
              <div class="stack">
                <PrincipalSpend spend={spend} />
                <SharedLimits states={shared} />
                <DelegatedAgents principal={principal} limits={limits} onDone={found.reload} />
                <ExtensionCards on="/principals/:did" did={did} />
              </div>
              <aside class="context stack">
                <HolderPasskeys holder={{ principalDid: did }} passkeys={passkeys} onDone={found.reload}>
                  <NoPasskey user={user} />
                </HolderPasskeys>
                <PrincipalInstruments did={did} instruments={instruments} onDone={found.reload} />
              </aside>
            </>
          )}
        </Shown>
      </div>
    </>
  );
}

/** Together, since what comes later would move what is there. */
async function load(did: string, signal: AbortSignal) {
  const from = dayBefore(today(), DAYS - 1);
  const page = { principalDid: did, limit: MOST };
  const [principal, shared, spend, passkeys, instruments, users] = await Promise.all([
    node.getPrincipal({ did }, { signal }),
    node.showLimits({ principalDid: did }, { signal }),
    node.showSpend({ principalDid: did, from, by: 'agent', timezone: timezone() }, { signal }),
    node.listPasskeys(page, { signal }),
    node.listInstruments(page, { signal }),
    node.listUsers({ limit: MOST }, { signal }),
  ]);
  const agents = principal.agents.slice(0, MOST_LIMITS);
  const limits = agents.length === 0 ? [] : (await node.listLimits({ agents, limit: MOST_LIMITS }, { signal })).data;
  const user = users.data.find((each) => each.did === did && each.removedAt === undefined);
  return {
    principal,
    shared: shared.limits,
    spend,
    limits,
    passkeys: passkeys.data,
    instruments: instruments.data,
    /** The name of the person of this node who it is; undefined where it is another one. */
    user: user === undefined ? undefined : (user.name ?? user.email ?? 'A user of this node'),
  };
}

interface SummaryProps {
  readonly principal: Principal;
  readonly user: string | undefined;
}

function Summary({ principal: { did, name, createdAt }, user }: SummaryProps) {
  return (
    <Card isMain title={<bdi>{name}</bdi>}>
      <dl class="facts">
        <Fact name="Registered">
          <When time={createdAt} />
        </Fact>
        {user !== undefined && (
          <Fact name="Person">
            <bdi>{user}</bdi>
          </Fact>
        )}
      </dl>
      <Technical ids={{ DID: did }} />
    </Card>
  );
}

interface RenameProps {
  readonly principal: Principal;
  onDone(): void;
}

function RenameButton(props: RenameProps) {
  return (
    <SheetButton act="Rename…" title="Change the name">
      {(close) => <Rename {...props} onClose={close} />}
    </SheetButton>
  );
}

function Rename({ principal: { did, name }, onClose, onDone }: RenameProps & { onClose(): void }) {
  const [given, setGiven] = useState(name);
  const save = async () => {
    await node.changePrincipal({ did, name: given.trim() });
    say('Saved.');
    onClose();
    onDone();
  };
  return (
    <Form act="Save" disabled={given.trim() === '' || given.trim() === name} onSubmit={save} onLeave={onClose}>
      <Field
        label="Name"
        name="name"
        value={given}
        onInput={setGiven}
        input={{ maxLength: 200, autoComplete: 'off' }}
      />
    </Form>
  );
}

function NoPasskey({ user }: { readonly user: string | undefined }) {
  if (user !== undefined) {
    return (
      <Empty title="The person’s own passkeys approve">
        <p>
          <bdi>{user}</bdi> approves with the passkeys that they sign in with. A link enrolls one for another person.
        </p>
      </Empty>
    );
  }
  return (
    <Empty title="No passkey yet">
      <p>Purchases that need a person cannot be approved until a passkey is enrolled.</p>
    </Empty>
  );
}
