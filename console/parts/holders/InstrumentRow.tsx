/** One registered payment method, with its holder, and its removal. */
import type { Instrument } from '../../../client/operations.ts';
import { node } from '../../node/node.ts';
import { RiskyButton } from '../RiskyButton.tsx';
import { say } from '../toasts.ts';
import { When } from '../values/When.tsx';
import { HolderName } from './HolderName.tsx';

interface InstrumentRowProps {
  readonly instrument: Instrument;
  /** Where all are of one holder, its name stands above. */
  readonly ofOneHolder?: boolean;
  /** What people call the principal, where that is known. */
  readonly principal?: string | undefined;
  onDone(): void;
}

export function InstrumentRow({ instrument, ofOneHolder = false, principal, onDone }: InstrumentRowProps) {
  const { paymentMethod, customer, createdAt } = instrument;
  return (
    <li class="row acting">
      <span class="row-main">
        <bdi>{paymentMethod}</bdi>
        <span class="quiet">
          {!ofOneHolder && (
            <>
              of <HolderName of={instrument} principal={principal} /> ·{' '}
            </>
          )}
          {customer !== undefined && (
            <>
              customer <bdi>{customer}</bdi> ·{' '}
            </>
          )}
          added <When time={createdAt} inLink />
        </span>
      </span>
      <RemoveInstrument instrument={instrument} onDone={onDone} />
    </li>
  );
}

export function RemoveInstrument({
  instrument: { id, paymentMethod },
  onDone,
}: Pick<InstrumentRowProps, 'instrument' | 'onDone'>) {
  const remove = async () => {
    await node.removeInstrument({ id });
    say('Removed. Purchases no longer use this payment method.');
    onDone();
  };
  return (
    <RiskyButton act="Remove" of={paymentMethod} onConfirm={remove}>
      Purchases from then on cannot use it. What was reserved with it can still be captured and refunded.
    </RiskyButton>
  );
}
