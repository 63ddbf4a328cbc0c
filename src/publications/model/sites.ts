import type { IncomingMessage } from 'node:http'
import type { Addresses } from './config.ts'

/** The place where readers find a workspace: the public site of the server, or a host name of its own. */
export type Site = {
  /** Address without a slash at its end. */
  origin: string
  isOwn: boolean
}

/** The site of a workspace that has a host name of its own. Nothing of other workspaces exists there. */
type OwnSite = Site & { workspaceId: string }

/** The sites of requests for such host names, which are known before their routes are. */
export const ownSites = new WeakMap<IncomingMessage, OwnSite>()

/** Returns the public site of the server. */
export function publicSite(addresses: Addresses): Site {
  return { origin: addresses.public(), isOwn: false }
}

/**
 * Returns the site of a workspace: its own host name, with the scheme and the port of the public site, or else the
 * public site.
 */
export function siteOf(addresses: Addresses, domain: string | null | undefined): Site {
  if (domain == null) return publicSite(addresses)
  const { protocol, port } = new URL(addresses.public())
  return { origin: `${protocol}//${domain}${port && `:${port}`}`, isOwn: true }
}

/** Returns the site that a request is for. */
export function requestedSite(request: { raw: IncomingMessage }, addresses: Addresses): Site {
  const own = ownSites.get(request.raw)
  return own === undefined ? publicSite(addresses) : { origin: own.origin, isOwn: true }
}

/** Returns the address of a publication's page. */
export function pageAddress({ origin, isOwn }: Site, slug: string): string {
  return `${origin}${isOwn ? '' : '/p'}/${slug}`
}

/** Returns the address of a shelf, to which `/feed.xml` and a query are appended. */
export function shelfAddress({ origin, isOwn }: Site, faceSlug: string): string {
  return isOwn ? origin : `${origin}/w/${faceSlug}`
}

/** Returns the address of a collection on a shelf. */
export function collectionAddress(site: Site, faceSlug: string, slug: string): string {
  return `${shelfAddress(site, faceSlug)}/c/${slug}`
}

/** Folder of everything beside pages on a host name of its own, because no slug is `_`. */
const OWN_FOLDER = '/_'

/** Returns the folder of stylesheets and scripts, from the root of a site. */
export function assetsFolder({ isOwn }: Site): string {
  return isOwn ? OWN_FOLDER : '/p/_'
}

/** Returns the address to which paths of the API for readers are appended, such as `/publications/<slug>`. */
export function apiAddress({ origin, isOwn }: Site): string {
  return isOwn ? `${origin}${OWN_FOLDER}` : origin
}

const OF_SHELF =
  /^\/(?:feed\.xml|sitemap\.xml|robots\.txt|logo-[0-9a-f]{1,64}\.png|c\/[a-z0-9-]{1,80}(?:\/feed\.xml)?)$/
const READER_API =
  /^\/_\/(?:publications\/(?!(?:webhooks|upload-url)(?:\/|$))[a-z0-9-]{1,80}(?:\/(?:pdf|images|download|events|search|pages\/\d{1,9}|iiif\/manifest\.json))?|oembed)$/
const READING_REPORT = /^\/_\/publications\/[a-z0-9-]{1,80}\/reading$/

/**
 * Returns the path and query by which this server knows an address on the host name of a workspace: its shelf at the
 * root with its collections, its publications, and what their pages ask for. All other addresses lead below `/p/`,
 * where there is nothing.
 */
export function pathOnServer(method: string, url: string, faceSlug: string): string {
  if (!url.startsWith('/')) return url
  const path = /^[^?#]*/.exec(url)![0]
  const rest = url.slice(path.length)
  if (path === '/') return `/w/${faceSlug}${rest}`
  if (OF_SHELF.test(path)) return `/w/${faceSlug}${url}`
  const isReport = method === 'POST' && READING_REPORT.test(path)
  const isRead = (method === 'GET' || method === 'HEAD') && READER_API.test(path)
  return isReport || isRead ? url.slice(OWN_FOLDER.length) : `/p${url}`
}
