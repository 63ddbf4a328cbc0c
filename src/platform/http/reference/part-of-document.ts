import type { Document, PartDescription } from './open-api-types.ts'

/** Returns the document reduced to the operations of one part: those with one of its tags. */
export function partOfDocument(document: Document, part: PartDescription): Document {
  const kept = ofPart(document.paths, part)
  const webhooks = ofPart(document.webhooks, part)
  const used = new Set(kept.flatMap(([, item]) => Object.values(item).flatMap(schemesOf)))
  const schemes = Object.entries(document.components?.securitySchemes ?? {}).filter(([name]) => used.has(name))
  const { webhooks: _, ...others } = document
  return {
    ...others,
    info: { ...document.info, title: part.title, description: part.description },
    tags: document.tags?.filter(({ name }) => part.tags.includes(name)),
    paths: Object.fromEntries(kept),
    ...(webhooks.length > 0 && { webhooks: Object.fromEntries(webhooks) }),
    components: { ...document.components, securitySchemes: Object.fromEntries(schemes) },
  }
}

/** Returns the operations of the part by their path or name, without items that have none. */
function ofPart(items: object | undefined, { tags }: PartDescription): [string, Record<string, object>][] {
  const reduced = Object.entries(items ?? {}).map(([name, item]): [string, Record<string, object>] => {
    const operations = Object.entries(item as Record<string, object>).filter(([, operation]) => hasTag(operation, tags))
    return [name, Object.fromEntries(operations)]
  })
  return reduced.filter(([, item]) => Object.keys(item).length > 0)
}

function hasTag(operation: unknown, tags: readonly string[]): boolean {
  return ((operation as { tags?: string[] }).tags ?? []).some((tag) => tags.includes(tag))
}

/** Returns the names of the security schemes that an operation accepts. */
function schemesOf(operation: unknown): string[] {
  return ((operation as { security?: object[] }).security ?? []).flatMap((scheme) => Object.keys(scheme))
}
