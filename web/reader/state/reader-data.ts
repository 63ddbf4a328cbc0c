/** What the server says of the publication on its page. */
export type ReaderData = {
  slug: string
  title: string
  pageCount: number
  /** The part of the document that is on this page. */
  from: number
  to: number
  documentLanguage?: string
  interfaceLanguage: 'en' | 'fr'
  page: string
  embed: string
  download: string
  api: string
  /** A page's number behind it gives its words. */
  words: string
  search: string
  /** Where it is counted which pages are read, if it is. */
  reading?: string
}

/** The data in a page; undefined where it is none of a publication's. */
export function readData(from: Document): ReaderData | undefined {
  const text = from.getElementById('publication-data')?.textContent
  return text ? (JSON.parse(text) as ReaderData) : undefined
}
