import { queryOptions } from '@tanstack/react-query'
import type { Session } from '../../../src/operator/schemas.ts'
import { hasStatus } from './api-error.ts'
import { request } from './request.ts'

export type { Session }

export const SESSION_KEY = ['session'] as const

/** Who is signed in; null where nobody is. */
export const sessionQuery = queryOptions({
  queryKey: SESSION_KEY,
  staleTime: 60_000,
  queryFn: async ({ signal }): Promise<Session | null> => {
    try {
      return await request<Session>('GET', '/operator/session', { signal })
    } catch (error) {
      if (hasStatus(error, 401)) return null
      throw error
    }
  },
})

/** Signs in; a wrong name or password is a 401. */
export function signIn(credentials: { name: string; password: string }): Promise<Session> {
  return request('POST', '/operator/session', { body: credentials })
}

/** Ends this session. */
export function signOut(): Promise<void> {
  return request('DELETE', '/operator/session')
}

/** Sets a password by a sign-in link and signs in; a link that is used up or expired is a 410, an unknown one a 403. */
export function signInByLink(link: { token: string; password: string }): Promise<Session> {
  return request('POST', '/operator/sign-in-link', { body: link })
}

/** Changes the password of who is signed in; the current one being wrong is a 403. */
export function changePassword(passwords: { current_password: string; password: string }): Promise<void> {
  return request('PUT', '/operator/password', { body: passwords })
}
