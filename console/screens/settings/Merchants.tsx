/** The merchants that this node trusts: each domain with the key that signs its carts, and its account at the rail. */
import { useState } from 'preact/hooks';
import type { Merchant } from '../../../client/operations.ts';
import { node } from '../../node/node.ts';
import { usePages } from '../../node/usePages.ts';
import { Button } from '../../parts/Button.tsx';
import { Card } from '../../parts/Card.tsx';
import { Empty } from '../../parts/Empty.tsx';
import { PagedRows } from '../../parts/PagedRows.tsx';
import { Sheet } from '../../parts/Sheet.tsx';
import { Shown } from '../../parts/Shown.tsx';
import { say } from '../../parts/toasts.ts';
import { Did } from '../../parts/values/Did.tsx';
import { When } from '../../parts/values/When.tsx';
import { BindMerchant } from './BindMerchant.tsx';
import { SettingsFrame } from './SettingsFrame.tsx';

export function Merchants() {
  const found = usePages('merchants', (page, signal) => node.listMerchants(page, { signal }), ['merchant']);
  return (
    <SettingsFrame>
      <Shown of={found} rows={2} height={12}>
        {(merchants) => (
          <>
            <Card title="Merchants">
              <p class="quiet">
                A cart counts when it is signed by a key of its merchant: one that is bound here, or one that the
                merchant’s own site lists.
              </p>
              <PagedRows pages={merchants} empty={<NoMerchants />} onMore={found.more}>
                {(merchant) => <MerchantRow key={merchant.id} merchant={merchant} onDone={found.reload} />}
              </PagedRows>
            </Card>
            <BindMerchant onDone={found.reload} />
          </>
        )}
      </Shown>
    </SettingsFrame>
  );
}

function NoMerchants() {
  return (
    <Empty title="No merchant’s key is bound yet">
      <p>Bind one below, with the domain and the key that the merchant gave you.</p>
    </Empty>
  );
}

interface MerchantRowProps {
  readonly merchant: Merchant;
  onDone(): void;
}

function MerchantRow({ merchant, onDone }: MerchantRowProps) {
  const { id, domain, did, jwk, jwksUrl, railAccountId, createdAt } = merchant;
  const [isAsked, setAsked] = useState(false);
  const remove = async () => {
    await node.removeMerchant({ id });
    setAsked(false);
    say(`That key of ${domain} is trusted no more.`);
    onDone();
  };
  return (
    <li class="row acting">
      <span class="row-main">
        <bdi>{domain}</bdi>
        {did !== undefined && <Did did={did} />}
        <span class="quiet">
          {jwk !== undefined && `a JSON Web Key (${jwk.kty}) · `}
          {jwksUrl !== undefined && <bdi>{jwksUrl}</bdi>}
          {jwksUrl !== undefined && ' · '}
          {railAccountId !== undefined && (
            <>
              account <bdi>{railAccountId}</bdi> ·{' '}
            </>
          )}
          bound <When time={createdAt} inLink />
        </span>
      </span>
      <Button kind="plain" label={`Remove this key of ${domain}`} onClick={() => setAsked(true)}>
        Remove
      </Button>
      {isAsked && (
        <Sheet title={`Remove this key of ${domain}?`} onClose={() => setAsked(false)}>
          <p>Carts that it signs are refused from then on, those on their way too.</p>
          <div class="buttons">
            <Button kind="risky" onClick={remove}>
              Remove
            </Button>
            <Button onClick={() => setAsked(false)}>Leave it</Button>
          </div>
        </Sheet>
      )}
    </li>
  );
}
