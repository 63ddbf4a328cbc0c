/** The publication's data in its public page. */
export type ReaderData = {
  slug: string
  title: string
  pageCount: number
  /** The part of the document in this HTML page. */
  from: number
  to: number
  documentLanguage?: string
  interfaceLanguage: 'en' | 'fr'
  page: string
  embed: string
  download: string
  api: string
  /** With a page number appended, the address of that page's words. */
  words: string
  search: string
  /** The address for reading reports; undefined if reading is not counted. */
  reading?: string
}

/** Reads the data of a public page; undefined if it shows no publication. */
export function readData(from: Document): ReaderData | undefined {
  const text = from.getElementById('publication-data')?.textContent
  return text ? (JSON.parse(text) as ReaderData) : undefined
}
