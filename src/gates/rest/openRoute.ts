/** A route without a use case: it needs none of this node's credentials. */
import type { Context } from 'koa';
import type { z } from 'zod';
import type { PersonalLink } from '../../core/takeLink.ts';

export interface OpenRoute {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** Names the operation in documents. */
  readonly name: string;
  /** One sentence for the documents. */
  readonly summary: string;
  /** What it asks of its caller in place of a credential, in a sentence for the documents; nothing when absent. */
  readonly asks?: string;
  /** True where it goes by the refresh cookie of a login. */
  readonly takesRefreshCookie?: true;
  /** True where a caller from another machine needs the permission `admin`. */
  readonly localOrAdmin?: true;
  /**
   * True where something in the request vouches for its caller, or where others at its address must not shut a caller out and
   * nothing is kept of a call: only one that fails charges its address.
   */
  readonly vouched?: true;
  /** The link that it goes by, where it goes by one: it is charged in place of the address. */
  readonly link?: (context: Context) => PersonalLink;
  /** What it reads from the query, by name, for the documents. */
  readonly query?: Readonly<Record<string, string>>;
  /** What it reads from the headers, by name, for the documents. */
  readonly headers?: Readonly<Record<string, string>>;
  /** What its JSON body must be, for the documents. */
  readonly body?: z.ZodType;
  /** Its answers by status, for the documents. */
  readonly answers: Readonly<Record<number, OpenAnswer>>;
  /** Statuses it may answer with in the shape of an error. */
  readonly errors?: readonly number[];
  answer(context: Context): void | Promise<void>;
}

interface OpenAnswer {
  readonly description: string;
  /** What a JSON answer looks like. */
  readonly schema?: z.ZodType;
  readonly example?: unknown;
  /** The media type of an answer that is not JSON. */
  readonly media?: string;
}
