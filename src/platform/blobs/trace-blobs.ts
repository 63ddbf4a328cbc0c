import { inChildSpan, isTracing } from '../tracing/spans.ts'
import type { BlobStore } from './blob-store.ts'

/** Makes a span of each use of a store, without the keys. Without traces, the store stays as it is. */
export function traceBlobs(store: BlobStore): BlobStore {
  if (!isTracing()) return store
  const attributes = { 'blobs.kind': store.kind }
  const traced = <Result>(name: string, work: () => Promise<Result>) => inChildSpan(name, attributes, work)
  return {
    ...store,
    read: (key, range) => traced('read blob', () => store.read(key, range)),
    head: (key) => traced('find blob', () => store.head(key)),
    delete: (key) => traced('delete blob', () => store.delete(key)),
    async draft(source) {
      const draft = await traced('write blob', () => store.draft(source))
      const { commit } = draft
      return Object.assign(draft, { commit: (key: string) => traced('commit blob', () => commit.call(draft, key)) })
    },
  }
}
