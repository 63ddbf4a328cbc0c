import type { PageAddresses } from '../delivery/addresses.ts'
import type { Addresses } from '../model/config.ts'
import type { DocumentFacts } from '../model/document-content.ts'
import { firstViewOf } from '../model/fields.ts'
import { IMAGE_WIDTHS } from '../model/image-forms.ts'
import type { ShownPublication } from '../model/public-page-store.ts'
import { addressesEnd, allowsDownload, type Opened } from '../model/reading.ts'
import { pageAddress, type Site, siteOf } from '../model/sites.ts'
import { shownStatements, turnsRightToLeft } from '../model/statements.ts'
import { faceOf } from '../public-pages/face-view.ts'
import type { ManifestView } from './manifest.ts'

type OnlineDeps = { addresses: Addresses; pageAddresses: PageAddresses; now: () => number }

/** Returns what the manifest of a publication tells at the addresses of this installation. */
export function onlineManifest(publication: ShownPublication & Opened, deps: OnlineDeps): ManifestView {
  const { addresses, pageAddresses, now } = deps
  const { slug, version_id: versionId, sha256, epoch, linkId } = publication
  const file = { publicationId: publication.id, versionId, sha256, epoch, linkId }
  const untilMs = addressesEnd(publication, now())
  const cdn = addresses.cdn()
  const site = siteOf(addresses, publication.domain)
  const api = `${addresses.base()}/publications/${slug}`
  return {
    ...manifestFacts(publication, site),
    widths: IMAGE_WIDTHS,
    addresses: {
      manifest: `${api}/iiif/manifest.json`,
      page: pageAddress(site, slug),
      ...(allowsDownload(publication) && { download: `${api}/download` }),
      image: (page) => cdn + pageAddresses.pathOf({ ...file, untilMs, page }),
    },
  }
}

/** Widths of the images in a folder, which every page has. */
export const FOLDER_WIDTHS = [600, 1200]

/** Returns what a manifest tells that is served with a folder, at the folder's own address. */
export function folderManifest(publication: ShownPublication, base: string, addresses: Addresses): ManifestView {
  return {
    ...manifestFacts(publication, siteOf(addresses, publication.domain)),
    widths: FOLDER_WIDTHS,
    addresses: {
      manifest: `${base}/iiif/manifest.json`,
      page: `${base}/index.html`,
      download: `${base}/document.pdf`,
      image: (page) => `${base}/iiif/${page}`,
    },
  }
}

function manifestFacts(publication: ShownPublication, site: Site) {
  const facts = JSON.parse(publication.facts) as DocumentFacts
  const { language, author, description } = shownStatements(publication, facts)
  return {
    title: publication.title,
    language: language ?? undefined,
    author: author ?? undefined,
    description: description ?? undefined,
    isRightToLeft: turnsRightToLeft(publication, facts),
    firstView: firstViewOf(publication.first_view, facts.pages),
    pages: facts.pages,
    outline: facts.outline,
    publisher: faceOf(publication, site),
  }
}
