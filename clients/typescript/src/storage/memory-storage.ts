import type { QueueStorage } from './queue-storage.ts'

/** Creates storage that ends with the process, for tests and for programs that can record again. */
export function memoryStorage(): QueueStorage {
  const values = new Map<string, string>()
  return {
    read: async (from, until, limit) =>
      [...values]
        .filter(([key]) => key >= from && key < until)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .slice(0, limit),
    async write(changes, expected = []) {
      if (expected.some(([key, value]) => (values.get(key) ?? null) !== value)) return false
      for (const [key, value] of changes) {
        if (value === null) values.delete(key)
        else values.set(key, value)
      }
      return true
    },
  }
}
