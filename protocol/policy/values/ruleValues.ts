/** Values that members of several rules have. */
import { z } from 'zod';

/** An amount in units of the policy's currency. */
export const Amount = z.number().positive();

export const listOf = <Item extends z.ZodType>(item: Item) => z.array(item).max(1000);
