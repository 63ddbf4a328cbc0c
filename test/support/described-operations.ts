import type { OpenAPIV3_1 } from 'openapi-types'
import { type Document, type JsonObject, mapObjects } from '../../src/platform/reference/serve-document.ts'

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const

/** An operation of an OpenAPI document, with its place. */
export type DescribedOperation = OpenAPIV3_1.OperationObject & { method: string; path: string; operationId: string }

/** Returns the operations of a document, in its order. */
export function describedOperations({ paths = {} }: OpenAPIV3_1.Document): DescribedOperation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item?.[method]
      return operation === undefined ? [] : [{ operationId: '', ...operation, method, path }]
    }),
  )
}

/** Checks whether an operation needs the session of an operator. */
export function needsSession({ security = [] }: DescribedOperation): boolean {
  return security.some((scheme) => 'Session' in scheme)
}

/** Replaces every reference within a document by its target. */
export function resolveReferences(document: Document): Document {
  function resolve(value: unknown): unknown {
    return mapObjects(value, (object) => {
      if (typeof object.$ref !== 'string') return object
      const target = object.$ref
        .slice(2)
        .split('/')
        .reduce<unknown>((part, key) => (part as JsonObject | undefined)?.[key], document)
      if (target === undefined) throw new Error(`${object.$ref} names nothing`)
      const { $ref, ...beside } = object
      return { ...(resolve(target) as JsonObject), ...beside }
    })
  }
  const { paths, webhooks } = document
  return { ...document, paths: resolve(paths), webhooks: resolve(webhooks) } as unknown as Document
}
