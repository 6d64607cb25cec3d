/** What needs a person, the most urgent first, as the node says it. */
import type { Approval, Attention, AttentionItem } from '../../../client/operations.ts';
import { may } from '../../login/may.ts';
import { nameOf } from '../../node/agentNames.ts';
import { Empty } from '../../parts/Empty.tsx';
import { amountText } from '../../parts/values/amount.ts';
import { Left } from '../../parts/values/Left.tsx';
import { Sentence } from '../../parts/values/Sentence.tsx';
import { When } from '../../parts/values/When.tsx';
import { Decide } from '../approvals/Decide.tsx';

interface NeedsYouProps {
  readonly attention: Attention;
  /** The newest approvals, by their id. */
  readonly pending: ReadonlyMap<string, Approval>;
  onDecided(): void;
}

export function NeedsYou({ attention: { items, counts }, pending, onDecided }: NeedsYouProps) {
  if (items.length === 0) {
    return (
      <Empty title="Nothing waits for you">
        <p>Purchases that need your approval, payments without an outcome, disputes and frozen agents appear here.</p>
      </Empty>
    );
  }
  const more = Object.values(counts).reduce((sum, count) => sum + count, 0) - items.length;
  return (
    <>
      <ul class="rows">
        {items.map((item, index) => (
          <li key={keyOf(item, index)}>
            <Need item={item} />
            <DecideHere approval={pending.get(item.approvalId ?? '')} onDecided={onDecided} />
          </li>
        ))}
      </ul>
      {more > 0 && <p class="quiet">And {more.toLocaleString('en-US')} more.</p>}
    </>
  );
}

function keyOf(item: AttentionItem, index: number): string {
  const { kind, approvalId, disputeId, mandateId, webhookId, guardId, agentDid } = item;
  return `${kind} ${approvalId ?? disputeId ?? mandateId ?? webhookId ?? guardId ?? agentDid ?? index}`;
}

function Need({ item }: { readonly item: AttentionItem }) {
  const { message, since, dueBy, until = dueBy } = item;
  const href = hrefFor(item);
  const content = (
    <>
      {/* As a whole: it says how much. */}
      <Sentence text={message} />
      <span class="row-end">
        {until !== undefined && <Left until={until} />}
        {until === undefined && since !== undefined && <When time={since} inLink />}
      </span>
    </>
  );
  return href === undefined ? (
    <div class="row">{content}</div>
  ) : (
    <a class="row" href={href}>
      {content}
    </a>
  );
}

function DecideHere({ approval, onDecided }: { readonly approval: Approval | undefined; onDecided(): void }) {
  if (approval?.status !== 'pending') return null;
  const { id, agentDid, amount, currency, merchant, canApprove } = approval;
  return (
    <Decide
      id={id}
      about={`${nameOf(agentDid)}, ${amountText(amount, currency)}, ${merchant}`}
      canApprove={canApprove !== false}
      mendedAt={`#/approvals/${id}`}
      onDecided={onDecided}
    />
  );
}

/** Where it is looked at and decided, for who may see that. */
function hrefFor({ kind, approvalId, mandateId, webhookId, guardId, agentDid }: AttentionItem): string | undefined {
  if (approvalId !== undefined) return `#/approvals/${approvalId}`;
  if (mandateId !== undefined) return `#/payments/${mandateId}`;
  if (webhookId !== undefined) return may('admin') ? `#/build/webhooks/${webhookId}` : undefined;
  if (guardId !== undefined) return `#/settings/guards/${guardId}`;
  if (kind === 'notifications') return '#/settings';
  if (kind === 'node' || kind === 'backup') return may('admin') ? '#/settings/health' : undefined;
  return agentDid === undefined ? undefined : `#/agents/${encodeURIComponent(agentDid)}`;
}
