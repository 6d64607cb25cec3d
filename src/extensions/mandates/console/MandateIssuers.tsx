/** Whose signature begins a mandate that this node takes, and what each may vouch for. */
import type { MandateIssuer, Principal } from '../../../../client/operations.ts';
import { node } from '../../../../console/node/node.ts';
import { usePages } from '../../../../console/node/usePages.ts';
import { Card } from '../../../../console/parts/Card.tsx';
import { Empty } from '../../../../console/parts/Empty.tsx';
import { RiskyButton } from '../../../../console/parts/RiskyButton.tsx';
import { PagedRows } from '../../../../console/parts/rows/PagedRows.tsx';
import { SheetButton } from '../../../../console/parts/SheetButton.tsx';
import { Shown } from '../../../../console/parts/Shown.tsx';
import { say } from '../../../../console/parts/toasts.ts';
import { When } from '../../../../console/parts/values/When.tsx';
import { AddIssuer } from './AddIssuer.tsx';
import { ISSUER_KINDS, ROOT_ALONE } from './issuerKinds.ts';

interface MandateIssuersProps {
  readonly principals: readonly Principal[];
  /** What people call a principal. */
  nameOf(did?: string): string | undefined;
}

export function MandateIssuers({ principals, nameOf }: MandateIssuersProps) {
  const found = usePages('mandate issuers', (page, signal) => node.listMandateIssuers(page, { signal }), [
    'mandate.issuer',
  ]);
  return (
    <Card title="Who signs mandates">
      <Shown of={found} rows={1} height={5}>
        {(issuers) => (
          <PagedRows pages={issuers} empty={<NoIssuers />} onMore={found.more}>
            {(issuer) => (
              <IssuerRow
                key={issuer.id}
                issuer={issuer}
                principal={nameOf(issuer.principalDid) ?? issuer.principalDid?.slice(-8)}
                onDone={found.reload}
              />
            )}
          </PagedRows>
        )}
      </Shown>
      <div class="buttons">
        <SheetButton act="Trust a signer…" title="Trust who signs mandates">
          {(close) => <AddIssuer principals={principals} onDone={found.reload} onLeave={close} />}
        </SheetButton>
      </div>
    </Card>
  );
}

function NoIssuers() {
  return (
    <Empty title="No signer is trusted yet">
      <p>Every mandate is refused until you trust the key or the certificate of who signs it.</p>
    </Empty>
  );
}

interface IssuerRowProps {
  readonly issuer: MandateIssuer;
  /** Whose credential it is, by name. */
  readonly principal: string | undefined;
  onDone(): void;
}

function IssuerRow({ issuer, principal, onDone }: IssuerRowProps) {
  const { id, name, kind, x5cRoot, leaf, createdAt } = issuer;
  const [kindName, vouches] = ISSUER_KINDS[kind];
  const remove = async () => {
    await node.removeMandateIssuer({ id });
    say(`${name} is no longer trusted.`);
    onDone();
  };
  return (
    <li class="row acting">
      <div class="row-main">
        <bdi>{name}</bdi>
        <div class="quiet">
          {kindName}
          {principal !== undefined && (
            <>
              {' '}
              of <bdi>{principal}</bdi>
            </>
          )}
          : {vouches}
        </div>
        <span class="quiet">
          {x5cRoot === undefined ? 'by its key' : <bdi>{leaf?.subject ?? `below ${x5cRoot.subject}`}</bdi>} · trusted
          since <When time={createdAt} inLink />
        </span>
        {x5cRoot !== undefined && leaf === undefined && <strong>{ROOT_ALONE}</strong>}
      </div>
      <RiskyButton act="Remove" of={name} onConfirm={remove}>
        Mandates that it signed are refused from then on, and what they have not paid is taken back.
      </RiskyButton>
    </li>
  );
}
