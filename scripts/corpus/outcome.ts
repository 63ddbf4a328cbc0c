/** What came of one file. */
export type Outcome = {
  name: string
  /** From the first request to its end. */
  tookMs: number
} & (
  | {
      kind: 'ready'
      pages: number
      failedPages: readonly { page: number; reason: string }[]
      /** What is not as it should be although it is ready, such as an image that does not come. */
      wrong?: string
    }
  /** No page could be rendered. */
  | { kind: 'failed'; pages: number; reason: string }
  /** The service does not take it. */
  | { kind: 'refused'; reason: string }
  /** The file could not be read here. */
  | { kind: 'unreadable'; reason: string }
  /** It did not end in time. */
  | { kind: 'stuck'; reason: string }
  /** What should not happen: no answer, or a failure of the server. */
  | { kind: 'broken'; reason: string }
)

export type OutcomeKind = Outcome['kind']
