import { apiKeyNotFound } from '../../errors.ts'
import { type ApiKeysStore, keyId } from '../../storage/api-keys-store.ts'
import type { ApiKeyRow } from '../../storage/tables.ts'

export type KeyDeps = { apiKeys: Pick<ApiKeysStore, 'listValid'>; now: () => number }

/** Returns a valid key of a workspace by its id. @throws apiKeyNotFound */
export async function findKey({ apiKeys, now }: KeyDeps, workspaceId: string, id: string): Promise<ApiKeyRow> {
  const row = (await apiKeys.listValid(workspaceId, now())).find((key) => keyId(key) === id)
  if (row === undefined) throw apiKeyNotFound()
  return row
}
