import { queryOptions } from '@tanstack/react-query'
import type { OperatorCreated, OperatorList, Rights, SessionList, SignInLink } from '../../../src/operator/schemas.ts'
import { apiPaths } from './api-paths.ts'
import { queryKeys } from './query-keys.ts'
import { request } from './request.ts'

export type { Rights, SignInLink }
export type Operator = OperatorList['operators'][number]
export type OperatorSession = SessionList['sessions'][number]

/** All operators. */
export const operatorsQuery = queryOptions({
  queryKey: queryKeys.operators,
  queryFn: async ({ signal }) => (await request<OperatorList>('GET', apiPaths.operators, { signal })).operators,
})

/** The signed-in operator's sessions. */
export const sessionsQuery = queryOptions({
  queryKey: queryKeys.sessions,
  queryFn: async ({ signal }) => (await request<SessionList>('GET', apiPaths.sessions, { signal })).sessions,
})

/** Adds an operator. The response holds the link that lets them set a password. */
export function createOperator(operator: { name: string } & Rights): Promise<OperatorCreated> {
  return request('POST', apiPaths.operators, { body: operator })
}

/** Changes the rights of an operator. */
export function changeOperator(id: string, rights: Rights): Promise<Operator> {
  return request('PATCH', apiPaths.operator(id), { body: rights })
}

/** Deletes an operator and ends their sessions. */
export function deleteOperator(id: string): Promise<void> {
  return request('DELETE', apiPaths.operator(id))
}

/** Creates a link that lets an operator set a new password. */
export function createSignInLink(operatorId: string): Promise<SignInLink> {
  return request('POST', apiPaths.operatorSignInLink(operatorId))
}

/** Ends a session. */
export function endSession(id: string): Promise<void> {
  return request('DELETE', apiPaths.endSession(id))
}
