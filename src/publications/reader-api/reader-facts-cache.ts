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
const KEPT_CHARACTERS = 16_000_000

type Deps = { publications: Pick<PublicationsStore, 'facts'>; pageAddresses: PageAddresses; cdn: () => string }

/**
 * Makes the part of a publication's JSON that does not change with time, and keeps what was asked for last: that of
 * 5,000 pages takes some 30 ms to work out, and anyone may ask for it a hundred times a second.
 */
export function createReaderFacts({ publications, pageAddresses, cdn }: Deps): ReaderFacts {
  const kept = new Map<string, string>()
  let keptCharacters = 0

  function forget(key: string): void {
    keptCharacters -= kept.get(key)?.length ?? 0
    kept.delete(key)
  }

  function keep(key: string, members: string): void {
    forget(key)
    kept.set(key, members)
    keptCharacters += members.length
    for (const oldest of kept.keys()) {
      if (keptCharacters <= KEPT_CHARACTERS) return
      forget(oldest)
    }
  }

  return {
    async membersOf(publication) {
      const key = `${publication.version_id} ${publication.epoch}`
      const members =
        kept.get(key) ??
        JSON.stringify(
          factsJson(await publications.facts(publication.version_id), (page) => imageAddress(publication, page)),
        ).slice(1, -1)
      keep(key, members)
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
