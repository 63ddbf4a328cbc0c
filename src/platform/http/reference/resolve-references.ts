import { type Document, type JsonObject, mapObjects } from './open-api-types.ts'

/** Replaces every reference within a document by its target, for readers that follow none. */
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
