import { queryOptions } from '@tanstack/react-query'
import type { SecondFactorNeeded } from '../../../src/operator/factors/factor-schemas.ts'
import type { ConfirmationMethods, Session, SessionConfirmed, SignInLinkOwner } from '../../../src/operator/schemas.ts'
import { hasStatus } from './api-error.ts'
import { apiPaths } from './api-paths.ts'
import { queryKeys } from './query-keys.ts'
import { request } from './request.ts'

export type { SecondFactorNeeded, Session }

/** The signed-in operator's session; null when signed out. */
export const sessionQuery = queryOptions({
  queryKey: queryKeys.session,
  staleTime: 60_000,
  queryFn: async ({ signal }): Promise<Session | null> => {
    try {
      return await request<Session>('GET', apiPaths.session, { signal })
    } catch (error) {
      if (hasStatus(error, 401)) return null
      throw error
    }
  },
})

/** The operator whose sign-in link it is. A used, expired or unknown link is a 410. */
export function signInLinkQuery(token: string) {
  return queryOptions({
    queryKey: queryKeys.signInLink(token),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    queryFn: ({ signal }) => request<SignInLinkOwner>('POST', apiPaths.checkSignInLink, { body: { token }, signal }),
  })
}

/** Signs in, or tells that a second factor has to follow. A wrong name or password is a 401. */
export function signIn(credentials: { name: string; password: string }): Promise<Session | SecondFactorNeeded> {
  return request('POST', apiPaths.session, { body: credentials })
}

/** Continues a sign-in. A wrong code is a 401, and a sign-in that has taken too long a 410. */
export function signInWithSecondFactor(code: string): Promise<Session> {
  return request('POST', apiPaths.sessionSecondFactor, { body: { code } })
}

/** The ways in which the signed-in operator can confirm. */
export const confirmationMethodsQuery = queryOptions({
  queryKey: queryKeys.confirmationMethods,
  queryFn: ({ signal }) => request<ConfirmationMethods>('GET', apiPaths.confirmation, { signal }),
})

/** Confirms that the operator is still the one who signed in. A wrong password or code is a 403. */
export function confirmSession(proof: { password: string } | { code: string }): Promise<SessionConfirmed> {
  return request('POST', apiPaths.confirmation, { body: proof })
}

/** Ends this session. */
export function signOut(): Promise<void> {
  return request('DELETE', apiPaths.session)
}

/**
 * Sets a password with a sign-in link and signs in, as {@link signIn} does. A used, expired or unknown link is a 410.
 */
export function signInByLink(link: { token: string; password: string }): Promise<Session | SecondFactorNeeded> {
  return request('POST', apiPaths.signInLink, { body: link })
}

/** Changes the signed-in operator's password. A wrong current password is a 403. */
export function changePassword(passwords: { current_password: string; password: string }): Promise<void> {
  return request('PUT', apiPaths.password, { body: passwords })
}
