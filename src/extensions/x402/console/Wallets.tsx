/** The wallets that agents pay with by x402: accounts on chains whose keys the node holds, and shows to no one. */
import type { Wallet } from '../../../../client/operations.ts';
import { node } from '../../../../console/node/node.ts';
import { usePages } from '../../../../console/node/usePages.ts';
import { Card } from '../../../../console/parts/Card.tsx';
import { Empty } from '../../../../console/parts/Empty.tsx';
import { HolderName } from '../../../../console/parts/holders/HolderName.tsx';
import { usePrincipals } from '../../../../console/parts/holders/usePrincipals.ts';
import { RiskyButton } from '../../../../console/parts/RiskyButton.tsx';
import { PagedRows } from '../../../../console/parts/rows/PagedRows.tsx';
import { SheetButton } from '../../../../console/parts/SheetButton.tsx';
import { Shown } from '../../../../console/parts/Shown.tsx';
import { SubPlaces } from '../../../../console/parts/SubPlaces.tsx';
import { Table, type TableColumn } from '../../../../console/parts/table/Table.tsx';
import { say } from '../../../../console/parts/toasts.ts';
import { chainText } from '../../../../console/parts/values/chainText.ts';
import { LongId } from '../../../../console/parts/values/LongId.tsx';
import { shortened } from '../../../../console/parts/values/shortened.ts';
import { When } from '../../../../console/parts/values/When.tsx';
import { AddWallet } from './AddWallet.tsx';

export function Wallets() {
  const found = usePages('wallets', (page, signal) => node.listWallets(page, { signal }), ['wallet']);
  const { principals, nameOf } = usePrincipals();
  const rowOf = (wallet: Wallet) => ({ wallet, principal: nameOf(wallet.principalDid), onDone: found.reload });
  const add = (
    <SheetButton act="Add a wallet" title="Add a wallet" isMain>
      {(close) => <AddWallet principals={principals} onDone={found.reload} onLeave={close} />}
    </SheetButton>
  );
  return (
    <SubPlaces of="/settings" act={add}>
      <Card title="Wallets">
        <p class="quiet">
          Where a server asks for money by x402, a wallet pays it in dollar tokens such as USDC: the agent’s own, else
          that of the person or company whose money it spends, else that of every agent.
        </p>
        <Shown of={found} rows={2} height={12}>
          {(wallets) => (
            <PagedRows
              pages={wallets}
              empty={<NoWallets />}
              onMore={found.more}
              table={(items) => <WalletTable rows={items.map(rowOf)} />}
            >
              {(wallet) => <WalletRow key={wallet.id} {...rowOf(wallet)} />}
            </PagedRows>
          )}
        </Shown>
      </Card>
    </SubPlaces>
  );
}

function NoWallets() {
  return (
    <Empty title="No wallet is added yet">
      <p>Add one here, and send what agents may spend to its address.</p>
    </Empty>
  );
}

interface WalletRowProps {
  readonly wallet: Wallet;
  /** What people call the principal, where that is known. */
  readonly principal: string | undefined;
  onDone(): void;
}

function WalletTable({ rows }: { readonly rows: readonly WalletRowProps[] }) {
  const columns: readonly TableColumn<WalletRowProps>[] = [
    { name: 'Address', width: 14, cell: ({ wallet }) => <LongId id={wallet.address} /> },
    { name: 'Chain', cell: ({ wallet: { network } }) => <span title={network}>{chainText(network)}</span> },
    { name: 'Pays for', cell: (row) => <HolderName of={row.wallet} principal={row.principal} /> },
    { name: 'Asked at', cell: ({ wallet: { rpcHost } }) => <bdi title={rpcHost}>{rpcHost ?? 'nowhere'}</bdi> },
    { name: 'More tokens', cell: ({ wallet }) => <bdi>{tokensOf(wallet)}</bdi> },
    { name: 'Added', width: 6.5, cell: ({ wallet }) => <When time={wallet.createdAt} inLink /> },
    { name: '', width: 6.5, isEnd: true, cell: (row) => <RemoveWallet {...row} /> },
  ];
  return (
    <Table
      label={rows.length === 1 ? '1 wallet' : `${rows.length} wallets`}
      columns={columns}
      items={rows}
      keyOf={({ wallet }) => wallet.id}
    />
  );
}

function WalletRow(props: WalletRowProps) {
  const { wallet, principal } = props;
  const tokens = tokensOf(wallet);
  return (
    <li class="row acting">
      <span class="row-main">
        <LongId id={wallet.address} />
        <span class="quiet">
          {chainText(wallet.network)}, for <HolderName of={wallet} principal={principal} />, asked at{' '}
          <bdi>{wallet.rpcHost ?? 'nowhere'}</bdi>
          {tokens && `, pays ${tokens} too`}, added <When time={wallet.createdAt} inLink />
        </span>
      </span>
      <RemoveWallet {...props} />
    </li>
  );
}

function tokensOf({ assets }: Pick<Wallet, 'assets'>): string {
  return assets.map(({ symbol }) => symbol).join(', ');
}

function RemoveWallet({ wallet: { id, address }, onDone }: WalletRowProps) {
  const remove = async () => {
    await node.removeWallet({ id });
    say('Removed, with its key.');
    onDone();
  };
  return (
    <RiskyButton act="Remove" of={`the wallet ${shortened(address)}`} onConfirm={remove}>
      Its key is gone for good: move what it holds before. It stays until its chain shows what became of its payments.
    </RiskyButton>
  );
}
