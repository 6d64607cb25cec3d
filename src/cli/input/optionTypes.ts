/** Options with a type: what is given is checked while the command line is read, before anything is loaded for it. */
import { InvalidArgumentError, Option } from 'commander';

/** Any text. */
export function text(flags: string, description: string): Option {
  return new Option(flags, description);
}

/** An option without a value. */
export function flag(flags: string, description: string): Option {
  return new Option(flags, description);
}

/** One of a closed list. */
export function choice(flags: string, description: string, values: readonly string[]): Option {
  return new Option(flags, description).choices(values);
}

/** Several of a closed list, comma-separated. */
export function choices(flags: string, description: string, values: readonly string[]): Option {
  return choice(flags, `${description}, comma-separated`, values).argParser((text) => {
    const given = split(text);
    const unknown = given.find((value) => !values.includes(value));
    if (unknown === undefined) return given;
    throw new InvalidArgumentError(`"${unknown}" is not one of ${values.join(', ')}.`);
  });
}

/** Any number of texts, comma-separated. */
export function list(flags: string, description: string): Option {
  return new Option(flags, `${description}, comma-separated`).argParser(split);
}

/** A text that may be given several times. */
export function repeated(flags: string, description: string): Option {
  return new Option(flags, `${description}; repeatable`).argParser((text: string, given: readonly string[] = []) => [
    ...given,
    text,
  ]);
}

/** A whole number from 1 on. */
export function count(flags: string, description: string): Option {
  return new Option(flags, description).argParser((text) => {
    if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
    throw new InvalidArgumentError('It must be a whole number from 1 on.');
  });
}

/** Seconds from 0 to 3600, with decimals. */
export function seconds(flags: string, description: string): Option {
  return new Option(flags, description).argParser((text) => {
    if (/^\d{1,4}(\.\d{1,3})?$/.test(text) && Number(text) <= 3600) return Number(text);
    throw new InvalidArgumentError('It must be seconds such as 2 or 0.5, and 3600 at most.');
  });
}

/** How many records a list shows. */
export function limit(): Option {
  return count('--limit <count>', 'how many').default(50);
}

/** An amount in units of its currency. */
export function amount(flags: string, description: string): Option {
  return new Option(flags, description).argParser((text) => {
    if (/^\d{1,15}(\.\d+)?$/.test(text) && Number(text) > 0) return Number(text);
    throw new InvalidArgumentError('It must be an amount such as 42.50.');
  });
}

/** A merchant category code (ISO 18245). */
export function category(flags: string, description: string): Option {
  return new Option(flags, description).argParser((text) => {
    if (/^\d{4}$/.test(text)) return text;
    throw new InvalidArgumentError('It must be a code of four digits such as 5411.');
  });
}

/** A duration such as 24h. */
export function duration(flags: string, description: string): Option {
  return new Option(flags, description).argParser((text) => {
    if (/^[1-9]\d{0,6}[smhd]$/.test(text)) return text;
    throw new InvalidArgumentError('It must be a duration such as 30m, 24h or 7d.');
  });
}

/** A day such as 2026-03-01. */
export function day(flags: string, description: string): Option {
  return new Option(flags, description).argParser((text) => {
    if (/^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))) return text;
    throw new InvalidArgumentError('It must be a day such as 2026-03-01.');
  });
}

/** A moment (ISO 8601); a date alone is its midnight in UTC. @returns it in UTC */
export function moment(flags: string, description: string): Option {
  return new Option(flags, `${description} (ISO 8601)`).argParser((text) => {
    const parsed = /^\d{4}-\d\d-\d\d(T|$)/.test(text) ? Date.parse(text) : Number.NaN;
    if (!Number.isNaN(parsed)) return new Date(parsed).toISOString();
    throw new InvalidArgumentError('It must be a moment such as 2026-03-01 or 2026-03-01T14:00:00Z.');
  });
}

function split(text: string): string[] {
  return text
    .split(',')
    .map((value) => value.trim())
    .filter((value) => value !== '');
}
