/** The merchants that this node trusts: each domain with the key that signs its carts, and its account at the rail. */

import type { Merchant } from '../../../client/operations.ts';
import { mccText } from '../../../protocol/policy/values/category.ts';
import { node } from '../../node/node.ts';
import { usePages } from '../../node/usePages.ts';
import { Card } from '../../parts/Card.tsx';
import { Empty } from '../../parts/Empty.tsx';
import { RiskyButton } from '../../parts/RiskyButton.tsx';
import { PagedRows } from '../../parts/rows/PagedRows.tsx';
import { SheetButton } from '../../parts/SheetButton.tsx';
import { Shown } from '../../parts/Shown.tsx';
import { SubPlaces } from '../../parts/SubPlaces.tsx';
import { Table, type TableColumn } from '../../parts/table/Table.tsx';
import { say } from '../../parts/toasts.ts';
import { LongId } from '../../parts/values/LongId.tsx';
import { When } from '../../parts/values/When.tsx';
import { BindMerchant } from './BindMerchant.tsx';

export function Merchants() {
  const found = usePages('merchants', (page, signal) => node.listMerchants(page, { signal }), ['merchant']);
  const bind = (
    <SheetButton act="Bind a merchant" title="Bind a merchant" isMain>
      {(close) => <BindMerchant onDone={found.reload} onLeave={close} />}
    </SheetButton>
  );
  return (
    <SubPlaces of="/settings" act={bind}>
      <Card title="Merchants">
        <p class="quiet">
          A cart counts when it is signed by a key of its merchant: one that is bound here, or one that the merchant’s
          own site lists. Where a server asks for money by HTTP, no cart is signed: what is bound says who is paid.
        </p>
        <Shown of={found} rows={2} height={12}>
          {(merchants) => (
            <PagedRows
              pages={merchants}
              empty={<NoMerchants />}
              onMore={found.more}
              table={(items) => <MerchantTable merchants={items} onDone={found.reload} />}
            >
              {(merchant) => <MerchantRow key={merchant.id} merchant={merchant} onDone={found.reload} />}
            </PagedRows>
          )}
        </Shown>
      </Card>
    </SubPlaces>
  );
}

function NoMerchants() {
  return (
    <Empty title="No merchant’s key is bound yet">
      <p>Bind one here, with the domain and the key that the merchant gave you.</p>
    </Empty>
  );
}

interface MerchantTableProps {
  readonly merchants: readonly Merchant[];
  onDone(): void;
}

function MerchantTable({ merchants, onDone }: MerchantTableProps) {
  const columns: readonly TableColumn<Merchant>[] = [
    { name: 'Domain', cell: ({ domain }) => <bdi title={domain}>{domain}</bdi> },
    { name: 'Key, or who is paid', cell: (merchant) => <MerchantKey of={merchant} /> },
    { name: 'Category', width: 9.5, cell: ({ mcc }) => mcc !== undefined && mccText(mcc) },
    { name: 'Account at the rail', width: 11, cell: ({ railAccountId }) => <bdi>{railAccountId}</bdi> },
    { name: 'Bound', width: 6.5, cell: ({ createdAt }) => <When time={createdAt} inLink /> },
    { name: '', width: 6.5, isEnd: true, cell: (merchant) => <RemoveMerchant merchant={merchant} onDone={onDone} /> },
  ];
  return (
    <Table
      label={merchants.length === 1 ? '1 merchant' : `${merchants.length} merchants`}
      columns={columns}
      items={merchants}
      keyOf={({ id }) => id}
    />
  );
}

function MerchantKey({ of: { did, jwk, jwksUrl, railProfileId, payTo = [] } }: { readonly of: Merchant }) {
  if (did !== undefined) return <LongId id={did}>Key …{did.slice(-6)}</LongId>;
  if (jwk === undefined && jwksUrl === undefined) {
    const payees = [...(railProfileId === undefined ? [] : [railProfileId]), ...payTo].join(', ');
    return <bdi title={payees}>{payees}</bdi>;
  }
  return jwk === undefined ? <bdi title={jwksUrl}>{jwksUrl}</bdi> : <>JSON Web Key ({jwk.kty})</>;
}

interface MerchantRowProps {
  readonly merchant: Merchant;
  onDone(): void;
}

function MerchantRow({ merchant, onDone }: MerchantRowProps) {
  const { domain, mcc, railAccountId, createdAt } = merchant;
  return (
    <li class="row acting">
      <span class="row-main">
        <bdi>{domain}</bdi>
        <span class="quiet">
          <MerchantKey of={merchant} />
        </span>
        {mcc !== undefined && <span class="quiet">{mccText(mcc)}</span>}
        <span class="quiet">
          {railAccountId !== undefined && (
            <>
              account <bdi>{railAccountId}</bdi> ·{' '}
            </>
          )}
          bound <When time={createdAt} inLink />
        </span>
      </span>
      <RemoveMerchant merchant={merchant} onDone={onDone} />
    </li>
  );
}

function RemoveMerchant({ merchant: { id, domain }, onDone }: MerchantRowProps) {
  const remove = async () => {
    await node.removeMerchant({ id });
    say(`That key of ${domain} is no longer trusted.`);
    onDone();
  };
  return (
    <RiskyButton act="Remove" of={`this key of ${domain}`} onConfirm={remove}>
      Carts that this key signs are refused from then on, those that are under way too.
    </RiskyButton>
  );
}
