import { formatDateTime } from '#platform/time/date-time.ts'
import type { PublicPageView } from './page-view.ts'

/** Describes a publication to search engines in terms of schema.org (JSON-LD). */
export function structuredData(view: PublicPageView): Record<string, unknown> {
  const { addresses } = view
  return {
    '@context': 'https://schema.org',
    '@type': 'DigitalDocument',
    '@id': addresses.page,
    url: addresses.page,
    name: view.title,
    description: view.description,
    inLanguage: view.documentLanguage,
    // The file gives a name, which need not be a person's.
    creator: view.author && { '@type': 'Thing', name: view.author },
    datePublished: formatDateTime(view.createdAtMs),
    dateModified: formatDateTime(view.updatedAtMs),
    image: {
      '@type': 'ImageObject',
      contentUrl: addresses.preview.address,
      width: addresses.preview.width,
      height: addresses.preview.height,
    },
    encoding: {
      '@type': 'MediaObject',
      contentUrl: addresses.download,
      encodingFormat: 'application/pdf',
      contentSize: String(view.sizeBytes),
    },
  }
}
