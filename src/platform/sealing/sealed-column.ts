/** A column with sealed texts, which are sealed again when the secret of the installation changes. */
export type SealedColumn = {
  table: string
  /** Its primary key, of one column. */
  id: string
  column: string
  /** The purpose for which its keys are derived. */
  purpose: string
}
