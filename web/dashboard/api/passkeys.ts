import { queryOptions } from '@tanstack/react-query'
import type { Passkey, PasskeyCreated, PasskeyList } from '../../../src/operator/passkeys/passkey-schemas.ts'
import type { Session, SessionConfirmed, SignInMethods } from '../../../src/operator/schemas.ts'
import { apiPaths } from './api-paths.ts'
import { queryKeys } from './query-keys.ts'
import { request } from './request.ts'

export type { Passkey }

/** The ways to sign in. */
export const signInMethodsQuery = queryOptions({
  queryKey: queryKeys.signInMethods,
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: ({ signal }) => request<SignInMethods>('GET', apiPaths.signInMethods, { signal }),
})

/** The signed-in operator's passkeys. */
export const passkeysQuery = queryOptions({
  queryKey: queryKeys.passkeys,
  queryFn: async ({ signal }) => (await request<PasskeyList>('GET', apiPaths.passkeys, { signal })).passkeys,
})

/** Creates a passkey with the browser. Throws an error named as those of the browser if it creates none. */
export async function createPasskey(name: string): Promise<PasskeyCreated> {
  const { options } = await request<{ options: never }>('POST', apiPaths.passkeyOptions)
  const { startRegistration } = await library()
  const response = await startRegistration({ optionsJSON: options })
  return await request('POST', apiPaths.passkeys, { body: { name, response } })
}

export function renamePasskey(id: string, name: string): Promise<Passkey> {
  return request('PATCH', apiPaths.passkey(id), { body: { name } })
}

export function deletePasskey(id: string): Promise<void> {
  return request('DELETE', apiPaths.passkey(id))
}

/** Signs in with a passkey, alone or after a right password. An unknown passkey is a 401. */
export async function signInWithPasskey(isSecondStep: boolean): Promise<Session> {
  const body = { second_step: isSecondStep }
  const { options } = await request<{ options: never }>('POST', apiPaths.sessionPasskeyOptions, { body })
  const { startAuthentication } = await library()
  const response = await startAuthentication({ optionsJSON: options })
  return await request('POST', apiPaths.sessionPasskey, { body: { response } })
}

/** Confirms with a passkey that the operator is still the one who signed in. A passkey of somebody else is a 403. */
export async function confirmWithPasskey(): Promise<SessionConfirmed> {
  const { options } = await request<{ options: never }>('POST', apiPaths.confirmationOptions)
  const { startAuthentication } = await library()
  const passkey = await startAuthentication({ optionsJSON: options })
  return await request('POST', apiPaths.confirmation, { body: { passkey } })
}

/** Loads the library when a passkey is used: the first page needs none of it. */
function library() {
  return import('@simplewebauthn/browser')
}
