/** The two answers to a purchase: yes with one touch, or no. Where the yes is for other people, they can be reminded. */

import { may } from '../../login/may.ts';
import { approve, deny } from '../../node/decisions.ts';
import { HOME, homeUrl, IS_AT_HOME } from '../../node/here.ts';
import { node } from '../../node/node.ts';
import { Button } from '../../parts/Button.tsx';
import { Icon } from '../../parts/Icon.tsx';
import { say } from '../../parts/toasts.ts';

interface DecideProps {
  readonly id: string;
  /** What the buttons are about, for screen readers. */
  readonly about: string;
  /** False where no passkey of the signed-in user could approve it as things stand. */
  readonly canApprove?: boolean;
  /** Whether other people can approve it who were not told a second time yet. */
  readonly canRemind?: boolean;
  /** Where it is said and mended what keeps the user from approving, unless that stands beside. */
  readonly mendedAt?: string;
  onDecided(): void;
}

export function Decide({ id, about, canApprove = true, canRemind = false, mendedAt, onDecided }: DecideProps) {
  if (!may('write')) return null;
  const decide = async (act: (id: string) => Promise<string>) => {
    try {
      say(await act(id));
    } finally {
      onDecided();
    }
  };
  return (
    <div class="buttons">
      {canApprove && IS_AT_HOME && (
        <Button kind="first" label={`Approve with passkey: ${about}`} onClick={() => decide(approved)}>
          <Icon name="touch" /> Approve
        </Button>
      )}
      {!canApprove && mendedAt !== undefined && (
        <a class="button second" href={mendedAt} aria-label={`See what is missing: ${about}`}>
          See what is missing
        </a>
      )}
      {!canApprove && canRemind && (
        <Button label={`Remind: ${about}`} onClick={() => decide(reminded)}>
          Remind
        </Button>
      )}
      <Button label={`Deny: ${about}`} onClick={() => decide(denied)}>
        Deny
      </Button>
    </div>
  );
}

/** Why no button approves here: the role of the user, or the address that the console was opened at. */
export function WhereToDecide({ canApprove }: { readonly canApprove: boolean }) {
  if (!may('write')) return <p class="quiet">Your role can view purchases, but not approve or deny them.</p>;
  if (!canApprove || IS_AT_HOME) return null;
  return (
    <p class="note">
      Passkeys work under the name of this node: <a href={homeUrl()}>approve at {HOME.host}</a>.
    </p>
  );
}

/** @returns what it led to, in words */
async function approved(id: string): Promise<string> {
  const { status, people, total, merchant } = await approve(id);
  if (status !== 'pending' || people === undefined) {
    return `You approved ${total} to ${merchant}. The agent pays by itself.`;
  }
  return `Your approval is recorded, ${people.approved.length} of ${people.needed}. Others are still to approve.`;
}

async function reminded(id: string): Promise<string> {
  await node.remindApprovers({ id });
  return 'They were told once more.';
}

async function denied(id: string): Promise<string> {
  await deny(id);
  return 'Denied. Nothing is bought.';
}
