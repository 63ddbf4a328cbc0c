import { indexedDbStorage } from '../../clients/typescript/src/storage/indexeddb-storage.ts'
import { STORAGE_RULES } from './storage-contract.ts'

// A page that holds IndexedDB to the rules of a storage, and leaves what breaks them in `faults`.

const faults: string[] = []
for (const { name, check } of STORAGE_RULES) {
  const fault = await check(() => indexedDbStorage(name)).catch(String)
  if (fault !== undefined) faults.push(`${name}: ${fault}`)
}
Object.assign(globalThis, { faults })
