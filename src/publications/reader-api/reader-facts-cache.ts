import { LRUCache } from 'lru-cache'
import type { PageAddresses } from '../delivery/page-addresses.ts'
import type { DocumentFacts } from '../domain/document-facts.ts'
import { imageSize } from '../domain/image-size.ts'
import { PAGE_WIDTH } from '../domain/page-images.ts'
import type { Publication, PublicationsStore } from '../storage/publications-store.ts'

/** What a publication's file tells its readers: language, findings, metadata, outline and pages, with their addresses. */
export type ReaderFacts = {
  /**
   * Members of a JSON object, without its braces.
   * @throws publicationNotFound where it has been removed meanwhile
   */
  membersOf(publication: Publication): Promise<string>
}

/** A page takes about 250 characters. */
const MAX_CHARACTERS = 16_000_000

type Deps = { publications: Pick<PublicationsStore, 'facts'>; pageAddresses: PageAddresses; cdn: () => string }

/**
 * Makes the part of a publication's JSON that does not change with time, and keeps what was asked for last: that of
 * 5,000 pages takes some 30 ms to work out, and anyone may ask for it a hundred times a second.
 */
export function createReaderFacts({ publications, pageAddresses, cdn }: Deps): ReaderFacts {
  const kept = new LRUCache<string, string>({ maxSize: MAX_CHARACTERS, sizeCalculation: ({ length }) => length })

  return {
    async membersOf(publication) {
      const key = `${publication.version_id} ${publication.epoch}`
      const known = kept.get(key)
      if (known !== undefined) return known
      const facts = await publications.facts(publication.version_id)
      const members = JSON.stringify(factsJson(facts, (page) => imageAddress(publication, page))).slice(1, -1)
      kept.set(key, members)
      return members
    },
  }

  function imageAddress({ id, version_id, sha256, epoch }: Publication, page: number): string {
    return cdn() + pageAddresses.pathOf({ publicationId: id, versionId: version_id, sha256, epoch, page })
  }
}

function factsJson(facts: DocumentFacts, imageAddress: (page: number) => string) {
  const { title, author, subject, keywords } = facts.metadata
  return {
    language: facts.language ?? null,
    findings: facts.findings,
    metadata: { title, author, subject, keywords },
    outline: facts.outline,
    pages: facts.pages.map(({ widthPt, heightPt, label }, at) => ({
      page: at + 1,
      ...imageSize({ widthPt, heightPt }, PAGE_WIDTH),
      width_pt: widthPt,
      height_pt: heightPt,
      label,
      image: imageAddress(at + 1),
    })),
  }
}
