import type { InspectionStore } from '#platform/inspection/inspection-store.ts'
import type { DamageRow } from '#platform/inspection/inspection-tables.ts'
import type { Addresses } from '../domain/addresses.ts'
import type { DocumentFacts } from '../domain/document-facts.ts'
import { isImageKey, PAGE_WIDTH } from '../domain/image-forms.ts'
import { FALLBACK_SIZE, imageSize } from '../domain/image-size.ts'
import { shownStatements } from '../domain/statements.ts'
import { publicationNotFound } from '../errors.ts'
import { oembed } from '../public-pages/html/oembed.ts'
import type { OperatorPublication } from '../schemas/operator-publication.ts'
import type { FiguresStore } from '../storage/figures-store.ts'
import type { LibraryStore } from '../storage/library/library-store.ts'
import type { Publication, PublicationsStore } from '../storage/publications-store.ts'
import { libraryEntry } from './operator-json.ts'

export type OperatorPublicationDeps = {
  library: Pick<LibraryStore, 'find' | 'pageStates' | 'formerSlugs'>
  publications: Pick<PublicationsStore, 'facts'>
  figures: Pick<FiguresStore, 'totalViews'>
  addresses: Addresses
  inspection: { store: Pick<InspectionStore, 'ofSubject'> }
}

/** Returns a publication for operators. @throws publicationNotFound */
export async function operatorPublicationJson(deps: OperatorPublicationDeps, id: string): Promise<OperatorPublication> {
  const { library, publications, figures, addresses, inspection } = deps
  const publication = await library.find(id)
  if (publication === undefined) throw publicationNotFound()
  const facts: Partial<DocumentFacts> = await publications.facts(publication.version_id)
  const pages = await library.pageStates(publication.version_id)
  const views = await figures.totalViews([id])
  return {
    ...libraryEntry(publication, views.get(id) ?? 0, addresses),
    workspace: { id: publication.workspace_id, name: publication.workspace_name },
    former_slugs: await library.formerSlugs(publication),
    failed_pages: pages.flatMap(({ page, failedCode, failedReason }) =>
      failedReason === null ? [] : { page, code: failedCode ?? 'crashed', reason: failedReason },
    ),
    pages_without_text: pages.filter(({ textLength }) => textLength === 0).map(({ page }) => page),
    ...shownStatements(publication, facts),
    stated: { language: publication.language, author: publication.author, description: publication.description },
    is_tagged: facts.isTagged ?? false,
    findings: facts.findings ?? [],
    outline_count: facts.outline?.length ?? 0,
    version: publication.version,
    sha256: publication.sha256,
    damage: damageOf(await inspection.store.ofSubject(id)),
    ...embedding(publication, facts, addresses.public()),
  }
}

function damageOf(damages: readonly DamageRow[]): OperatorPublication['damage'] {
  if (damages.length === 0) return null
  const images = damages.filter(({ key }) => isImageKey(key))
  const document = damages.find(({ key }) => !isImageKey(key))
  return { document: document?.problem ?? null, images: images.length }
}

/** Returns the same frame as oEmbed. */
function embedding({ title, slug }: Publication, facts: Partial<DocumentFacts>, siteAddress: string) {
  const embedAddress = `${siteAddress}/p/${slug}/embed`
  const thumbnail = { address: '', ...imageSize(facts.pages?.[0] ?? FALLBACK_SIZE, PAGE_WIDTH) }
  const { html } = oembed({ title, embedAddress, siteAddress, thumbnail }, {})
  return { embed_url: embedAddress, embed_html: String(html) }
}
