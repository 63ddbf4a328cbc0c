/** Result for one file. */
export type Outcome = {
  name: string
  /** Time from the first request to the end. */
  tookMs: number
} & (
  | {
      kind: 'ready'
      pages: number
      failedPages: readonly { page: number; reason: string }[]
      /** A problem with a ready publication, such as a missing image. */
      wrong?: string
    }
  /** No page could be rendered. */
  | { kind: 'failed'; pages: number; reason: string }
  /** The service rejected the file. */
  | { kind: 'refused'; reason: string }
  /** The file could not be read locally. */
  | { kind: 'unreadable'; reason: string }
  /** Time ran out. */
  | { kind: 'stuck'; reason: string }
  /** An unexpected failure: no response, or an error of the server. */
  | { kind: 'broken'; reason: string }
)

export type OutcomeKind = Outcome['kind']
