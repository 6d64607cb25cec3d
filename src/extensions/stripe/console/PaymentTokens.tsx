/** Shared payment tokens: with each one merchant can be paid once, up to an amount, until it ends or is revoked. */
import type { Spt } from '../../../../client/operations.ts';
import { node } from '../../../../console/node/node.ts';
import { usePages } from '../../../../console/node/usePages.ts';
import { Card } from '../../../../console/parts/Card.tsx';
import { Empty } from '../../../../console/parts/Empty.tsx';
import { RiskyButton } from '../../../../console/parts/RiskyButton.tsx';
import { PagedRows } from '../../../../console/parts/rows/PagedRows.tsx';
import { Shown } from '../../../../console/parts/Shown.tsx';
import { SubPlaces } from '../../../../console/parts/SubPlaces.tsx';
import { say } from '../../../../console/parts/toasts.ts';
import { Money } from '../../../../console/parts/values/Money.tsx';
import { Status } from '../../../../console/parts/values/Status.tsx';
import { When } from '../../../../console/parts/values/When.tsx';

export function PaymentTokens() {
  const found = usePages('tokens', (page, signal) => node.listSpts(page, { signal }), ['spt', 'payment']);
  return (
    <SubPlaces of="/settings">
      <Card title="Shared payment tokens">
        <p class="quiet">With each of them one merchant can be paid once, up to its amount.</p>
        <Shown of={found} rows={2} height={5}>
          {(tokens) => (
            <PagedRows pages={tokens} empty={<NoTokens />} onMore={found.more}>
              {(token) => <TokenRow key={token.id} token={token} onDone={found.reload} />}
            </PagedRows>
          )}
        </Shown>
      </Card>
    </SubPlaces>
  );
}

function NoTokens() {
  return (
    <Empty title="No payment token yet">
      <p>The node makes one where an agent pays by MPP or ACP, and lists it here.</p>
    </Empty>
  );
}

function TokenRow({ token, onDone }: { readonly token: Spt; onDone(): void }) {
  const { id, status, merchantDomain, amount, currency, mandate, createdAt, expiresAt, usedAt } = token;
  const revoke = async () => {
    await node.revokeSpt({ id });
    say('Revoked. The merchant can take nothing with it.');
    onDone();
  };
  return (
    <li class="row acting">
      <span class="row-main">
        <span>
          Up to <Money amount={amount} currency={currency} /> at <bdi>{merchantDomain}</bdi>
        </span>
        <span class="quiet">
          made <When time={createdAt} inLink /> · {usedAt === undefined ? 'ends' : 'used'}{' '}
          <When time={usedAt ?? expiresAt} inLink />
          {mandate.paymentId !== undefined && (
            <>
              {' '}
              ·{' '}
              <a class="inline-link" href={`#/payments/${mandate.paymentId}`}>
                its payment
              </a>
            </>
          )}
        </span>
      </span>
      <Status state={status} />
      {status === 'ACTIVE' && (
        <RiskyButton act="Revoke" of={`the token for ${merchantDomain}`} onConfirm={revoke}>
          The merchant can take nothing with it. What was taken stays taken. This cannot be undone.
        </RiskyButton>
      )}
    </li>
  );
}
