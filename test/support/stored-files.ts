import type { StartedPublications } from './start-service.ts'

/** What lies in the store of a service, behind its API. */
export type StoredFiles = {
  /** Keys of the documents, sorted. */
  documents(): Promise<string[]>
  /** How many uploads have left something that is no file yet; it is removed by asking. */
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
    // Any age is older than one that is still to come.
    drafts: () => blobs.sweepDrafts(-3_600_000),
  }
}
