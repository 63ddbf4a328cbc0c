import type { ProviderAddress } from '../../../src/operator/provider/provider-schemas.ts'
import type { Session, SessionConfirmed } from '../../../src/operator/schemas.ts'
import { apiPaths } from './api-paths.ts'
import { request } from './request.ts'

/**
 * A visit to the identity provider: to sign in, and then return to a page, by its address below that of the dashboard;
 * or to confirm, in a tab of its own.
 */
export type ProviderVisit = { purpose: 'sign in'; back: string } | { purpose: 'confirm' }

const KEY = 'trackpress-provider'

/**
 * Notes the visit for the page that the provider sends the browser back to, and returns the address at the provider.
 */
export async function beginProviderVisit(visit: ProviderVisit): Promise<string> {
  const path = visit.purpose === 'confirm' ? apiPaths.confirmationProviderAddress : apiPaths.sessionProviderAddress
  const { url } = await request<ProviderAddress>('POST', path)
  sessionStorage.setItem(KEY, JSON.stringify(visit))
  return url
}

/** Returns the visit that this tab began; a sign-in without one. */
export function lastProviderVisit(): ProviderVisit {
  const noted = sessionStorage.getItem(KEY)
  return noted === null ? { purpose: 'sign in', back: '/' } : (JSON.parse(noted) as ProviderVisit)
}

/** Signs in with the query that the provider sent back. A person without a role is a 403. */
export function signInWithProvider(query: string): Promise<Session> {
  return request('POST', apiPaths.sessionProvider, { body: { query } })
}

/** Confirms the session with the query that the provider sent back. Another person is a 403. */
export function confirmWithProvider(query: string): Promise<SessionConfirmed> {
  return request('POST', apiPaths.confirmationProvider, { body: { query } })
}
