/** An agent's own limit, by sliders that say at once what it would have done to its requests of the last days. */
import { useState } from 'preact/hooks';
import type { Agent, Operations } from '../../../client/operations.ts';
import { each } from '../../../client/records.ts';
import { node } from '../../node/node.ts';
import { useLoaded } from '../../node/useLoaded.ts';
import { Choice, Field } from '../../parts/form/Field.tsx';
import { Form } from '../../parts/form/Form.tsx';
import type { ShownLimit } from '../../parts/limits/measures.ts';
import { Shown } from '../../parts/Shown.tsx';
import { say } from '../../parts/toasts.ts';
import { amountText } from '../../parts/values/amount.ts';
import { type Effect, effectOf, type NewLimit } from './limitEffect.ts';
import { isWrong, NO_NUMBER, numberIn, textOf } from './numberText.ts';

type Decision = Operations['listDecisions']['output']['data'][number];

/** The node's clock need not be this one: what is looked back on is told by days. */
const DAYS = 7;
const DAY_MS = 86_400_000;
const MOST_REQUESTS = 1000;
const WINDOWS = [
  ['1h', 'an hour', 3600],
  ['1d', 'a day', 86_400],
  ['7d', '7 days', 604_800],
  ['30d', '30 days', 2_592_000],
] as const;

interface SetLimitProps {
  readonly agent: Agent;
  /** The limit that holds for its own purchases now. */
  readonly present: ShownLimit | undefined;
  readonly currency: string | undefined;
  onClose(): void;
  onDone(): void;
}

export function SetLimit(props: SetLimitProps) {
  const { did } = props.agent;
  const requests = useLoaded(`requests ${did}`, (signal) => loadRequests(did, signal), []);
  return (
    <Shown of={requests} rows={3} height={5}>
      {(found) => <LimitForm {...props} requests={found} />}
    </Shown>
  );
}

async function loadRequests(agentDid: string, signal: AbortSignal): Promise<readonly Decision[]> {
  const from = new Date(Date.now() - DAYS * DAY_MS).toISOString();
  const found: Decision[] = [];
  for await (const decision of each(node.listDecisions, { agentDid, from, limit: 200 }, { signal })) {
    if (found.push(decision) >= MOST_REQUESTS) break;
  }
  return found;
}

interface LimitFormProps extends SetLimitProps {
  readonly requests: readonly Decision[];
}

interface Input {
  readonly count: string;
  readonly amount: string;
  /** As the node writes it: `1d`. */
  readonly window: string;
}

function LimitForm({ agent, present, currency, requests, onClose, onDone }: LimitFormProps) {
  const [input, setInput] = useState<Input>(() => inputOf(present));
  const options = windowsWith(present);
  const windowSeconds = options.find(([value]) => value === input.window)?.[2] ?? 86_400;
  const tried: NewLimit = { maxTransactions: numberIn(input.count), maxAmount: numberIn(input.amount), windowSeconds };
  const effect = effectOf(requests, tried);
  const isGiven = tried.maxTransactions !== undefined || tried.maxAmount !== undefined;
  const save = async () => {
    const { maxTransactions, maxAmount } = tried;
    const maxima = {
      ...(maxTransactions === undefined ? {} : { maxTransactions }),
      ...(maxAmount === undefined ? {} : { maxAmount }),
    };
    // Its further limits stay, as they are now: the node takes all that it has of its own together.
    const { velocity } = await node.getAgent({ did: agent.did });
    const further = velocity?.limits === undefined ? {} : { limits: velocity.limits };
    await node.setAgentVelocity({ did: agent.did, ...maxima, ...further, timeWindow: input.window });
    say('Saved. The limit applies from now on.');
    onDone();
  };
  const money = (value: number) => (currency === undefined ? String(value) : amountText(value, currency));
  return (
    <div class="set-limit">
      <Form
        act="Save the limit"
        disabled={!isGiven || isWrong(input.count) || isWrong(input.amount)}
        onSubmit={save}
        onLeave={onClose}
      >
        <Choice
          label="Within"
          name="timeWindow"
          value={input.window}
          options={options.map(([value, text]) => [value, text])}
          onChange={(window) => setInput({ ...input, window })}
        />
        <Slider
          label="Purchases at most"
          name="maxTransactions"
          value={input.count}
          most={niceAbove(Math.max(effect.most.count, present?.maxTransactions ?? 0, 5))}
          step={1}
          textOf={String}
          onInput={(count) => setInput({ ...input, count })}
        />
        <Slider
          label={currency === undefined ? 'Amount at most' : `Amount at most, in ${currency}`}
          name="maxAmount"
          value={input.amount}
          most={niceAbove(Math.max(effect.most.amount, present?.maxAmount ?? 0, 50))}
          step={undefined}
          textOf={money}
          onInput={(amount) => setInput({ ...input, amount })}
        />
        <EffectText effect={effect} tried={tried} money={money} isAll={requests.length < MOST_REQUESTS} />
        <FurtherLimits own={agent.velocity?.limits ?? []} />
      </Form>
    </div>
  );
}

