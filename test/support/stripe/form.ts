/** Reads application/x-www-form-urlencoded the way Stripe's API does: `a[b][0]=c`. */
export interface Form {
  [name: string]: string | Form;
}

export function parseForm(text: string): Form {
  const form: Form = {};
  for (const [path, value] of new URLSearchParams(text)) {
    const steps = [...path.matchAll(/[^[\]]+/g)].map(([step]) => step);
    let place = form;
    for (const step of steps.slice(0, -1)) {
      const inner = place[step];
      place = place[step] = typeof inner === 'object' ? inner : {};
    }
    place[steps.at(-1) as string] = value;
  }
  return form;
}

export function textOf(value: string | Form | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

export function formOf(value: string | Form | undefined): Form {
  return typeof value === 'object' ? value : {};
}

/** What the request wants to have expanded. */
export function expansions(form: Form): string[] {
  return Object.values(formOf(form.expand)).filter((value): value is string => typeof value === 'string');
}
