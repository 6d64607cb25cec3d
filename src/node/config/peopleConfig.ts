/** The settings that say who may enter a production node through the identity provider. */
import { z } from 'zod';

const lower = (text: string) => text.trim().toLowerCase();

function namesOf<Name extends z.ZodType<string, string>>(name: Name) {
  return z
    .string()
    .transform((text) => text.split(',').map(lower))
    .pipe(z.array(name))
    .default([]);
}

export const PeopleEnvironment = {
  OIDC_OWNER_EMAIL: z.string().transform(lower).pipe(z.email('must be an e-mail address')).optional(),
  OIDC_ALLOWED_EMAILS: namesOf(z.email('must be e-mail addresses, with commas between')),
  OIDC_ALLOWED_DOMAINS: namesOf(
    z.string().regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/, 'must be domains such as example.com, with commas between'),
  ),
};

export interface PeopleConfig {
  /** Becomes OWNER at login; in lower case, like the others. */
  readonly oidcOwnerEmail: string | undefined;
  readonly oidcAllowedEmails: readonly string[];
  readonly oidcAllowedDomains: readonly string[];
}

export function peopleOf(values: {
  readonly OIDC_OWNER_EMAIL?: string | undefined;
  readonly OIDC_ALLOWED_EMAILS: readonly string[];
  readonly OIDC_ALLOWED_DOMAINS: readonly string[];
}): PeopleConfig {
  return {
    oidcOwnerEmail: values.OIDC_OWNER_EMAIL,
    oidcAllowedEmails: values.OIDC_ALLOWED_EMAILS,
    oidcAllowedDomains: values.OIDC_ALLOWED_DOMAINS,
  };
}
