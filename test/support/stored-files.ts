import type { StartedPublications } from './start-service.ts'

/** The content of a service's blob store, read without its API. */
export type StoredFiles = {
  /** Keys of the documents, sorted. */
  documents(): Promise<string[]>
  /** Removes the remains of unfinished uploads. @returns their number */
  drafts(): Promise<number>
}

export function storedFiles({ server }: Pick<StartedPublications, 'server'>): StoredFiles {
  const { blobs } = server.publications!.deps
  return {
    async documents() {
      const keys: string[] = []
      for await (const { key } of blobs.list('documents/')) keys.push(key)
      return keys.sort()
    },
    // A negative age includes drafts of any age.
    drafts: () => blobs.sweepDrafts(-3_600_000),
  }
}
