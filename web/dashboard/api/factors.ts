import { queryOptions } from '@tanstack/react-query'
import type {
  AuthenticatorAppSetUp,
  NewFactor,
  RecoveryCodes,
  SecondFactorList,
} from '../../../src/operator/factors/factor-schemas.ts'
import { apiPaths } from './api-paths.ts'
import { queryKeys } from './query-keys.ts'
import { request } from './request.ts'

export type { AuthenticatorAppSetUp, SecondFactorList }

/** The signed-in operator's second factors. */
export const secondFactorsQuery = queryOptions({
  queryKey: queryKeys.secondFactors,
  queryFn: ({ signal }) => request<SecondFactorList>('GET', apiPaths.secondFactors, { signal }),
})

/** Begins to set up an authenticator app. */
export function createAuthenticatorApp(): Promise<AuthenticatorAppSetUp> {
  return request('POST', apiPaths.authenticatorApp)
}

/** Confirms the app. A wrong code is a 403, and a set-up that has ended a 410. */
export function confirmAuthenticatorApp(code: string): Promise<NewFactor> {
  return request('POST', apiPaths.confirmAuthenticatorApp, { body: { code } })
}

export function deleteAuthenticatorApp(): Promise<void> {
  return request('DELETE', apiPaths.authenticatorApp)
}

/** Makes new recovery codes, which end those before. */
export function replaceRecoveryCodes(): Promise<RecoveryCodes> {
  return request('POST', apiPaths.recoveryCodes)
}