function FurtherLimits({ own }: { readonly own: readonly { readonly name: string }[] }) {
  return (
    <>
      {own.length > 0 && (
        <p class="quiet">
          The agent’s further limits stay unchanged: <bdi>{own.map(({ name }) => name).join(', ')}</bdi>.
        </p>
      )}
      <p class="quiet">A wider limit needs a touch of your passkey; a tighter one applies at once.</p>
    </>
  );
}

function inputOf(present: ShownLimit | undefined): Input {
  if (present === undefined) return { count: '', amount: '', window: '1d' };
  const { maxTransactions, maxAmount, windowSeconds } = present;
  return { count: textOf(maxTransactions), amount: textOf(maxAmount), window: durationOf(windowSeconds) };
}

/** The usual ones, and the one that holds. */
function windowsWith(present: ShownLimit | undefined): readonly (readonly [string, string, number])[] {
  if (present === undefined || WINDOWS.some(([, , seconds]) => seconds === present.windowSeconds)) return WINDOWS;
  return [[durationOf(present.windowSeconds), present.window, present.windowSeconds], ...WINDOWS];
}

function durationOf(seconds: number): string {
  const known = WINDOWS.find(([, , length]) => length === seconds);
  return known?.[0] ?? `${seconds}s`;
}

/** A round number with room above what is there. */
function niceAbove(value: number): number {
  const size = 10 ** Math.floor(Math.log10(value * 1.5));
  return Math.ceil((value * 1.5) / size) * size;
}

interface SliderProps {
  readonly label: string;
  /** The member of the request that it is. */
  readonly name: string;
  readonly value: string;
  readonly most: number;
  /** Undefined for a hundredth of the most. */
  readonly step: number | undefined;
  textOf(value: number): string;
  onInput(value: string): void;
}

/** A slider, and a field for what it does not reach; without a number there is no limit. */
function Slider({ label, name, value, most, step = most / 100, textOf: words, onInput }: SliderProps) {
  const number = numberIn(value);
  return (
    <div class="slider">
      <input
        type="range"
        aria-label={`${label}, by a slider`}
        aria-valuetext={number === undefined ? 'no limit' : words(number)}
        min={0}
        max={most}
        step={step}
        value={number ?? most}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
      <Field
        label={label}
        name={name}
        value={value}
        onInput={onInput}
        hint={isWrong(value) ? NO_NUMBER : undefined}
        input={{ inputMode: 'decimal', autoComplete: 'off', placeholder: 'no limit' }}
      />
    </div>
  );
}

interface EffectTextProps {
  readonly effect: Effect;
  readonly tried: NewLimit;
  money(value: number): string;
  /** Whether these are all requests of that time. */
  readonly isAll: boolean;
}

function EffectText({ effect, tried, money, isAll }: EffectTextProps) {
  const { passed, refused, others, most } = effect;
  const known = passed + refused;
  if (known === 0) {
    return <p class="note">The agent made no request in the last {DAYS} days that this limit would count.</p>;
  }
  return (
    <div class="note" role="status">
      <p>
        <strong>
          {refused === 0 ? `All ${known} would have passed.` : `${passed} would have passed, ${refused} refused.`}
        </strong>{' '}
        {tried.maxTransactions === undefined && tried.maxAmount === undefined && 'Without a number there is no limit. '}
        The most within that time was {most.count === 1 ? '1 request' : `${most.count} requests`},{' '}
        {money(Number(most.amount.toFixed(4)))} in all.
      </p>
      <p class="quiet">
        Counted in this browser over its {isAll ? '' : 'newest '}
        {known === 1 ? 'request' : `${known} requests`} of the last {DAYS} days, as the evidence has them, each with the
        full amount that it asked for.
        {others > 0 && ` ${others} more ${others === 1 ? 'was' : 'were'} refused by other rules, and would be again.`}
      </p>
    </div>
  );
}
