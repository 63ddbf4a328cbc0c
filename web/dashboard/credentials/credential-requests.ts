import { type QueryOf, queryOf, SECRET } from '../api/queries.ts'
import { operatorGetApiKeyOptions, operatorGetTokenOptions } from '../generated/@tanstack/react-query.gen.ts'
import { operatorCreateKey, operatorCreateToken, operatorRevokeKey, operatorRevokeToken } from '../generated/sdk.gen.ts'
import type { ApiKey, AppToken, ShownApiKey, ShownAppToken } from '../generated/types.gen.ts'

/** The event whose app tokens, or the workspace whose API keys are meant. */
export type CredentialOwner = { kind: 'tokens' | 'keys'; id: string }

/** An app token or an API key. */
export type Credential = AppToken | ApiKey
/** One with its secret, unless that was encrypted by another secret of the server. */
export type ShownCredential = ShownAppToken | ShownApiKey

export type Permission = Credential['permissions'][number]

/** A new credential. Only app tokens can be limited to one person. */
type CredentialCreate = {
  label: string | null
  permissions: Permission[]
  user_id?: string | null
  keep_sec?: number
  never_expires?: boolean
}

/** Creates a credential. */
export async function createCredential(
  { kind, id }: CredentialOwner,
  body: CredentialCreate,
): Promise<ShownCredential> {
  const request = { path: { id }, body: body as never }
  return kind === 'tokens' ? await operatorCreateToken(request) : await operatorCreateKey(request)
}

/** Revokes a credential. */
export async function revokeCredential({ kind, id }: CredentialOwner, credentialId: string): Promise<void> {
  if (kind === 'tokens') await operatorRevokeToken({ path: { id, tokenId: credentialId } })
  else await operatorRevokeKey({ path: { id, keyId: credentialId } })
}

/** One credential with its secret. */
export function shownCredentialQuery({ kind, id }: CredentialOwner, credentialId: string): QueryOf<ShownCredential> {
  const options =
    kind === 'tokens'
      ? operatorGetTokenOptions({ path: { id, tokenId: credentialId } })
      : operatorGetApiKeyOptions({ path: { id, keyId: credentialId } })
  return { ...queryOf<ShownCredential>(options), ...SECRET }
}
