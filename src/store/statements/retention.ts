/** How long the rows of each table stay, as the tables say. */
import type { Retention, Table } from './tableDefinition.ts';
import { TABLES } from './tables.ts';

/** What refers to other rows goes before them: deliveries before their events. */
export const RETENTION: readonly (Retention & { readonly table: Table })[] = [...TABLES]
  .reverse()
  .map((table) => ({ ...table.retention, table }));
