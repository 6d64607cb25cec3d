/** The filters that the lists of payments and of decisions have in common. */

export interface CommonFilters {
  readonly agent: string;
  /** Days as YYYY-MM-DD, in the browser's time zone. */
  readonly from: string;
  readonly to: string;
  /** Amounts, in units of the currency. */
  readonly min: string;
  readonly max: string;
  readonly currency: string;
}
