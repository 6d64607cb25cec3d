/** How much of a draft there is room for at once. */

/** False on a phone, where the parts of a draft stand one below the other. */
export const HAS_ROOM = matchMedia('(min-width: 56rem)').matches;
