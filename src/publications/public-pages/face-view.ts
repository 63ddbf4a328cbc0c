import { type Html, html } from '#platform/pages/html.ts'
import type { ShownPublication } from '../model/public-page-store.ts'
import type { Opened } from '../model/reading.ts'
import { collectionAddress, type Site, shelfAddress } from '../model/sites.ts'
import type { InterfaceTranslate } from './interface-texts.ts'

/** The face of a workspace, as its pages show it. */
export type FaceView = {
  name: string
  /** Absolute address of the shelf. */
  shelf: string
  website?: string
  /** The address of a link: `mailto:` or a page. */
  contact?: string
  license?: string
  /** Such as `#0b6158`. */
  color?: string
  /** With an address relative to the site, and its size in pixels. */
  logo?: { path: string; width: number; height: number }
}

/** A collection on a shelf, and its absolute address. */
export type CollectionLink = { name: string; address: string }

/** The columns of a face that pages show. */
type FaceColumns = {
  slug: string
  name: string
  website: string | null
  contact?: string | null
  license?: string | null
  accent_color: string | null
  logo_sha256: string | null
  logo_width: number | null
  logo_height: number | null
}

/** Returns the path of a logo on a site, which changes with its content. */
export function logoPath({ isOwn }: Pick<Site, 'isOwn'>, slug: string, sha256: string): string {
  return `${isOwn ? '' : `/w/${slug}`}/logo-${sha256.slice(0, 12)}.png`
}

/** Returns a face as the pages of a site show it. */
export function faceView(face: FaceColumns, site: Site): FaceView {
  const { slug, name, website, contact, license, accent_color, logo_sha256, logo_width, logo_height } = face
  return {
    name,
    shelf: shelfAddress(site, slug),
    ...(website !== null && { website }),
    ...(contact != null && { contact: contact.includes('://') ? contact : `mailto:${contact}` }),
    ...(license != null && { license }),
    ...(accent_color !== null && { color: accent_color }),
    ...(logo_sha256 !== null && {
      logo: { path: logoPath(site, slug, logo_sha256), width: logo_width!, height: logo_height! },
    }),
  }
}

/** Returns the face of a publication's workspace; undefined if it has none. */
export function faceOf(publication: ShownPublication, site: Site): FaceView | undefined {
  const { face_slug: slug, face_name: name } = publication
  if (slug === null || name === null) return undefined
  return faceView(
    {
      slug,
      name,
      website: publication.face_website,
      contact: publication.face_contact,
      license: publication.face_license,
      accent_color: publication.face_color,
      logo_sha256: publication.face_logo,
      logo_width: publication.face_logo_width,
      logo_height: publication.face_logo_height,
    },
    site,
  )
}

/**
 * Returns the collection of a publication on the shelf of its workspace; undefined for none, and for a publication that
 * is not on the shelf itself, as readers may not know of its collection.
 */
export function collectionOf(publication: ShownPublication & Opened, site: Site): CollectionLink | undefined {
  const { face_slug: shelf, collection_slug: slug, collection_name: name, status, isForEveryone } = publication
  if (shelf === null || slug === null || name === null || status !== 'ready' || !isForEveryone) return undefined
  return { name, address: collectionAddress(site, shelf, slug) }
}

/** Writes the links to the site and the contact of a workspace, and its licence, each after a dot. */
export function faceNotes({ website, contact, license }: FaceView, t: InterfaceTranslate): Html {
  const site = website !== undefined && html` · <a href="${website}" rel="noopener">${new URL(website).host}</a>`
  const link = contact !== undefined && html` · <a href="${contact}" rel="noopener">${t('contact')}</a>`
  return html`${site}${link}${license !== undefined && html` · <bdi>${license}</bdi>`}`
}

/** Returns the name of the stylesheet of an accent colour, below the folder of assets. */
export function accentFile(color: string): string {
  return `accent/${color.slice(1)}.css`
}
