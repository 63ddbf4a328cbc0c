import type { Document, PartDescription } from './open-api-types.ts'

/** Returns the document reduced to the operations of one part: those with one of its tags. */
export function partOfDocument(document: Document, part: PartDescription): Document {
  const paths = Object.entries(document.paths ?? {}).map(([path, item]) => {
    const operations = Object.entries(item ?? {}).filter(([, operation]) => hasTag(operation, part.tags))
    return [path, Object.fromEntries(operations)] as const
  })
  const kept = paths.filter(([, item]) => Object.keys(item).length > 0)
  const used = new Set(kept.flatMap(([, item]) => Object.values(item).flatMap(schemesOf)))
  const schemes = Object.entries(document.components?.securitySchemes ?? {}).filter(([name]) => used.has(name))
  return {
    ...document,
    info: { ...document.info, title: part.title, description: part.description },
    tags: document.tags?.filter(({ name }) => part.tags.includes(name)),
    paths: Object.fromEntries(kept),
    components: { ...document.components, securitySchemes: Object.fromEntries(schemes) },
  }
}

function hasTag(operation: unknown, tags: readonly string[]): boolean {
  return ((operation as { tags?: string[] }).tags ?? []).some((tag) => tags.includes(tag))
}

/** Returns the names of the security schemes that an operation accepts. */
function schemesOf(operation: unknown): string[] {
  return ((operation as { security?: object[] }).security ?? []).flatMap((scheme) => Object.keys(scheme))
}
