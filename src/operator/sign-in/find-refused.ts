import type { FastifyRequest } from 'fastify'
import { tokenHash } from '#platform/tokens/token.ts'
import type { FindRefused } from '../audit/record-requests.ts'
import { operatorNameKey } from '../domain/operator-name.ts'
import type { OperatorsStore } from '../storage/operators-store.ts'

type Deps = { operators: Pick<OperatorsStore, 'findByName'> }

/**
 * Creates what finds the operator that a refused sign-in named, and the hash of a refused link. A name that no operator
 * has is not kept: people type passwords into its field.
 */
export function createFindRefused({ operators }: Deps): FindRefused['findRefused'] {
  return async ({ body }: FastifyRequest) => {
    if (typeof body !== 'object' || body === null) return {}
    const { name, token } = body as { name?: unknown; token?: unknown }
    if (typeof token === 'string') return { sha256: tokenHash(token) }
    const operator = typeof name === 'string' ? await operators.findByName(operatorNameKey(name)) : undefined
    return operator === undefined ? {} : { subject: { kind: 'operator', id: operator.id, name: operator.name } }
  }
}
