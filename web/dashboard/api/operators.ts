import { queryOptions } from '@tanstack/react-query'
import type { CreatedOperator, OperatorList, SessionList, SignInLink } from '../../../src/operator/schemas.ts'
import { request } from './request.ts'

export type { SignInLink }
export type Operator = OperatorList['operators'][number]
export type OperatorSession = SessionList['sessions'][number]

export const OPERATORS_KEY = ['operators'] as const
export const SESSIONS_KEY = ['sessions'] as const

/** Everyone who may sign in. */
export const operatorsQuery = queryOptions({
  queryKey: OPERATORS_KEY,
  queryFn: async ({ signal }) => {
    return (await request<OperatorList>('GET', '/operator/operators', { signal })).operators
  },
})

/** Where the one who is signed in is signed in. */
export const sessionsQuery = queryOptions({
  queryKey: SESSIONS_KEY,
  queryFn: async ({ signal }) => {
    return (await request<SessionList>('GET', '/operator/sessions', { signal })).sessions
  },
})

/** Adds an operator, who sets a password by the link that comes with it. */
export function createOperator(operator: { name: string }): Promise<CreatedOperator> {
  return request('POST', '/operator/operators', { body: operator })
}

/** Takes an operator away, with all their sessions. */
export function deleteOperator(id: string): Promise<void> {
  return request('DELETE', `/operator/operators/${encodeURIComponent(id)}`)
}

/** Makes a link by which an operator sets a new password. */
export function createSignInLink(operatorId: string): Promise<SignInLink> {
  return request('POST', `/operator/operators/${encodeURIComponent(operatorId)}/sign-in-link`)
}

/** Ends a session. */
export function endSession(id: string): Promise<void> {
  return request('DELETE', `/operator/sessions/${encodeURIComponent(id)}`)
}
