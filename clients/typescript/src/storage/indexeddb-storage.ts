import type { QueueStorage, Row } from './queue-storage.ts'

const STORE = 'queue'

/**
 * Creates storage in IndexedDB, for browsers and web views. Pages of one origin that open the same name
 * share it, and one of them sends at a time.
 * @param name name of the database
 * @throws DOMException where the browser refuses to store, as some do in private windows
 */
export async function indexedDbStorage(name = 'trackpress'): Promise<QueueStorage> {
  const database = await opened(name)
  return {
    lockName: `trackpress-queue:${name}`,
    async read(from, until, limit) {
      const store = database.transaction(STORE, 'readonly').objectStore(STORE)
      const range = IDBKeyRange.bound(from, until, false, true)
      // Both requests are of one transaction, so keys and values fit together.
      const [keys, values] = await Promise.all([
        answered(store.getAllKeys(range, limit)),
        answered(store.getAll(range, limit)),
      ])
      return keys.map((key, at): Row => [key as string, values[at]])
    },
    async write(changes, expected = []) {
      const transaction = database.transaction(STORE, 'readwrite', { durability: 'strict' })
      const done = ended(transaction)
      const store = transaction.objectStore(STORE)
      const found = await Promise.all(expected.map(([key]) => answered(store.get(key))))
      const isExpected = expected.every(([, value], at) => (found[at] ?? null) === value)
      if (isExpected) {
        for (const [key, value] of changes) {
          if (value === null) store.delete(key)
          else store.put(value, key)
        }
      }
      await done
      return isExpected
    },
  }
}

async function opened(name: string): Promise<IDBDatabase> {
  const request = indexedDB.open(name, 1)
  request.onupgradeneeded = () => request.result.createObjectStore(STORE)
  const database = await answered(request)
  // Another page wants to delete the database or to open a newer version.
  database.onversionchange = () => database.close()
  return database
}

function answered<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}

function ended(transaction: IDBTransaction): Promise<void> {
  const done = new Promise<void>((resolve, reject) => {
    transaction.oncomplete = () => resolve()
    transaction.onabort = () => reject(transaction.error ?? new Error('the transaction was aborted'))
  })
  // The caller may still wait for a request of the transaction when it aborts.
  done.catch(() => {})
  return done
}
