import { escapeHtml } from '#platform/http/server/html.ts'
import { formatDateTime } from '#platform/time/date-time.ts'

/** The protocol's limit for one sitemap (https://www.sitemaps.org/protocol.html). */
export const MAX_SITEMAP_ENTRIES = 50_000

const HEAD = '<?xml version="1.0" encoding="utf-8"?>\n'
const NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9'

/** Writes a sitemap: a list of pages for search engines. */
export function sitemap(publicAddress: string, pages: readonly { slug: string; updated_at: number }[]): string {
  const entries = pages.map(
    ({ slug, updated_at }) =>
      `<url><loc>${escapeHtml(`${publicAddress}/p/${slug}`)}</loc><lastmod>${formatDateTime(updated_at)}</lastmod></url>\n`,
  )
  return `${HEAD}<urlset xmlns="${NAMESPACE}">\n${entries.join('')}</urlset>\n`
}

/** Writes the index of sitemaps, for more pages than one sitemap may list. */
export function sitemapIndex(publicAddress: string, count: number): string {
  const entries = Array.from(
    { length: count },
    (_, at) => `<sitemap><loc>${escapeHtml(`${publicAddress}/sitemaps/${at + 1}.xml`)}</loc></sitemap>\n`,
  )
  return `${HEAD}<sitemapindex xmlns="${NAMESPACE}">\n${entries.join('')}</sitemapindex>\n`
}

/**
 * Writes robots.txt: crawlers may read the pages but not the API, whose answers
 * contain addresses that expire within the hour.
 */
export function robotsText(publicAddress: string): string {
  return `User-agent: *\nDisallow: /publications/\nDisallow: /files/\nAllow: /\n\nSitemap: ${publicAddress}/sitemap.xml\n`
}
