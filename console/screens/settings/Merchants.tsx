/** The merchants that this node trusts: each domain with the key that signs its carts, and its account at the rail. */
import type { Merchant } from '../../../client/operations.ts';
import { node } from '../../node/node.ts';
import { usePages } from '../../node/usePages.ts';
import { Card } from '../../parts/Card.tsx';
import { Empty } from '../../parts/Empty.tsx';
import { PagedRows } from '../../parts/PagedRows.tsx';
import { RiskyButton } from '../../parts/RiskyButton.tsx';
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
          <div class="split">
            <Card title="Merchants">
              <p class="quiet">
                A cart counts when it is signed by a key of its merchant: one that is bound here, or one that the
                merchant’s own site lists.
              </p>
              <PagedRows pages={merchants} empty={<NoMerchants />} onMore={found.more}>
                {(merchant) => <MerchantRow key={merchant.id} merchant={merchant} onDone={found.reload} />}
              </PagedRows>
            </Card>
            <aside class="context">
              <BindMerchant onDone={found.reload} />
            </aside>
          </div>
        )}
      </Shown>
    </SettingsFrame>
  );
}

function NoMerchants() {
  return (
    <Empty title="No merchant’s key is bound yet">
      <p>Bind one here, with the domain and the key that the merchant gave you.</p>
    </Empty>
  );
}

interface MerchantRowProps {
  readonly merchant: Merchant;
  onDone(): void;
}

function MerchantRow({ merchant, onDone }: MerchantRowProps) {
  const { id, domain, did, jwk, jwksUrl, railAccountId, createdAt } = merchant;
  const remove = async () => {
    await node.removeMerchant({ id });
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
      <RiskyButton act="Remove" of={`this key of ${domain}`} onConfirm={remove}>
        Carts that it signs are refused from then on, those on their way too.
      </RiskyButton>
    </li>
  );
}
